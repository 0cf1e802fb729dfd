// Decides whether and when a failed model call is retried, purely from the attempts so far. Temporal does the retrying.
import { oneLine } from '@holdfast/base/one-line';
import { describeTime, toUtc } from '@holdfast/base/words';
import type { ModelLedger } from '@holdfast/vocabulary/activity-contracts';
import { type ModelFailureType, recoveryOf } from '@holdfast/base/failures';
import { type Usage, addUsage } from '@holdfast/vocabulary/messages';
import { type ModelPrices, costOf } from './cost.ts';
import { cutText } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import type { ModelFailure } from '@holdfast/providers/model-provider';

/** `now` is server time; `ranMs` is the duration of this attempt, by a monotonic clock. */
export type AttemptTime = { now: number; ranMs: number };

/** `maxRetries` counts failures instead of the window's time. */
export type RetryLimits = { windowMs: number; maxRetries?: number };

export type RetryDecision = { ledger: ModelLedger } & (
  | { retry: true; delayMs: number; message: string }
  | { retry: false; type: ModelFailureType; message: string }
);

const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
const longestRetryAfterMs = 300_000;

/**
 * Waits 1 s, doubled, at most 60 s, or the provider's delay, at most 300 s, within the window. The window counts waits
 * and failed attempts after the first failure; a lost worker reports neither, so it costs nothing.
 */
export function decideRetry(
  ledger: ModelLedger,
  failure: ModelFailure,
  time: AttemptTime,
  limits: RetryLimits,
): RetryDecision {
  const failures = ledger.failures + 1;
  const spentMs = ledger.failures === 0 ? 0 : (ledger.spentMs ?? 0) + time.ranMs;
  const failed: ModelLedger = {
    ...ledger,
    failures,
    spentMs,
    firstFailureAt: ledger.firstFailureAt ?? time.now,
    lastFailure: shownReason(failure.message),
  };
  if (recoveryOf(failure.type) !== 'retry')
    return { ledger: failed, retry: false, type: failure.type, message: failure.message };
  const delayMs = nextDelay(failures, spentMs, failure.retryAfterMs, limits);
  if (delayMs === undefined) return { ledger: failed, retry: false, ...exhausted(failed, failure) };
  const { now } = time;
  const [count, end] = describeAttempt(failures, now, now + limits.windowMs - spentMs, limits);
  const next = `next try at ${moment(now + delayMs, now)}`;
  return {
    ledger: {
      ...failed,
      spentMs: spentMs + delayMs,
      lastFailure: waitText(failure, now + delayMs, [count, next, ...end].join(', ')),
    },
    retry: true,
    delayMs,
    message: `${failure.message} (${[count, ...end].join(', ')})`,
  };
}

/** The number of the failed attempt, and the end of the attempts. */
function describeAttempt(
  failures: number,
  now: number,
  endsAt: number,
  { maxRetries }: RetryLimits,
): [count: string, end: string[]] {
  if (maxRetries !== undefined) return [`attempt ${failures} of ${maxRetries + 1}`, []];
  return [`attempt ${failures}`, [`gives up at ${moment(endsAt, now)}`]];
}

/** Adds tokens that were paid for and are in the usage of no message. */
export function withWasted(ledger: ModelLedger, usage: Usage | undefined, prices?: ModelPrices): ModelLedger {
  return usage === undefined
    ? ledger
    : withWastedOf(ledger, { wasted: usage, wastedUsd: costOf(usage, prices) });
}

/** Adds the cost in another ledger. */
export function withWastedOf(
  ledger: ModelLedger,
  { wasted, wastedUsd = 0 }: Pick<ModelLedger, 'wasted' | 'wastedUsd'>,
): ModelLedger {
  if (wasted === undefined) return ledger;
  return {
    ...ledger,
    wasted: ledger.wasted === undefined ? wasted : addUsage(ledger.wasted, wasted),
    ...defined({ wastedUsd: wastedUsd > 0 ? (ledger.wastedUsd ?? 0) + wastedUsd : undefined }),
  };
}

/** Undefined when the retries are used up. */
function nextDelay(
  failures: number,
  spentMs: number,
  retryAfterMs: number | undefined,
  { windowMs, maxRetries }: RetryLimits,
): number | undefined {
  const asked =
    retryAfterMs !== undefined && retryAfterMs > 0 ? Math.min(retryAfterMs, longestRetryAfterMs) : undefined;
  const own = Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
  if (maxRetries !== undefined) return failures > maxRetries ? undefined : (asked ?? own);
  const leftMs = windowMs - spentMs;
  if (leftMs <= 0) return undefined;
  // an attempt before the provider's time would be refused, so a delay beyond the window ends it; a delay of our own may
  // be shorter
  if (asked !== undefined) return asked > leftMs ? undefined : asked;
  return Math.min(own, leftMs);
}

function exhausted(ledger: ModelLedger, failure: ModelFailure): { type: ModelFailureType; message: string } {
  const seconds = Math.round((ledger.spentMs ?? 0) / 1_000);
  return {
    type: 'Model.RetriesExhausted',
    message: `The model failed ${ledger.failures} times in ${seconds} s, and the retries are used up. Last: ${failure.type}: ${failure.message}`,
  };
}

function waitText(failure: ModelFailure, until: number, place: string): string {
  if (failure.type === 'Model.RateLimit') return `rate-limited until ${describeTime(until, 'clock')}`;
  return `${cutText(oneLine(failure.message), shownLength - place.length - 3)} (${place})`;
}

/** Includes the date unless it is today's. */
function moment(at: number, now: number): string {
  return toUtc(at, 'day') === toUtc(now, 'day') ? describeTime(at, 'clock') : describeTime(at);
}

const shownLength = 300;

// shown in heartbeat details, which are in the server's memory
export function shownReason(text: string): string {
  return cutText(oneLine(text), shownLength, '');
}
