// A run without any progress for a while ends, and says what each test process waited for.
import { cpuSeconds, testProcesses } from './process-tree.ts';

/** A process in a loop does not answer a signal. */
const mostAnswerMs = 5_000;
/** The longest build, or search of a program for its end, that no test interrupts. */
const mostTimes = 5;
/** Share of one core below which a run only waits; pollers and idle servers take some hundredths. */
const busyShare = 0.5;

/** Asks a test process what it waits for, and ends it. */
export const hangSignal = 'SIGUSR2';

export type HangWatch = { progress(): void; stop(): void };

/**
 * A run hangs when nothing has begun or ended for `patienceMs` and its processes are idle then, or for five times as long in any
 * case. `onHang` runs once, before the processes are asked.
 */
export function watchForHang(patienceMs: number, onHang: () => void): HangWatch {
  let lastProgress = performance.now();
  let sample: { at: number; cpu: number } | undefined;
  const timer = setInterval(() => {
    const now = performance.now();
    const waitedMs = now - lastProgress;
    if (waitedMs < patienceMs) sample = undefined;
    else if (sample === undefined) sample = { at: now, cpu: cpuSeconds() };
    else if (now - sample.at > patienceMs / 6) {
      const share = ((cpuSeconds() - sample.cpu) * 1_000) / (now - sample.at);
      sample = undefined;
      if (share > busyShare && waitedMs < mostTimes * patienceMs) return;
      clearInterval(timer);
      console.error(`No test has begun or ended for ${(waitedMs / 1_000).toFixed(0)} s: the run hangs.`);
      onHang();
      endTestProcesses(Math.min(patienceMs, mostAnswerMs));
    }
  }, 500);
  timer.unref();
  return {
    progress: () => {
      lastProgress = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}

function endTestProcesses(answerMs: number): void {
  const pids = testProcesses();
  for (const pid of pids) signal(pid, hangSignal);
  setTimeout(() => {
    for (const pid of pids.filter((each) => signal(each, 0))) {
      console.error(`process ${pid} is in a loop: it did not answer, and is killed.`);
      signal(pid, 'SIGKILL');
    }
  }, answerMs).unref();
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
