// What is written and printed in a session right now, out of the heartbeats that `describe` shows: for watchers in
// another process than the worker. About a second old; needs no worker and costs no history.
import type { Client } from '@temporalio/client';
import { type PendingActivity, type Retry, toRetries } from './retries.ts';
import { type RunningCall, toRunningCalls } from './running-calls.ts';

/** The newest 2 KiB of the text of a model call in flight. */
export type ModelBeat = { turn: number; attempt: number; text: string; runId: string; messageSeq: number };
/** The newest 2 KiB of the output of a tool in flight. */
export type ToolBeat = {
  runId: string;
  turn: number;
  callId: string;
  tool: string;
  attempt: number;
  text: string;
};
export type Beats = {
  model: ModelBeat[];
  tools: ToolBeat[];
  retries: Retry[];
  running: RunningCall[];
  /** Of the model call in flight, known also before its first heartbeat. */
  modelAttempt?: number;
};

/** Of all calls in flight that have beaten. */
export async function readBeats(client: Client, sessionId: string): Promise<Beats> {
  const { raw } = await client.workflow.getHandle(sessionId).describe();
  const pending = raw.pendingActivities ?? [];
  const modelCall = pending.find(({ activityType }) => activityType?.name === 'callModel');
  return {
    ...(modelCall?.attempt ? { modelAttempt: modelCall.attempt } : {}),
    retries: toRetries(pending),
    running: toRunningCalls(pending),
    model: pending.flatMap((activity) =>
      activity.activityType?.name === 'callModel' ? toModelBeat(readDetails(activity)) : [],
    ),
    tools: pending.flatMap((activity) => {
      const [, tool] = /^tool\.(.+)$/s.exec(activity.activityType?.name ?? '') ?? [];
      return tool === undefined ? [] : toToolBeat(readDetails(activity), tool);
    }),
  };
}

type Details = Record<string, unknown>;

function readDetails(activity: PendingActivity): Details {
  const data = activity.heartbeatDetails?.payloads?.[0]?.data;
  if (!data) return {};
  try {
    const details: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
    return isDetails(details) ? details : {};
  } catch {
    return {};
  }
}

function isDetails(value: unknown): value is Details {
  return typeof value === 'object' && value !== null;
}

function toModelBeat({ turn, attempt, partial, runId = '', messageSeq = 0 }: Details): ModelBeat[] {
  if (typeof turn !== 'number' || typeof attempt !== 'number' || typeof partial !== 'string') return [];
  if (typeof runId !== 'string' || typeof messageSeq !== 'number') return [];
  return [{ turn, attempt, text: partial, runId, messageSeq }];
}

function toToolBeat({ runId, turn, callId, attempt, partial }: Details, tool: string): ToolBeat[] {
  if (typeof callId !== 'string' || typeof attempt !== 'number' || typeof partial !== 'string') return [];
  if (typeof runId !== 'string' || typeof turn !== 'number') return [];
  return [{ runId, turn, callId, tool, attempt, text: partial }];
}
