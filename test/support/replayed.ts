// Replays the histories of executions on Temporal's server against the code of this checkout. Knows no test runner.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { getWorkflowBundle } from '../../src/worker/workflow-bundle.ts';
import type { History } from './session-history.ts';

/** Of the ids of sessions that a test breaks on purpose. */
export const brokenPrefix = 'broken-';

export type Execution = { workflowId: string; runId?: string };
export type Replayed = { count: number; misfits: string[] };

/** One line for each execution with which no worker could go on. Encrypted ones are left out. */
export async function replayExecutions(
  client: Client,
  executions: Iterable<Execution> | AsyncIterable<Execution>,
): Promise<Replayed> {
  let count = 0;
  const misfits: string[] = [];
  const workflowBundle = await getWorkflowBundle();
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle },
    fetchAll(client, executions),
  )) {
    count++;
    if (error) misfits.push(`${workflowId}: ${error.message}`);
  }
  return { count, misfits };
}

async function* fetchAll(client: Client, executions: Iterable<Execution> | AsyncIterable<Execution>) {
  for await (const { workflowId, runId } of executions) {
    try {
      const history: History = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      if (!isEncrypted(history)) yield { workflowId, history };
    } catch (error) {
      // removed since it was listed
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

function isEncrypted({ events }: History): boolean {
  const [input] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const { encoding } = input?.metadata ?? {};
  return encoding !== undefined && Buffer.from(encoding).toString().includes('encrypted');
}
