// Calls that a worker is running, with its last sign of life, out of what `describe` shows. Needs no worker.
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

/** PendingActivityState on the wire: a body runs, or runs on though it was asked to stop. */
const startedStates: unknown[] = [2, 3];

export function toRunningCalls(pending: readonly PendingActivity[]): RunningCall[] {
  return pending.flatMap((activity) => {
    const { activityType, attempt, lastWorkerIdentity: worker, activityOptions } = activity;
    const heartbeatTimeoutMs = toMs(activityOptions?.heartbeatTimeout);
    if (!startedStates.includes(activity.state) || !worker || heartbeatTimeoutMs === 0) return [];
    const aliveAt = Math.max(toMs(activity.lastStartedTime), toMs(activity.lastHeartbeatTime));
    return [{ call: activityType?.name ?? '', attempt: attempt ?? 1, worker, aliveAt, heartbeatTimeoutMs }];
  });
}

type WireTime = { seconds?: unknown; nanos?: number | null };

function toMs(time: WireTime | null | undefined): number {
  return time ? Number(time.seconds ?? 0) * 1_000 + (time.nanos ?? 0) / 1e6 : 0;
}
