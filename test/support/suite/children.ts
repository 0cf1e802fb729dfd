// The child processes of a test process: those that run, and how many have been started, by program. Programs that a child starts
// in its turn are not seen.
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';

/** Stands for the program of Temporal as a server; it has many commands. */
export const serverName = 'temporal server';

const running = new Set<ChildProcess>();
const started = new Map<string, number>();

/** Once a process: what began before is not known. */
export function watchChildren(): void {
  subscribe('child_process', (message) => {
    if (!isSpawning(message)) return;
    const child = message.process;
    // the subscribers run before the program is known
    queueMicrotask(() => {
      const program = basename(child.spawnfile ?? 'unknown');
      const name = child.spawnargs?.includes('start-dev') ? serverName : program;
      started.set(name, (started.get(name) ?? 0) + 1);
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    child.once('error', () => running.delete(child));
  });
}

function isSpawning(message: unknown): message is { process: ChildProcess } {
  return typeof message === 'object' && message !== null && 'process' in message;
}

export function runningChildren(): { pid: number | undefined; command: string }[] {
  return [...running].map(({ pid, spawnargs }) => ({ pid, command: spawnargs.join(' ') }));
}

/** By name of the program, or `serverName`; those of spawnSync are not seen. */
export function startedChildren(): Record<string, number> {
  return Object.fromEntries(started);
}
