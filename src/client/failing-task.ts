// A workflow task that fails again and again: the session does nothing until a worker with other code takes it, or somebody
// rescues it. Asks only the server. Runs in the caller's process.
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { counted } from '@holdfast/base/words';

export type FailingTask = {
  /** Failures of the task so far. */
  attempts: number;
  /** Why, in the words of the worker's SDK, if the newest events of the history say it. */
  reason?: string;
};

/** Once may be the end of a worker. */
const leastFailures = 2;
/** The server writes the first failure of a task down, and messages may follow it. */
const newestEvents = 100;

/** Undefined if the task goes on, or if no task is under way. */
export function failingTask({ raw }: Pick<WorkflowExecutionDescription, 'raw'>): FailingTask | undefined {
  const attempts = Number(raw.pendingWorkflowTask?.attempt ?? 1) - 1;
  return attempts < leastFailures ? undefined : { attempts };
}

/** The same, with the reason. */
export async function readFailingTask(
  client: Client,
  description: Pick<WorkflowExecutionDescription, 'raw' | 'workflowId' | 'runId'>,
): Promise<FailingTask | undefined> {
  const failing = failingTask(description);
  if (failing === undefined) return undefined;
  const { workflowId, runId } = description;
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: newestEvents,
  });
  for (const { workflowTaskFailedEventAttributes: failed } of history?.events ?? [])
    if (failed?.failure?.message) return { ...failing, reason: failed.failure.message };
  return failing;
}

/** E.g. `its workflow task has failed 12 times: Nondeterminism error`. */
export function describeFailingTask({ attempts, reason }: FailingTask): string {
  return `its workflow task has failed ${counted(attempts, 'time')}${reason === undefined ? '' : `: ${reason}`}`;
}
