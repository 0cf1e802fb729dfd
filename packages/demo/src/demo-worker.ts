// The demo's worker: in this process, as for `holdfast run`, or a child process that can be killed. A child ends with
// this process, however that ends.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../../src/config/environment.ts';

export type WorkerProcessOptions = {
  configFile: string;
  address: string;
  namespace: string;
  taskQueue: string;
  /** Folder of its log. */
  dir: string;
  environment: Environment;
};

export type WorkerProcess = {
  pid: number;
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
};

/** Resolves when the worker polls. */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const { environment, dir, ...flags } = options;
  const path = fileURLToPath(new URL(`./worker-process${extname(import.meta.url)}`, import.meta.url));
  const args = Object.entries({ ...flags, dir }).flatMap(([name, value]) => [`--${name}`, value]);
  const logFile = join(dir, 'worker.log');
  const log = openSync(logFile, 'a');
  const child = fork(path, args, { env: environment, execArgv: [], stdio: ['ignore', log, log, 'ipc'] });
  closeSync(log);
  const ready = await Promise.race([
    once(child, 'message').then(() => true),
    once(child, 'exit').then(() => false),
  ]);
  if (!ready) throw new Error(`The demo's worker process ended before it was ready. Its log is ${logFile}.`);
  return { pid: child.pid ?? 0, kill: () => kill(child) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
