// The size of a session's history, over all runs of its workflow. Runs in the caller's process.
import type { Client } from '@temporalio/client';

/** Totals over the whole chain of continue-as-new. */
export type HistorySize = { runs: number; events: number; bytes: number };

/** Follows the chain from the first run, because visibility lags behind. */
export async function readHistorySize(client: Client, sessionId: string): Promise<HistorySize> {
  const newest = await client.workflow.getHandle(sessionId).describe();
  const first = newest.raw.workflowExecutionInfo?.firstRunId;
  const size: HistorySize = { runs: 0, events: 0, bytes: 0 };
  for (let runId = first || newest.runId; ;) {
    const info =
      runId === newest.runId ? newest : await client.workflow.getHandle(sessionId, runId).describe();
    size.runs += 1;
    size.events += info.historyLength;
    size.bytes += info.historySize ?? 0;
    if (runId === newest.runId) return size;
    const next = await nextRunOf(client, sessionId, runId);
    if (next === undefined) return size;
    runId = next;
  }
}

async function nextRunOf(client: Client, sessionId: string, runId: string): Promise<string | undefined> {
  const closeEvents = 2; // HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT
  const answer = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: sessionId, runId },
    historyEventFilterType: closeEvents,
    skipArchival: true,
  });
  const event = answer.history?.events?.at(-1);
  return event?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
}
