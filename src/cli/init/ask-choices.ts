// What a new config opens to the agent: asked at the terminal, with the findings as defaults; without one the findings.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CANCEL_SYMBOL } from '@clack/prompts';
import type { Cli } from '../cli.ts';
import { UserError, exitCodes } from '../user-error.ts';
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

/** Throws a UserError where the person leaves; nothing has been written then. */
export async function askChoices(cli: Cli, folder: string, findings: Findings): Promise<Choices> {
  const { confirm, intro, isCancel, log, multiselect, outro, text } = await import('@clack/prompts');
  // of a terminal that does not know its width, as in some containers, every letter would get a line
  if (cli.stdout.columns === 0) cli.stdout.columns = 80;
  const streams = { input: cli.stdin, output: cli.stdout };
  function given<Answer>(answer: Answer | typeof CANCEL_SYMBOL): Answer {
    if (isCancel(answer)) throw new UserError('Nothing was written.', exitCodes.interrupted);
    return answer;
  }
  const isFolder = (path: string) =>
    stat(resolve(folder, path)).then(
      (found) => found.isDirectory(),
      () => false,
    );

  async function askFolders(): Promise<string[]> {
    const { logFolders } = findings;
    if (logFolders.length > 0) {
      return given(
        await multiselect({
          ...streams,
          message: 'Folders that the agent may read (it writes to none)',
          options: logFolders.map((value) => ({ value, label: value })),
          ...{ initialValues: logFolders, required: false },
        }),
      );
    }
    const path = given(
      await text({ ...streams, message: 'A folder of logs that the agent may read (empty: none)' }),
    ).trim();
    if (path === '') return [];
    if (await isFolder(path)) return [path];
    log.warn(`${path} is no folder here: expected one that exists.`, streams);
    return askFolders();
  }

  async function askPrometheus(): Promise<string | undefined> {
    const { prometheus } = findings;
    if (prometheus !== undefined) {
      const message = `Prometheus answers at ${prometheus}. May the agent query it?`;
      return given(await confirm({ ...streams, message })) ? prometheus : undefined;
    }
    const address = given(
      await text({
        ...streams,
        message: 'Address of a Prometheus that the agent may query (empty: none)',
        validate: (value = '') => (isPlainAddress(value) ? undefined : 'Expected http://host:port.'),
      }),
    ).trim();
    return address === '' ? undefined : address.replace(/\/$/, '');
  }

  async function askKube(): Promise<string | undefined> {
    const { kubeContext } = findings;
    if (kubeContext === undefined) return undefined;
    const message = `kubectl is set to the context "${kubeContext}". May the agent read that cluster?`;
    return given(await confirm({ ...streams, message })) ? kubeContext : undefined;
  }

  intro('A new Holdfast project', streams);
  const choices = {
    logFolders: await askFolders(),
    prometheus: await askPrometheus(),
    kubeContext: await askKube(),
  };
  outro('All of it is in the config file, where you can change it.', streams);
  return choices;
}

/** Without user and password, which belong into no config file. */
function isPlainAddress(text: string): boolean {
  if (text.trim() === '') return true;
  if (!URL.canParse(text.trim())) return false;
  const { protocol, username, password } = new URL(text.trim());
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
