// The parts that a new config opens to the agent: asked at the terminal, with the findings as defaults; without a
// terminal, the findings.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type * as Prompts from '@clack/prompts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';
import type { FoundSource } from './find-sources.ts';
import type { Findings } from './look-around.ts';

/** Absolute, or relative to the config file. */
export type Choices = { logFolders: string[]; sources: FoundSource[]; kubeContext?: string | undefined };

/** Throws a UserError if the person leaves; nothing has been written then. */
export async function askChoices(cli: Cli, folder: string, findings: Findings): Promise<Choices> {
  const prompts = await import('@clack/prompts');
  // some terminals, e.g. in containers, report no width, and every letter would get a line
  if (cli.stdout.columns === 0) cli.stdout.columns = 80;
  const form: Form = { prompts, streams: { input: cli.stdin, output: cli.stdout } };
  prompts.intro('A new Holdfast project', form.streams);
  const choices = {
    logFolders: await askFolders(form, folder, findings.logFolders),
    sources: await askSources(form, findings.sources),
    kubeContext: await askKube(form, findings.kubeContext),
  };
  prompts.outro('All of it is in the config file, where you can change it.', form.streams);
  return choices;
}

type Form = { prompts: typeof Prompts; streams: { input: Cli['stdin']; output: Cli['stdout'] } };

function given<Answer>({ prompts }: Form, answer: Answer | typeof Prompts.CANCEL_SYMBOL): Answer {
  if (prompts.isCancel(answer)) throw new UserError('Nothing was written.', exitCodes.interrupted);
  return answer;
}

async function askFolders(form: Form, folder: string, found: string[]): Promise<string[]> {
  const { prompts, streams } = form;
  if (found.length > 0) {
    const picked = await prompts.multiselect({
      ...streams,
      message: 'Folders that the agent may read (it writes to none)',
      options: found.map((value) => ({ value, label: value })),
      initialValues: found,
      required: false,
    });
    return given(form, picked);
  }
  const message = 'A folder of logs that the agent may read (empty: none)';
  const path = given(form, await prompts.text({ ...streams, message })).trim();
  if (path === '') return [];
  const isFolder = await stat(resolve(folder, path)).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isFolder) return [path];
  prompts.log.warn(`${path} is no folder here: expected one that exists.`, streams);
  return askFolders(form, folder, found);
}

/** Those that want a token are in the config as comments, as are others of one name. */
async function askSources(form: Form, found: FoundSource[]): Promise<FoundSource[]> {
  const { prompts, streams } = form;
  const taken: FoundSource[] = [];
  for (const source of found) {
    const { name, place, needsToken } = source;
    const isOther = taken.some((each) => each.name === name && !each.needsToken);
    if (needsToken)
      prompts.log.info(`Found ${name} at ${place}. It wants a token: see the config file.`, streams);
    const message = `Found ${name} at ${place}: turn its tools on?`;
    if (needsToken || isOther || given(form, await prompts.confirm({ ...streams, message })))
      taken.push(source);
  }
  return taken;
}

async function askKube(form: Form, context: string | undefined): Promise<string | undefined> {
  if (context === undefined) return undefined;
  const message = `kubectl is set to the context "${context}". May the agent read that cluster?`;
  return given(form, await form.prompts.confirm({ ...form.streams, message })) ? context : undefined;
}
