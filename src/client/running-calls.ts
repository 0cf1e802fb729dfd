// Calls that a worker is running, with its last sign of life, out of what `describe` shows. Needs no worker.
import { isStarted, toMs } from '../pending-activity.ts';
import type { PendingActivity } from './retries.ts';

export type RunningCall = {
  /** `callModel`, `tool.<name>`, or the name of another activity. */
  call: string;
  attempt: number;
  /** Identity of the worker: process, host and start. */
  worker: string;
  /** Start or last heartbeat of this attempt, by the server's clock (ms since the epoch). */
  aliveAt: number;
  /** After so long without a heartbeat the attempt counts as lost. */
  heartbeatTimeoutMs: number;
};

export function toRunningCalls(pending: readonly PendingActivity[]): RunningCall[] {
  return pending.flatMap((activity) => {
    const { activityType, attempt, lastWorkerIdentity: worker, activityOptions } = activity;
    const heartbeatTimeoutMs = toMs(activityOptions?.heartbeatTimeout);
    if (!isStarted(activity.state) || !worker || heartbeatTimeoutMs === 0) return [];
    const aliveAt = Math.max(toMs(activity.lastStartedTime), toMs(activity.lastHeartbeatTime));
    return [{ call: activityType?.name ?? '', attempt: attempt ?? 1, worker, aliveAt, heartbeatTimeoutMs }];
  });
}
