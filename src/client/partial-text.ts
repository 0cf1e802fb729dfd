// The newest text of a model call in flight, out of the heartbeat that `describe` shows: for watchers in another
// process than the worker. About a second old; needs no worker and costs no history.
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';

export type Partial = { turn: number; attempt: number; text: string };

/** Undefined while no model call has beaten yet. */
export async function readPartial(client: Client, sessionId: string): Promise<Partial | undefined> {
  const description = await client.workflow.getHandle(sessionId).describe();
  const pending = (description.raw.pendingActivities ?? []).find(
    ({ activityType }) => activityType?.name === 'callModel',
  );
  return pending && toPartial(readDetails(pending));
}

type PendingActivity = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number];

function readDetails(activity: PendingActivity): unknown {
  const data = activity.heartbeatDetails?.payloads?.[0]?.data;
  if (!data) return undefined;
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'));
  } catch {
    return undefined;
  }
}

function toPartial(details: unknown): Partial | undefined {
  if (typeof details !== 'object' || details === null) return undefined;
  const { turn, attempt, partial } = details as { turn?: unknown; attempt?: unknown; partial?: unknown };
  if (typeof turn !== 'number' || typeof attempt !== 'number' || typeof partial !== 'string')
    return undefined;
  return { turn, attempt, text: partial };
}
