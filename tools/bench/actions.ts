// Actions of sessions, as Temporal Cloud bills them: counted from histories, and heartbeats from the metrics of the worker.
// Reads only.
import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { executionsOf } from './history-chain.ts';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** Every execution of a chain: each start, activity attempt, signal, update, timer, child and upsert of search attributes. */
export async function actionsOf(client: Client, workflowId: string): Promise<number> {
  let actions = 0;
  for (const runId of await executionsOf(client, workflowId)) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const event of events ?? []) actions += actionsOfEvent(event);
  }
  return actions;
}

function actionsOfEvent(event: HistoryEvent): number {
  // the attempts before it are in no event of their own
  if (event.activityTaskStartedEventAttributes) return event.activityTaskStartedEventAttributes.attempt ?? 1;
  const isOne =
    event.workflowExecutionStartedEventAttributes ??
    event.workflowExecutionSignaledEventAttributes ??
    event.workflowExecutionUpdateAcceptedEventAttributes ??
    event.timerStartedEventAttributes ??
    event.startChildWorkflowExecutionInitiatedEventAttributes ??
    event.signalExternalWorkflowExecutionInitiatedEventAttributes ??
    event.upsertWorkflowSearchAttributesEventAttributes;
  return isOne ? 1 : 0;
}

/** Heartbeats that workers of this process have sent to the server, from their metrics at `address`. */
export async function heartbeatsSoFar(address: string): Promise<number> {
  const text = await (await fetch(`http://${address}/metrics`)).text();
  const counts = text.matchAll(
    /^temporal_request(?:_total)?\{[^}]*operation="RecordActivityTaskHeartbeat"[^}]*\} (\d+)/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
