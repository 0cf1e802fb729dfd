// What a session's history weighs, over every execution that continue-as-new joined. Reads the server only.
import type { Client } from '@temporalio/client';

export type HistoryWeight = {
  events: number;
  bytes: number;
  executions: number;
  /** Input of the newest execution: all that the one before handed to it. */
  carriedBytes: number;
};

/** Sums of the chain as the server counts them, from the execution that is open or ended last back to the first. */
export async function weighHistory(client: Client, workflowId: string): Promise<HistoryWeight> {
  const weight: HistoryWeight = { events: 0, bytes: 0, executions: 0, carriedBytes: 0 };
  const last = await client.workflow.getHandle(workflowId).describe();
  for (let runId: string | undefined = last.runId; runId;) {
    const { historyLength, historySize } = await client.workflow.getHandle(workflowId, runId).describe();
    const { before, inputBytes } = await readStart(client, workflowId, runId);
    weight.events += historyLength;
    weight.bytes += historySize ?? 0;
    weight.executions += 1;
    if (runId === last.runId) weight.carriedBytes = inputBytes;
    runId = before;
  }
  return weight;
}

async function readStart(client: Client, workflowId: string, runId: string) {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  });
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  const payloads = started?.input?.payloads ?? [];
  return {
    before: started?.continuedExecutionRunId || undefined,
    inputBytes: payloads.reduce((sum, { data }) => sum + (data?.length ?? 0), 0),
  };
}
