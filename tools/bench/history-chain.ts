// The size of a session's history, over every execution that continue-as-new joined. Reads the server only.
import type { Client } from '@temporalio/client';

export type HistoryWeight = {
  events: number;
  bytes: number;
  executions: number;
  /** Inputs of all executions but the first, in order: the state that each one received. */
  carriedBytes: number[];
};

/** Sums of the chain, as the server counts them. */
export async function weighHistory(client: Client, workflowId: string): Promise<HistoryWeight> {
  const weight: HistoryWeight = { events: 0, bytes: 0, executions: 0, carriedBytes: [] };
  for (const runId of await executionsOf(client, workflowId)) {
    const { historyLength, historySize } = await client.workflow.getHandle(workflowId, runId).describe();
    weight.events += historyLength;
    weight.bytes += historySize ?? 0;
    if (weight.executions > 0)
      weight.carriedBytes.push((await readStart(client, workflowId, runId)).inputBytes);
    weight.executions += 1;
  }
  return weight;
}

/** Their run ids, from the first to the open or last one. */
export async function executionsOf(client: Client, workflowId: string): Promise<string[]> {
  const runIds: string[] = [];
  const last = await client.workflow.getHandle(workflowId).describe();
  for (let runId: string | undefined = last.runId; runId;) {
    runIds.unshift(runId);
    runId = (await readStart(client, workflowId, runId)).before;
  }
  return runIds;
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
