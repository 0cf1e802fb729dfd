// This process and those below it, as /proc has them; nothing where there is no /proc.
import { readdirSync, readFileSync } from 'node:fs';

type Process = { pid: number; parent: number; cpu: number };

/** CPU time of this process and of all below it, those that have ended included. */
export function cpuSeconds(): number {
  const all = processes();
  const sum = (pid: number): number =>
    all.reduce((total, each) => total + (each.parent === pid ? each.cpu + sum(each.pid) : 0), 0);
  return (all.find(({ pid }) => pid === process.pid)?.cpu ?? 0) + sum(process.pid);
}

/** Those that vitest has forked. */
export function testProcesses(): number[] {
  return processes().flatMap(({ pid, parent }) =>
    parent === process.pid && read(`/proc/${pid}/cmdline`).includes('vitest') ? [pid] : [],
  );
}

function processes(): Process[] {
  return numbersIn('/proc').map((pid) => {
    const { parent, own, ended } = statOf(pid);
    return { pid, parent, cpu: own + ended };
  });
}

/** CPU time of a process and of those of its children, and theirs, that have ended, in seconds. */
export function statOf(pid: number | 'self'): { parent: number; own: number; ended: number } {
  const stat = read(`/proc/${pid}/stat`);
  // the name of the program, in parentheses, may hold blanks
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  // ticks are hundredths of a second, of user and system
  const seconds = (user: number): number => ((fields[user] ?? 0) + (fields[user + 1] ?? 0)) / 100;
  return { parent: fields[1] ?? 0, own: seconds(11), ended: seconds(13) };
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it has ended meanwhile
  }
}
