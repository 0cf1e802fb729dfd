// A clock that a test moves: timers fire in the order of their times.
import type { Clock } from '../../src/in-process/memory-host.ts';

export type ManualClock = Clock & { advance(ms: number): Promise<void> };

export function manualClock(start = 0): ManualClock {
  let now = start;
  let timers: { at: number; done: () => void }[] = [];
  return {
    now: () => now,
    after(ms, done) {
      const timer = { at: now + ms, done };
      timers.push(timer);
      return () => void (timers = timers.filter((one) => one !== timer));
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
        if (!next) break;
        timers = timers.filter((one) => one !== next);
        now = Math.max(now, next.at);
        next.done();
        // the loop goes on before the next timer
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = end;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
