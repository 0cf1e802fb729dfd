// Timeouts and attempts of everything that the workflow schedules. Temporal alone retries. Runs in the workflow.
import { defined } from '../../packages/base/src/defined.ts';
import { type ActivityOptions, ActivityCancellationType } from '@temporalio/workflow';
import type { CallOptions } from '../core/loop/effects.ts';
import {
  type ActivityName,
  type InputOf,
  activityTable,
} from '../../packages/vocabulary/src/activity-table.ts';
import type { AgentSettings } from '../../packages/vocabulary/src/agent-spec.ts';
import type { ToolSpec } from '../../packages/vocabulary/src/tool-spec.ts';
import type { Session } from '../core/session/session.ts';

// the default, TRY_CANCEL, loses what a stopped body returns; the stopper bounds the wait
const cancellationType = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED;

/** Added to the tool's own timeout, which its body enforces: Temporal's is for bodies that cannot. */
const toolMarginMs = 5_000;

const defaultHeartbeatMs = 5_000;

/** The options of an activity, from its row in the table. */
export function optionsOf<Name extends ActivityName>(
  name: Name,
  input: InputOf<Name>,
  { settings, state }: Session,
  { limitMs, taskQueue }: CallOptions,
): ActivityOptions {
  const policy = activityTable[name];
  const { heartbeatMs = defaultHeartbeatMs, attempts = 5, firstMs = 1_000, everyMs = 10_000 } = policy;
  return {
    startToCloseTimeout: limitMs ?? policy.limitMs ?? 60_000,
    heartbeatTimeout: heartbeatMs === 'agent' ? settings.loop.heartbeatTimeoutMs : heartbeatMs,
    retry: { initialInterval: firstMs, maximumInterval: everyMs, maximumAttempts: attempts },
    ...(taskQueue === undefined ? {} : { taskQueue, scheduleToStartTimeout: hostStartTimeout }),
    ...(policy.waits ? { cancellationType } : {}),
    summary: policy.summary(input, state.context).slice(0, 200),
  };
}

/** Short, because a caller waits for it. */
export const readStoredOptions: ActivityOptions = {
  startToCloseTimeout: '20s',
  heartbeatTimeout: defaultHeartbeatMs,
  retry: { initialInterval: '500ms', maximumAttempts: 3 },
};

/** A host either has a worker that polls or is missing: the call does not wait for one. */
export const hostStartTimeout = '5s';

/** Added for a task that was handed back: eager dispatch would offer it to the same worker again. */
export const handedBackOptions: ActivityOptions = { allowEagerDispatch: false };

/** Unlimited: the activity only checks, and Temporal repeats it, at first at the pace that the body asks for. */
export function awaitWorkerOptions(taskQueue: string | undefined): ActivityOptions {
  return {
    startToCloseTimeout: '10s',
    retry: { initialInterval: '3s', backoffCoefficient: 1 },
    ...defined({ taskQueue }),
    cancellationType,
    summary: 'wait for a worker that has what is needed',
  };
}

/**
 * No maximumAttempts and no schedule-to-close: the body counts provider failures in its heartbeat ledger and ends
 * the retries itself, so that lost workers and deploys cost nothing.
 */
export function callModelOptions({ loop }: AgentSettings, summary: string): ActivityOptions {
  return {
    startToCloseTimeout: '30m',
    heartbeatTimeout: loop.heartbeatTimeoutMs,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
    cancellationType,
    summary,
  };
}

export function toolOptions(
  spec: Pick<ToolSpec, 'effect' | 'timeoutMs' | 'taskQueue'>,
  { loop }: AgentSettings,
  summary: string,
  scheduleToStartTimeout: '5s' | '30s' = '30s',
): ActivityOptions {
  return {
    startToCloseTimeout: spec.timeoutMs + toolMarginMs,
    heartbeatTimeout: loop.heartbeatTimeoutMs,
    retry:
      spec.effect === 'once'
        ? { maximumAttempts: 1 }
        : { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 10 },
    // another host's queue may have no worker: this timeout proves that the body never began
    ...(spec.taskQueue === undefined ? {} : { taskQueue: spec.taskQueue, scheduleToStartTimeout }),
    cancellationType,
    summary,
  };
}

/** One attempt, and short: what a session delivers itself holds up its end for at most this time. */
export function firstDeliveryOptions(title: string): ActivityOptions {
  return {
    scheduleToCloseTimeout: '10s',
    heartbeatTimeout: defaultHeartbeatMs,
    retry: { maximumAttempts: 1 },
    summary: title,
  };
}

/** Three days outlast a weekend without a receiver. Each attempt is bounded by its body. */
export function deliveryOptions(destination: string): ActivityOptions {
  return {
    // for lists of what is not delivered: a pending activity shows no input
    activityId: destination,
    startToCloseTimeout: '60s',
    scheduleToCloseTimeout: '3 days',
    heartbeatTimeout: defaultHeartbeatMs,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5m' },
    summary: `to ${destination}`,
  };
}
