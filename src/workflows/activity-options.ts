// The only place that schedules activities: timeouts and attempts from the table of core, and those of tools. Temporal alone
// retries. Runs in the workflow.
import { type ActivityOptions, ActivityCancellationType, scheduleActivity } from '@temporalio/workflow';
import { defined } from '@holdfast/base/defined';
import { activityTable } from '@holdfast/vocabulary/activity-table';
import type { ActivityName, InputOf, OutputOf } from '@holdfast/vocabulary/activity-table';
import type { ToolCallInput } from '@holdfast/vocabulary/activity-contracts';
import type { AgentSettings } from '@holdfast/vocabulary/agent-spec';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import type { Session } from '../core/session/session.ts';

// the default, TRY_CANCEL, loses what a stopped body returns; the stopper bounds the wait
const cancellationType = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED;

/** Added to the tool's own timeout, which its body enforces: Temporal's is for bodies that cannot. */
const toolMarginMs = 5_000;

/** Deviations of one call from its row; `session` is the one that schedules it. */
export type Scheduling = {
  session?: Session;
  limitMs?: number | undefined;
  taskQueue?: string | undefined;
  summary?: string;
};

/** Schedules an activity by its row of the table. */
export function schedule<Name extends ActivityName>(
  name: Name,
  input: InputOf<Name>,
  how: Scheduling = {},
): Promise<OutputOf<Name>> {
  const { activity = name } = activityTable[name];
  return scheduleActivity<OutputOf<Name>>(activity, [input], optionsOf(name, input, how));
}

export function optionsOf<Name extends ActivityName>(
  name: Name,
  input: InputOf<Name>,
  { session, limitMs, taskQueue, summary }: Scheduling = {},
): ActivityOptions {
  const policy = activityTable[name];
  const { attempts, firstMs, everyMs, heartbeatMs } = policy;
  const ofAgent = session?.settings.loop.heartbeatTimeoutMs;
  return {
    startToCloseTimeout: limitMs ?? policy.limitMs,
    retry: { initialInterval: firstMs, maximumInterval: everyMs, maximumAttempts: attempts },
    summary: (summary ?? policy.summary(input, session?.state.context)).slice(0, 200),
    ...defined({
      taskQueue,
      activityId: policy.activityId?.(input),
      scheduleToCloseTimeout: policy.totalMs,
      heartbeatTimeout: heartbeatMs === 'agent' ? ofAgent : heartbeatMs === 'none' ? undefined : heartbeatMs,
      scheduleToStartTimeout: policy.needs === 'host' ? hostStartTimeout : undefined,
      cancellationType: policy.waits && cancellationType,
    }),
  };
}

/** A host either has a worker that polls or is missing: the call does not wait for one. */
export const hostStartTimeout = '5s';

/** Added for a task that was handed back: eager dispatch would offer it to the same worker again. */
export const handedBackOptions: ActivityOptions = { allowEagerDispatch: false };

/** Schedules the body of a tool, or the one that finds out about a lost call. */
export function scheduleTool(
  name: `tool.${string}` | `reconcile.${string}`,
  input: ToolCallInput,
  options: ActivityOptions,
): Promise<ToolCallResult> {
  return scheduleActivity<ToolCallResult>(name, [input], options);
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
    ...defined({
      taskQueue: spec.taskQueue,
      scheduleToStartTimeout: spec.taskQueue === undefined ? undefined : scheduleToStartTimeout,
    }),
    cancellationType,
    summary,
  };
}
