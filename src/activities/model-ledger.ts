// Whether a failed model call is tried again, and when: one pure decision over what the attempts before have
// used up. Temporal does the retrying; this only tells it.
import type { ModelLedger } from '../core/activity-contracts.ts';
import type { ModelFailureType } from '../core/failures.ts';
import { recoveryOf } from '../core/failures.ts';
import type { Usage } from '../core/messages.ts';
import { addUsage } from '../core/messages.ts';
import { costOf } from './cost.ts';
import type { ModelPrices } from './cost.ts';

/** A failure as the provider table sees it. */
export type ClassifiedFailure = { type: ModelFailureType; message: string; retryAfterMs?: number };

/** `now` is server time; `ranMs` is how long this attempt took, by a clock that never steps. */
export type AttemptTime = { now: number; ranMs: number };

/** `maxRetries` counts failures instead of the window's time. */
export type RetryLimits = { windowMs: number; maxRetries?: number };

export type RetryDecision = { ledger: ModelLedger } & (
  | { retry: true; delayMs: number }
  | { retry: false; type: ModelFailureType; message: string }
);

const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
const longestRetryAfterMs = 300_000;

/**
 * Waits 1 s, doubled, at most 60 s, or what the provider asks, at most 300 s, while the window lasts. The window
 * counts waits and failed attempts after the first failure: a lost worker reports neither, so it costs nothing.
 */
export function decideRetry(
  ledger: ModelLedger,
  failure: ClassifiedFailure,
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
    lastFailure: oneLine(failure.message),
  };
  if (recoveryOf(failure.type) !== 'retry') return { ledger: failed, retry: false, ...finalFailure(failure) };
  const delayMs = nextDelay(failures, spentMs, failure.retryAfterMs, limits);
  if (delayMs === undefined) return { ledger: failed, retry: false, ...exhausted(failed, failure) };
  return {
    ledger: { ...failed, spentMs: spentMs + delayMs, lastFailure: waitText(failure, time.now + delayMs) },
    retry: true,
    delayMs,
  };
}

/** The ledger with tokens that were paid for and are in the usage of no message. */
export function withWasted(ledger: ModelLedger, usage: Usage | undefined, prices?: ModelPrices): ModelLedger {
  if (usage === undefined) return ledger;
  const cost = costOf(usage, prices);
  return {
    ...ledger,
    wasted: ledger.wasted === undefined ? usage : addUsage(ledger.wasted, usage),
    ...(cost > 0 && { wastedUsd: (ledger.wastedUsd ?? 0) + cost }),
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
  // Earlier than asked would be refused again, so a wait beyond the window ends it; an own wait may be shorter.
  if (asked !== undefined) return asked > leftMs ? undefined : asked;
  return Math.min(own, leftMs);
}

function finalFailure({ type, message }: ClassifiedFailure): { type: ModelFailureType; message: string } {
  return { type, message };
}

function exhausted(
  ledger: ModelLedger,
  failure: ClassifiedFailure,
): { type: ModelFailureType; message: string } {
  const seconds = Math.round((ledger.spentMs ?? 0) / 1_000);
  return {
    type: 'Model.RetriesExhausted',
    message: `The model failed ${ledger.failures} times in ${seconds} s, and the retries are used up. Last: ${failure.type}: ${failure.message}`,
  };
}

function waitText(failure: ClassifiedFailure, until: number): string {
  const time = new Date(until).toISOString().slice(11, 19);
  if (failure.type === 'Model.RateLimit') return `rate-limited until ${time} UTC`;
  return oneLine(`${failure.message} (next try at ${time} UTC)`);
}

// Shown in heartbeat details, which live in the server's memory.
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}
