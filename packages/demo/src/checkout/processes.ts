// Starts and stops the incident's processes: each is a separate Node process that reports when it is ready and ends when
// its parent does.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '../../../../src/common/exit-codes.ts';
import { UserError } from '../../../../src/common/user-error.ts';

export type Running = { name: string; port: number; process: ChildProcess };

/** Starts `services/<name>` and waits until it is ready. Its output goes to `outputPath`. */
export async function startProcess(
  name: string,
  options: Record<string, string | number>,
  outputPath: string,
): Promise<Running> {
  // source and published package differ in the extension only
  const path = fileURLToPath(new URL(`./services/${name}${extname(import.meta.url)}`, import.meta.url));
  const output = openSync(outputPath, 'a');
  const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, String(value)]);
  const child = fork(path, args, { stdio: ['ignore', output, output, 'ipc'], execArgv: [] });
  closeSync(output);
  try {
    return { name, port: await portOf(child), process: child };
  } catch {
    child.kill('SIGKILL');
    throw new UserError(
      `The incident's process "${name}" did not start. Its output is in ${outputPath}.`,
      exitCodes.failed,
    );
  }
}

/** Ends the processes and waits until each is gone. */
export async function stopProcesses(processes: Running[]): Promise<void> {
  await Promise.all(processes.map(({ process: child }) => stopProcess(child)));
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('ended')));
    child.once('message', (message) => {
      resolve(
        Number(typeof message === 'object' && message !== null ? Reflect.get(message, 'port') : message),
      );
    });
  });
}
