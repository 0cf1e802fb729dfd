// How many calls a client passes on at once, and what becomes of those above.
import { expect, test, vi } from 'vitest';
import { CallLimit } from '../../src/client/call-limit.ts';

test('[FAULT-115c] so many calls run at once, as many wait in their order, and the next is refused', async () => {
  const limit = new CallLimit(2);
  const begun: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const run = (index: number) =>
    limit.run(() => {
      begun.push(index);
      return gates[index]?.promise ?? Promise.resolve(-1);
    });
  const runs = [0, 1, 2, 3].map(run);
  await expect(run(4)).rejects.toMatchObject({ code: 'TooBusy' });
  expect(begun).toEqual([0, 1]);
  gates[1]?.reject(new Error('failed'));
  await expect(runs[1]).rejects.toThrow('failed');
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  gates[0]?.resolve(0);
  await runs[0];
  await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
  gates[2]?.resolve(2);
  gates[3]?.resolve(3);
  expect(await Promise.all([runs[2], runs[3]])).toEqual([2, 3]);
  expect(await limit.run(() => Promise.resolve('free'))).toBe('free');
});

test('[FAULT-115c] a call that waits for too long is refused, and its place goes to nobody else', async () => {
  vi.useFakeTimers();
  try {
    const limit = new CallLimit(1);
    const gate = Promise.withResolvers<void>();
    const first = limit.run(() => gate.promise);
    const late = expect(limit.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'TooBusy' });
    await vi.advanceTimersByTimeAsync(2_000);
    await late;
    gate.resolve();
    await first;
    expect(await limit.run(() => Promise.resolve('free'))).toBe('free');
  } finally {
    vi.useRealTimers();
  }
});
