// The second host of the loop: waits, stops and time in one process.
import { expect, test } from 'vitest';
import { carryOut, requests } from '../../src/core/session/requests.ts';
import { MemoryHost } from '../../src/in-process/memory-host.ts';
import type { Clock } from '../../src/in-process/memory-host.ts';

/** Time that a test moves. */
function manualClock(): Clock & { advance(ms: number): void } {
  let time = 0;
  let timers: { at: number; done: () => void }[] = [];
  return {
    now: () => time,
    after(ms, done) {
      const timer = { at: time + ms, done };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
    advance(ms) {
      time += ms;
      const due = timers.filter(({ at }) => at <= time);
      timers = timers.filter(({ at }) => at > time);
      for (const { done } of due) done();
    },
  };
}

test('a wait ends when it is ready, or when its time is over', async () => {
  const clock = manualClock();
  const host = new MemoryHost({ keepAlive: true }, { id: 's', clock });
  let open = false;
  const [first, second] = [host.until(() => open, 100), host.until(() => false, 100)];
  open = true;
  host.wake();
  clock.advance(100);
  expect(await Promise.all([first, second])).toEqual([true, false]);
  expect(await host.until(() => true, 0)).toBe(true);
});

test('a request that was carried out wakes the session that waits for it', async () => {
  const host = new MemoryHost({ keepAlive: true }, { id: 's', clock: manualClock() });
  const woken = host.until(() => host.session.inbox.resume);
  expect(carryOut(host.session, requests.resume(host.session))).toMatchObject({ ok: true });
  expect(await woken).toBe(true);
});

test('[TOOL-18b] a stop reaches the work in flight, and nothing that begins later', async () => {
  const host = new MemoryHost({ keepAlive: true }, { id: 's', clock: manualClock() });
  const aborted: boolean[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const working = host.stoppable(async (signal) => {
    await promise;
    aborted.push(signal.aborted);
  });
  host.session.stopInFlight();
  resolve();
  await working;
  await host.stoppable((signal) => void aborted.push(signal.aborted));
  expect(aborted).toEqual([true, false]);
});
