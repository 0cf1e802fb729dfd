// Heartbeats and the clock of the machine: they are paced by a monotonic timer.
import { setImmediate } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startHeartbeat } from '../../../src/activities/base/heartbeat.ts';

test('[FAULT-24] beats keep their pace while the clock of the machine steps back between them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const environment = new MockActivityEnvironment();
  const clock: number[] = [];
  environment.on('heartbeat', () => {
    clock.push(Date.now());
    vi.setSystemTime(Date.now() - 3_600_000);
  });
  const ended = Promise.withResolvers<void>();
  const body = environment.run(async () => {
    const heartbeat = startHeartbeat(() => undefined);
    await ended.promise;
    heartbeat.stop();
  });
  await setImmediate();
  for (let second = 0; second < 5; second += 1) await vi.advanceTimersByTimeAsync(1_000);
  ended.resolve();
  await body;
  expect(clock).toHaveLength(5);
  // each beat was an hour before the last one
  expect(clock).toEqual(clock.toSorted((left, right) => right - left));
});
