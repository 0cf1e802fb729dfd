// Replays the histories of executions on Temporal's server against the code of this checkout.
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { getWorkflowBundle } from '../../src/worker/workflow-bundle.ts';

export type Execution = { workflowId: string; runId?: string };

/** What no worker could go on with: one line for each execution. */
export async function misfits(client: Client, executions: readonly Execution[]): Promise<string[]> {
  async function* histories() {
    for (const { workflowId, runId } of executions)
      yield { workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
  }
  const found: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle: await getWorkflowBundle() },
    histories(),
  ))
    if (error) found.push(`${workflowId}: ${error.message}`);
  return found;
}
