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
  /** When the next attempt starts (ms since the epoch); absent while it is under way. */
  nextAt?: number;
};

export type PendingActivity = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number];

export function toRetries(pending: readonly PendingActivity[]): Retry[] {
  return pending.flatMap(({ activityType, attempt, lastFailure, nextAttemptScheduleTime: next }) => {
    if (!lastFailure || !attempt || attempt < 2) return [];
    const nextAt = next && Number(next.seconds) * 1_000 + Math.round((next.nanos ?? 0) / 1e6);
    const retry = { call: activityType?.name ?? '', attempt, message: lastFailure.message ?? '' };
    return [nextAt ? { ...retry, nextAt } : retry];
  });
}
