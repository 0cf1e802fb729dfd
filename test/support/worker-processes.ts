// Workers as processes of their own, which a test kills, and the ledger in which they note what they begin.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';
import type { SessionBench } from './session-bench.ts';
import { temporaryFolder } from './tool-calls.ts';

const clockFile = resolve(import.meta.dirname, 'shifted-clock.ts');

export async function openLedger(): Promise<{ ledger: string; begun(): string[] }> {
  const ledger = join(await temporaryFolder(), 'ledger');
  writeFileSync(ledger, '');
  return { ledger, begun: () => readFileSync(ledger, 'utf8').split('\n').filter(Boolean) };
}

/** A file of test/support at work on the queue of a bench, with further arguments; killed with the test. */
export function startChild(
  file: string,
  { address, taskQueue, artifactsDir }: SessionBench,
  more: string[],
  { node = [], env = readEnvironment() }: { node?: string[]; env?: NodeJS.ProcessEnv } = {},
): ChildProcess {
  const path = resolve(import.meta.dirname, file);
  const child = spawn(process.execPath, [...node, path, address, taskQueue, artifactsDir, ...more], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/**
 * The worker of worker-child.ts. It never comes back from `where`. With a Holdfast folder it takes over from those that died there. Its clock is wrong by
 * `clockShiftMs`.
 */
export function startWorkerProcess(
  bench: SessionBench,
  ledger: string,
  where: string,
  dir?: string,
  clockShiftMs = 0,
): ChildProcess {
  const words = [ledger, where, ...(dir === undefined ? [] : [dir])];
  const node = clockShiftMs === 0 ? [] : ['--import', clockFile];
  const env = { ...readEnvironment(), HOLDFAST_TEST_CLOCK_MS: `${clockShiftMs}` };
  return startChild('worker-child.ts', bench, words, { node, env });
}

export async function killProcess(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
