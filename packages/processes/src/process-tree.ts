// Finds the processes that a started one runs now or has left behind, in /proc; elsewhere than on Linux it finds none.
// Runs in Node.
import { readFileSync, readdirSync } from 'node:fs';

/** The process and its descendants, at most `atMost`; excludes processes that left the tree. */
export function processTree(pid: number, atMost = 10_000): number[] {
  const found = [pid];
  for (let index = 0; index < found.length && found.length < atMost; index++) {
    for (const child of childrenOf(found[index] ?? 0)) found.push(child);
  }
  return found;
}

function childrenOf(pid: number): number[] {
  return entriesOf(`/proc/${pid}/task`).flatMap((thread) =>
    readOrEmpty(`/proc/${pid}/task/${thread}/children`)
      .split(' ')
      .filter((child) => child !== '')
      .map(Number),
  );
}

/** Processes started with this line in their environment, including those that left group and session. */
export function markedProcesses(mark: string): number[] {
  const pids = entriesOf('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readOrEmpty(`/proc/${pid}/environ`).split('\0').includes(mark)).map(Number);
}

/** Bytes of memory of its own or shared in memory; mapped files (programs, libraries) do not count. */
export function memoryOf(pid: number): number {
  const status = readOrEmpty(`/proc/${pid}/status`);
  const parts = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)];
  return parts.reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) * 1024;
}

/** An entry of /proc may vanish at any moment, and other systems have none; both read as empty. */
export function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** A missing process is no error: it may end at any moment. */
export function killAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // it has ended
    }
  }
}
