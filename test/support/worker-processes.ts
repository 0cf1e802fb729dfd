// Workers as processes of their own, which a test kills: test/support/worker-child.ts.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';
import type { SessionBench } from './session-bench.ts';

const childFile = resolve(import.meta.dirname, 'worker-child.ts');
const clockFile = resolve(import.meta.dirname, 'shifted-clock.ts');

/**
 * It never comes back from `where`. With a Holdfast folder it takes over from those that died there. Its clock is wrong by
 * `clockShiftMs`.
 */
export function startWorkerProcess(
  { address, taskQueue, artifactsDir }: SessionBench,
  ledger: string,
  where: string,
  dir?: string,
  clockShiftMs = 0,
): ChildProcess {
  const folder = dir === undefined ? [] : [dir];
  const args = [childFile, address, taskQueue, artifactsDir, ledger, where, ...folder];
  const preload = clockShiftMs === 0 ? [] : ['--import', clockFile];
  const env = { ...readEnvironment(), HOLDFAST_TEST_CLOCK_MS: `${clockShiftMs}` };
  const child = spawn(process.execPath, [...preload, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

export async function killProcess(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
