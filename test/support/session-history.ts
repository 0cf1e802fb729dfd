// Reads Temporal's histories of a session: every execution of its chain, and what stands in them.
import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

export type History = temporal.api.history.v1.IHistory;
export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** The histories of a session, oldest execution first. */
export async function readChain(client: Client, workflowId: string, firstRunId: string): Promise<History[]> {
  const chain: History[] = [];
  for (let runId: string | undefined = firstRunId; runId !== undefined;) {
    const history: History = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    chain.push(history);
    const last = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes;
    runId = last?.newExecutionRunId ?? undefined;
  }
  return chain;
}

export function eventsOf(chain: History[]): HistoryEvent[] {
  return chain.flatMap(({ events }) => events ?? []);
}

/** First arguments of the signals of this name, in the server's order. */
export function signalsOf(events: HistoryEvent[], name: string): unknown[] {
  return events.flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
    signal?.signalName === name ? [fromPayload(signal.input?.payloads?.[0]?.data)] : [],
  );
}

/** Inputs of the activities of this type, in the order they were scheduled. */
export function activityInputs(events: HistoryEvent[], type: string): unknown[] {
  return events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name === type ? [fromPayload(scheduled.input?.payloads?.[0]?.data)] : [],
  );
}

function fromPayload(data: Uint8Array | null | undefined): unknown {
  return data ? JSON.parse(Buffer.from(data).toString('utf8')) : undefined;
}

/** Every byte string of a history: its payloads, and what else is bytes. */
export function bytesIn(value: unknown): Uint8Array[] {
  if (value instanceof Uint8Array) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(bytesIn) : [];
}
