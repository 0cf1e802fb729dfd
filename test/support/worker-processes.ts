// Workers as processes of their own, which a test kills: test/support/worker-child.ts.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SessionBench } from './session-bench.ts';

const childFile = resolve(import.meta.dirname, 'worker-child.ts');

/** It never comes back from `where`. With a Holdfast folder it takes over from those that died there. */
export function startWorkerProcess(
  { address, taskQueue, artifactsDir }: SessionBench,
  ledger: string,
  where: string,
  dir?: string,
): ChildProcess {
  const folder = dir === undefined ? [] : [dir];
  const args = [childFile, address, taskQueue, artifactsDir, ledger, where, ...folder];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

export async function killProcess(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
