// The activities of a session that are in flight on the server, from `describe`: needs no worker and leaves no trace in
// the history. For the demo that kills workers in the middle of them.
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { defined } from '@holdfast/base/defined';

export type PendingCall = {
  /** The same for every attempt. */
  id: string;
  /** `callModel`, `tool.grep`, ... */
  type: string;
  attempt: number;
  /** True if it runs on a worker, as far as the server knows. */
  started: boolean;
  /** The last heartbeat of this attempt; empty before the first. */
  heartbeat: { turn?: number; callId?: string; partial?: string };
};

/** PENDING_ACTIVITY_STATE_STARTED on the wire. */
const startedState = 2;

/** Empty once the session has ended. */
export async function readPendingActivities(client: Client, sessionId: string): Promise<PendingCall[]> {
  const description = await client.workflow.getHandle(sessionId).describe();
  return (description.raw.pendingActivities ?? []).map(toPendingActivity);
}

type Raw = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number];

function toPendingActivity(raw: Raw): PendingCall {
  const attempt = raw.attempt ?? 1;
  return {
    id: raw.activityId ?? '',
    type: raw.activityType?.name ?? '',
    attempt,
    started: raw.state === startedState,
    heartbeat: readHeartbeat(raw, attempt),
  };
}

/** The server keeps an earlier attempt's heartbeat until the next one beats; only this attempt's counts. */
function readHeartbeat(raw: Raw, attempt: number): PendingCall['heartbeat'] {
  const data = raw.heartbeatDetails?.payloads?.[0]?.data;
  if (!data) return {};
  const details: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
  if (typeof details !== 'object' || details === null || Reflect.get(details, 'attempt') !== attempt)
    return {};
  const [turn, callId, partial] = ['turn', 'callId', 'partial'].map((key): unknown =>
    Reflect.get(details, key),
  );
  return defined({
    turn: typeof turn === 'number' ? turn : undefined,
    callId: typeof callId === 'string' ? callId : undefined,
    partial: typeof partial === 'string' ? partial : undefined,
  });
}
