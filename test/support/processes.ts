// Finds processes from outside by the words that they were started with. A word that is used once names its process.
import { readFileSync, readdirSync } from 'node:fs';

/** A duration for `sleep` that no other process has. */
export function uniqueSeconds(): string {
  return `${600 + Math.floor(Math.random() * 1_000)}.${Math.random().toString().slice(2, 12)}`;
}

/** Commands that run now and have the word among their arguments. */
export function runningWith(word: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(commandOf).filter((command) => command.split(' ').includes(word));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
