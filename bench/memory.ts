// Memory of an idle cached session: each side in a child process of its own, before and after it holds many.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Side } from './side.ts';

export const idleSessions = 50;
export const idleTurns = 100;

export type IdleMemory = Record<
  Side['name'],
  { beforeBytes: number; afterBytes: number; perSessionBytes: number }
>;

/** Both children at once: memory does not depend on who else runs. */
export async function measureIdleMemory(address: string, say: (line: string) => void): Promise<IdleMemory> {
  say(`idle memory: ${idleSessions} sessions of ${idleTurns} turns, each side in a process of its own`);
  const [ours, bare] = await Promise.all([measureChild('ours', address), measureChild('bare', address)]);
  return { ours, bare };
}

async function measureChild(name: Side['name'], address: string) {
  const child = fork(join(import.meta.dirname, 'memory-child.ts'), [name, address], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const answer = once(child, 'message') as Promise<[{ beforeBytes: number; afterBytes: number }]>;
  const first = await Promise.race([answer, ended.then(() => undefined)]);
  if (first === undefined) throw new Error(`The memory child of ${name} ended without an answer.`);
  await ended;
  const [{ beforeBytes, afterBytes }] = first;
  return { beforeBytes, afterBytes, perSessionBytes: (afterBytes - beforeBytes) / idleSessions };
}
