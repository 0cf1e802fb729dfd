// Signs of life: of a process on this machine, and of an activity as the server describes it. Used by clients, workers
// and the dev server. Runs in Node.
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { hasCode } from '@holdfast/base/has-code';

export type PendingActivity = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number];

/** True if a process of this machine is running, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** PendingActivityState on the wire: a body runs, or still runs after it was asked to stop. */
const startedStates: unknown[] = [2, 3];

export function isStarted(state: unknown): boolean {
  return startedStates.includes(state);
}

type WireTime = { seconds?: unknown; nanos?: number | null };

/** A time or a duration of the wire, in ms; 0 for none. */
export function toMs(time: WireTime | null | undefined): number {
  return time ? Number(time.seconds ?? 0) * 1_000 + (time.nanos ?? 0) / 1e6 : 0;
}
