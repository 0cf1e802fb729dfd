// A run without any progress for a while ends, and says what each test process waited for.
import { readdirSync, readFileSync } from 'node:fs';

/** A process in a loop does not answer a signal. */
const answerMs = 5_000;

/** Asks a test process what it waits for, and ends it. */
export const hangSignal = 'SIGUSR2';

export type HangWatch = { progress(): void; stop(): void };

/** `onHang` runs once, before the processes are asked. */
export function watchForHang(patienceMs: number, onHang: () => void): HangWatch {
  let last = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - last < patienceMs) return;
    clearInterval(timer);
    console.error(`No test has begun or ended for ${patienceMs / 1_000} s: the run hangs.`);
    onHang();
    endTestProcesses();
  }, 1_000);
  timer.unref();
  return {
    progress: () => {
      last = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}

function endTestProcesses(): void {
  const pids = testProcesses();
  for (const pid of pids) signal(pid, hangSignal);
  setTimeout(() => {
    for (const pid of pids.filter((each) => signal(each, 0))) {
      console.error(`process ${pid} is in a loop: it did not answer, and is killed.`);
      signal(pid, 'SIGKILL');
    }
  }, answerMs).unref();
}

/** Children of this process that vitest has forked; none where there is no /proc. */
function testProcesses(): number[] {
  const pids = numbersIn('/proc');
  return pids.filter((pid) => {
    const stat = read(`/proc/${pid}/stat`);
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    return Number(parent) === process.pid && read(`/proc/${pid}/cmdline`).includes('vitest');
  });
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

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
