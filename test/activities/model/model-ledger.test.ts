import { describe, expect, test } from 'vitest';
import { decideRetry, withWasted } from '../../../src/activities/model/model-ledger.ts';
import type { RetryDecision, RetryLimits } from '../../../src/activities/model/model-ledger.ts';
import type { ModelFailure } from '@holdfast/providers/model-provider';
import type { ModelLedger } from '@holdfast/vocabulary/activity-contracts';
import { modelFailures } from '@holdfast/base/failures';

const window: RetryLimits = { windowMs: 900_000 };
const overloaded: ModelFailure = { type: 'Model.Overloaded', message: 'The provider is overloaded.' };

/** Fails again and again, each attempt taking so long, until the retries are used up. */
function exhaust(
  failure: ModelFailure,
  limits: RetryLimits,
  ranMs = 0,
): { delays: number[]; last: RetryDecision } {
  const delays: number[] = [];
  let ledger: ModelLedger = { failures: 0 };
  for (;;) {
    const decision = decideRetry(ledger, failure, { now: 0, ranMs }, limits);
    if (!decision.retry) return { delays, last: decision };
    delays.push(decision.delayMs);
    ledger = decision.ledger;
  }
}

function delayAfter(retryAfterMs: number): number | undefined {
  const failure: ModelFailure = { type: 'Model.RateLimit', message: 'Slow down.', retryAfterMs };
  const decision = decideRetry({ failures: 0 }, failure, { now: 0, ranMs: 0 }, window);
  return decision.retry ? decision.delayMs : undefined;
}

describe('retrying a model call', () => {
  test('[LOOP-11b] waits 1 s, doubled, at most 60 s, until the window of 15 minutes is used up', () => {
    const { delays, last } = exhaust(overloaded, window);
    expect(delays.slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(Math.max(...delays)).toBe(60_000);
    expect(delays.reduce((sum, delay) => sum + delay)).toBe(900_000);
    expect(last).toMatchObject({ retry: false, type: 'Model.RetriesExhausted' });
    expect(last).toMatchObject({ message: expect.stringContaining('The provider is overloaded.') });
  });

  test('[LOOP-11be] failed attempts count against the window, the first one and lost workers do not', () => {
    const slow = exhaust(overloaded, { windowMs: 10_000 }, 5_000);
    expect(slow.delays).toEqual([1_000, 2_000]);
    // an hour without workers lies between these two attempts; it stands in no ledger
    const first = decideRetry({ failures: 0 }, overloaded, { now: 0, ranMs: 600_000 }, window);
    const second = decideRetry(first.ledger, overloaded, { now: 3_600_000, ranMs: 500 }, window);
    expect(second).toMatchObject({ retry: true, delayMs: 2_000, ledger: { failures: 2, spentMs: 3_500 } });
  });

  test('[LOOP-11d] option maxRetries counts failures instead: 3 are retried after 1, 2 and 4 s', () => {
    const { delays, last } = exhaust(overloaded, { windowMs: 0, maxRetries: 3 }, 60_000);
    expect(delays).toEqual([1_000, 2_000, 4_000]);
    expect(last).toMatchObject({ type: 'Model.RetriesExhausted' });
  });

  test.each([
    ['7 s', 7_000, 7_000],
    ['an hour is capped', 3_600_000, 300_000],
    ['a negative number', -5_000, 1_000],
    ['not a number', Number.NaN, 1_000],
    ['now', 0, 1_000],
  ])('[LOOP-11c] Retry-After: %s', (_what, retryAfterMs, expected) => {
    expect(delayAfter(retryAfterMs)).toBe(expected);
  });

  test('[LOOP-11c] a wait that the provider asks for beyond the window ends it at once', () => {
    const failure: ModelFailure = { ...overloaded, retryAfterMs: 30_000 };
    expect(decideRetry({ failures: 0 }, failure, { now: 0, ranMs: 0 }, { windowMs: 20_000 })).toMatchObject({
      retry: false,
      type: 'Model.RetriesExhausted',
    });
  });

  test('a rate limit is shown with the server time until which it holds', () => {
    const failure: ModelFailure = { type: 'Model.RateLimit', message: 'Slow down.', retryAfterMs: 70_000 };
    const now = Date.UTC(2026, 0, 1, 12, 2, 0);
    const { ledger } = decideRetry({ failures: 0 }, failure, { now, ranMs: 0 }, window);
    expect(ledger).toEqual({
      failures: 1,
      firstFailureAt: now,
      spentMs: 70_000,
      lastFailure: 'rate-limited until 12:03:10 UTC',
    });
  });

  test('[LOOP-11b] a failure says which attempt it was, and when no more follow', () => {
    const connection: ModelFailure = { type: 'Model.Connection', message: 'No connection to h: refused.' };
    const now = Date.UTC(2026, 0, 1, 23, 50, 0);
    const first = decideRetry({ failures: 0 }, connection, { now, ranMs: 500 }, window);
    expect(first).toMatchObject({
      message: 'No connection to h: refused. (attempt 1, gives up at 2026-01-02 00:05:00 UTC)',
      ledger: {
        lastFailure:
          'No connection to h: refused. (attempt 1, next try at 23:50:01 UTC, gives up at 2026-01-02 00:05:00 UTC)',
      },
    });
    // 1 s of wait and 4 s of this attempt are used up
    const second = decideRetry(first.ledger, connection, { now: now + 5_000, ranMs: 4_000 }, window);
    expect(second).toMatchObject({
      message: expect.stringContaining('(attempt 2, gives up at 2026-01-02 00:05:00 UTC)'),
    });
    const counted = decideRetry(
      { failures: 1 },
      connection,
      { now, ranMs: 0 },
      { windowMs: 0, maxRetries: 3 },
    );
    expect(counted).toMatchObject({ message: 'No connection to h: refused. (attempt 2 of 4)' });
    expect(counted.ledger.lastFailure).toContain('(attempt 2 of 4, next try at 23:50:02 UTC)');
  });

  test('a long failure does not hide when the next attempt is', () => {
    const failure: ModelFailure = { ...overloaded, message: 'x'.repeat(500) };
    const { ledger } = decideRetry({ failures: 0 }, failure, { now: 0, ranMs: 0 }, window);
    expect(ledger.lastFailure).toMatch(
      /x… \(attempt 1, next try at 00:00:01 UTC, gives up at 00:15:00 UTC\)$/,
    );
    expect(ledger.lastFailure).toHaveLength(300);
  });

  test.each(Object.entries(modelFailures))(
    '[LOOP-12a] %s (%s) is retried only if the table says so',
    (type, recovery) => {
      const failure = { type: type as keyof typeof modelFailures, message: 'It failed.' };
      const decision = decideRetry({ failures: 0 }, failure, { now: 0, ranMs: 0 }, window);
      expect(decision.retry).toBe(recovery === 'retry');
      if (!decision.retry) expect(decision).toMatchObject({ type, message: 'It failed.' });
    },
  );

  test('wasted tokens add up', () => {
    const usage = { input: 10, cacheRead: 1, cacheWrite: 2, output: 3 };
    const ledger = withWasted(withWasted(withWasted({ failures: 0 }, usage), undefined), usage);
    expect(ledger.wasted).toEqual({ input: 20, cacheRead: 2, cacheWrite: 4, output: 6 });
  });
});
