// Finds the processes that a started one has left behind or runs now, by /proc. Elsewhere than on Linux it finds none.
// Runs in Node.
import { entriesOf, textOf } from './proc.ts';

/** The process and everything under it, at most `atMost`; without what has left the tree. */
export function processTree(pid: number, atMost = 10_000): number[] {
  const found = [pid];
  for (let index = 0; index < found.length && found.length < atMost; index++) {
    for (const child of childrenOf(found[index] ?? 0)) found.push(child);
  }
  return found;
}

function childrenOf(pid: number): number[] {
  return entriesOf(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`)
      .split(' ')
      .filter((child) => child !== '')
      .map(Number),
  );
}

/** Processes with this line in the environment that they were started with, also those that left group and session. */
export function markedProcesses(mark: string): number[] {
  const pids = entriesOf('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => textOf(`/proc/${pid}/environ`).split('\0').includes(mark)).map(Number);
}

/** Memory of a process that is its own or shared in memory; programs and libraries, which are files, do not count. */
export function memoryOf(pid: number): number {
  const status = textOf(`/proc/${pid}/status`);
  const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map((match) =>
    Number(match[1]),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
}

/** Nothing to kill is no error: a process may end at any moment. */
export function killAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // gone
    }
  }
}
