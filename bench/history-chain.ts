// What a session's history weighs, over every execution that continue-as-new joined. Reads the server only.
import type { Client } from '@temporalio/client';

export type HistoryWeight = { events: number; bytes: number; executions: number };

/** Sums of the chain as the server counts them, from the execution that is open or ended last back to the first. */
export async function weighHistory(client: Client, workflowId: string): Promise<HistoryWeight> {
  const weight = { events: 0, bytes: 0, executions: 0 };
  const last = await client.workflow.getHandle(workflowId).describe();
  for (
    let runId: string | undefined = last.runId;
    runId;
    runId = await runBefore(client, workflowId, runId)
  ) {
    const { historyLength, historySize } = await client.workflow.getHandle(workflowId, runId).describe();
    weight.events += historyLength;
    weight.bytes += historySize ?? 0;
    weight.executions += 1;
  }
  return weight;
}

async function runBefore(client: Client, workflowId: string, runId: string): Promise<string | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  });
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  return started?.continuedExecutionRunId || undefined;
}
