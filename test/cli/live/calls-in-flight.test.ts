// A worker that stops to beat is told once, by the watcher's clock alone.
import { expect, test } from 'vitest';
import type { RunningCall } from '../../../src/client.ts';
import { createSilenceWatch, describeSilence, toSilence } from '../../../src/cli/live/calls-in-flight.ts';

/** The server's clock is an hour ahead of the watcher's. */
const serverClock = 3_600_000;
const call = (aliveAt: number, changes: Partial<RunningCall> = {}): RunningCall => ({
  call: 'tool.grep',
  attempt: 1,
  worker: '41@web-1:5e0c3a91',
  heartbeatTimeoutMs: 5_000,
  aliveAt: serverClock + aliveAt,
  ...changes,
});

/** The silences that are new at each look. */
function createLook() {
  const watch = createSilenceWatch();
  return (running: RunningCall[], now: number) =>
    watch(running, now).flatMap((one) => (one.isNew ? [toSilence(one, now)] : []));
}

test('[FAULT-2] a silence is told once it has lasted 3 s, and again only after another sign of life', () => {
  const look = createLook();
  expect(look([call(0)], 1_000)).toEqual([]);
  expect(look([call(900)], 2_000)).toEqual([]);
  expect(look([call(900)], 4_900)).toEqual([]);
  const silence = { call: 'tool.grep', worker: '41@web-1:5e0c3a91', silentMs: 3_000, lostInMs: 2_000 };
  expect(look([call(900)], 5_000)).toEqual([silence]);
  expect(look([call(900)], 6_000)).toEqual([]);
  expect(look([call(6_000)], 7_000)).toEqual([]);
  expect(look([call(6_000)], 10_000)).toEqual([silence]);
  expect(describeSilence(silence)).toBe(
    'worker 41@web-1:5e0c3a91 silent for 3 s in grep, counts as lost in 2 s',
  );
});

test('a silence past its time is not counted below zero, and each call has its own', () => {
  const look = createLook();
  const model = call(0, { call: 'callModel', heartbeatTimeoutMs: 60_000 });
  look([call(0), model], 0);
  expect(look([call(0), model], 7_000)).toMatchObject([
    { call: 'tool.grep', silentMs: 7_000, lostInMs: 0 },
    { call: 'callModel', lostInMs: 53_000 },
  ]);
});
