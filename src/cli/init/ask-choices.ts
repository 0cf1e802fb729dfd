// The parts that a new config opens to the agent: asked at the terminal, with the findings as defaults; without a
// terminal, the findings.
import { defined } from '../../core/base/defined.ts';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type * as Prompts from '@clack/prompts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { UserError } from '../user-error.ts';
import type { Findings } from './look-around.ts';

/** Absolute, or relative to the config file. */
export type Choices = {
  logFolders: string[];
  prometheus?: string | undefined;
  kubeContext?: string | undefined;
};

export function choicesOf({ logFolders, prometheus, kubeContext }: Findings): Choices {
  return { logFolders, prometheus, kubeContext };
}

/** Throws a UserError if the person leaves; nothing has been written then. */
export async function askChoices(cli: Cli, folder: string, findings: Findings): Promise<Choices> {
  const prompts = await import('@clack/prompts');
  // some terminals, e.g. in containers, report no width, and every letter would get a line
  if (cli.stdout.columns === 0) cli.stdout.columns = 80;
  const form: Form = { prompts, streams: { input: cli.stdin, output: cli.stdout } };
  prompts.intro('A new Holdfast project', form.streams);
  const choices = {
    logFolders: await askFolders(form, folder, findings.logFolders),
    prometheus: await askPrometheus(form, findings.prometheus),
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

async function askText(form: Form, message: string, validate?: (value?: string) => string | undefined) {
  const answer = await form.prompts.text({ ...form.streams, message, ...defined({ validate }) });
  return given(form, answer).trim();
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
  const path = await askText(form, 'A folder of logs that the agent may read (empty: none)');
  if (path === '') return [];
  const isFolder = await stat(resolve(folder, path)).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isFolder) return [path];
  prompts.log.warn(`${path} is no folder here: expected one that exists.`, streams);
  return askFolders(form, folder, found);
}

async function askPrometheus(form: Form, found: string | undefined): Promise<string | undefined> {
  if (found !== undefined) {
    const message = `Prometheus answers at ${found}. May the agent query it?`;
    return given(form, await form.prompts.confirm({ ...form.streams, message })) ? found : undefined;
  }
  const message = 'Address of a Prometheus that the agent may query (empty: none)';
  const address = await askText(form, message, (value = '') =>
    isPlainAddress(value) ? undefined : 'Expected http://host:port.',
  );
  return address === '' ? undefined : address.replace(/\/$/, '');
}

async function askKube(form: Form, context: string | undefined): Promise<string | undefined> {
  if (context === undefined) return undefined;
  const message = `kubectl is set to the context "${context}". May the agent read that cluster?`;
  return given(form, await form.prompts.confirm({ ...form.streams, message })) ? context : undefined;
}

/** False with a user or password, which must not be in a config file. */
function isPlainAddress(text: string): boolean {
  if (text.trim() === '') return true;
  if (!URL.canParse(text.trim())) return false;
  const { protocol, username, password } = new URL(text.trim());
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
