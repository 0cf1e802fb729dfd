// Calls of a session that have failed and are tried again by themselves, out of what `describe` shows: while they are,
// history and events stand still. Needs no worker.
import type { WorkflowExecutionDescription } from '@temporalio/client';

export type Retry = {
  /** `callModel`, `tool.<name>`, or the name of another activity. */
  call: string;
  /** The one that comes next, or is under way; the first is 1. */
  attempt: number;
  /** What became of the attempt before. */
  message: string;
  /** When the next attempt starts (ms since the epoch); absent once it is due. */
  nextAt?: number;
  /** It is due, and no worker has taken it yet. */
  waits?: true;
};

export type PendingActivity = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number];

/** PENDING_ACTIVITY_STATE_SCHEDULED on the wire: for later, or due and not taken. */
const scheduledState = 1;

export function toRetries(pending: readonly PendingActivity[], now = Date.now()): Retry[] {
  return pending.flatMap(({ activityType, attempt, lastFailure, state, nextAttemptScheduleTime: next }) => {
    // a wait for a fit worker fails by design until it ends; the session says what it waits for
    if (!lastFailure || !attempt || attempt < 2 || activityType?.name === 'awaitWorker') return [];
    const nextAt = next && Number(next.seconds) * 1_000 + Math.round((next.nanos ?? 0) / 1e6);
    const retry = { call: activityType?.name ?? '', attempt, message: lastFailure.message ?? '' };
    if (nextAt && nextAt > now) return [{ ...retry, nextAt }];
    return [state === scheduledState ? { ...retry, waits: true } : retry];
  });
}
