// The calls of a session in flight, as `describe` shows them: running calls, calls being retried, and the text and
// output in their heartbeats, also as live events. At most about a second old; needs no worker and costs no history.
// Runs in the caller's process.
import { defined } from '@holdfast/base/defined';
import { parseJson, isRecord, isText } from '@holdfast/base/json';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { type PendingActivity, isStarted, toMs } from '../common/signs-of-life.ts';
import { type LiveSource, type LiveEvent, noteReaderEveryMs } from '@holdfast/vocabulary/session-events';
import type { Payload } from '@temporalio/common';

const beatFields = { turn: z.number(), attempt: z.number(), partial: z.string() };
const modelBeatSchema = z
  .object({
    ...beatFields,
    partialFrom: z.number().default(0),
    runId: z.string().default(''),
    messageSeq: z.number().default(0),
  })
  .transform(({ partial: text, partialFrom: from, ...beat }) => ({ ...beat, text, from }));
/** The newest 32 KiB of the text of a model call in flight; `from` is the length of the text before them. */
export type ModelBeat = z.output<typeof modelBeatSchema>;

/** The newest 16,384 characters of the output of a tool in flight. */
const toolBeatSchema = z
  .object({ ...beatFields, runId: z.string(), callId: z.string() })
  .transform(({ partial: text, ...beat }) => ({ ...beat, text }));

/** A call that a worker is running, with its last sign of life. */
export type RunningCall = {
  /** `callModel`, `tool.<name>`, or the name of another activity. */
  call: string;
  attempt: number;
  /** Identity of the worker: process, host and start. */
  worker: string;
  /** Start or last heartbeat of this attempt, by the server's clock (ms since the epoch). */
  aliveAt: number;
  /** Time in ms without a heartbeat after which the attempt counts as lost. */
  heartbeatTimeoutMs: number;
};

/** A failed call that Temporal retries: no event reports it before it has ended. */
export type Retry = {
  /** `callModel`, `tool.<name>`, or the name of another activity. */
  call: string;
  /** Number of the next or current attempt; the first is 1. */
  attempt: number;
  /** Failure of the previous attempt. */
  message: string;
  /** Start of the next attempt (ms since the epoch); absent once it is due. */
  nextAt?: number;
  /** The attempt is due, and no worker has taken it yet. */
  waits?: true;
};

export type Beats = Awaited<ReturnType<typeof readBeats>>;

/** PENDING_ACTIVITY_STATE_SCHEDULED on the wire: scheduled for later, or due and not taken. */
const scheduledState = 1;

/** All calls in flight; the text of those with a heartbeat. */
export async function readBeats(client: Client, sessionId: string) {
  const pending = await readPending(client.workflow.getHandle(sessionId));
  const modelCall = pending.find((activity) => callOf(activity) === 'callModel');
  return {
    /** Attempt of the model call in flight, known before its first heartbeat. */
    ...defined({ modelAttempt: modelCall?.attempt || undefined }),
    retries: toRetries(pending),
    running: toRunningCalls(pending),
    model: pending.flatMap((activity) =>
      callOf(activity) === 'callModel' ? (modelBeatSchema.safeParse(detailsOf(activity)).data ?? []) : [],
    ),
    tools: pending.flatMap((activity) => {
      const [, tool] = /^tool\.(.+)$/s.exec(callOf(activity)) ?? [];
      const beat = toolBeatSchema.safeParse(detailsOf(activity)).data;
      return tool === undefined || beat === undefined ? [] : [{ ...beat, tool }];
    }),
  };
}

export function toRetries(pending: readonly PendingActivity[], now = Date.now()): Retry[] {
  return pending.flatMap((activity) => {
    const { attempt, lastFailure, state, nextAttemptScheduleTime: next } = activity;
    const call = callOf(activity);
    // a wait for a fit worker fails by design until it ends; the session reports it
    if (!lastFailure || !attempt || attempt < 2 || call === 'awaitWorker') return [];
    const nextAt = next && Math.round(toMs(next));
    const retry = { call, attempt, message: lastFailure.message ?? '' };
    if (nextAt && nextAt > now) return [{ ...retry, nextAt }];
    return [state === scheduledState ? { ...retry, waits: true } : retry];
  });
}

function toRunningCalls(pending: readonly PendingActivity[]): RunningCall[] {
  return pending.flatMap((activity) => {
    const { attempt, lastWorkerIdentity: worker, activityOptions } = activity;
    const heartbeatTimeoutMs = toMs(activityOptions?.heartbeatTimeout);
    if (!isStarted(activity.state) || !worker || heartbeatTimeoutMs === 0) return [];
    const aliveAt = Math.max(toMs(activity.lastStartedTime), toMs(activity.lastHeartbeatTime));
    return [{ call: callOf(activity), attempt: attempt ?? 1, worker, aliveAt, heartbeatTimeoutMs }];
  });
}

function callOf({ activityType }: PendingActivity): string {
  return activityType?.name ?? '';
}

/** As the activity has sent them. */
function detailsOf(activity: PendingActivity): unknown {
  const data = activity.heartbeatDetails?.payloads?.[0]?.data;
  return data && parseJson(Buffer.from(data).toString('utf8'));
}

const pollEveryMs = 1_000;
/** While text comes, and some seconds after; the worker that holds the session then beats as often. */
const pollTextEveryMs = 250;
const silentAfterMs = 3_000;

/**
 * `read` may fail: live text is optional, and the event stream reports problems. `note` tells the session's worker that
 * somebody reads.
 */
export function createPolledLive(
  sessionId: string,
  { read, note }: { read(): Promise<Beats>; note(): Promise<unknown> },
): LiveSource {
  const stop = new AbortController();
  const pieces = createPieces(sessionId);
  let notedAt = -Infinity;
  let heardAt = -Infinity;
  return {
    droppedCount: 0,
    close: () => stop.abort(),
    async *[Symbol.asyncIterator]() {
      while (!stop.signal.aborted) {
        const beats = await read().catch((): Pick<Beats, 'model' | 'tools'> => ({ model: [], tools: [] }));
        const heard = pieces(beats);
        yield* heard;
        const now = performance.now();
        const inFlight = beats.model.length + beats.tools.length > 0;
        if (inFlight && now - notedAt >= noteReaderEveryMs) {
          notedAt = now;
          void note().catch(() => undefined); // then the steps are those of a second
        }
        if (heard.length > 0) heardAt = now;
        const pauseMs = now - heardAt > silentAfterMs ? pollEveryMs : pollTextEveryMs;
        await sleep(pauseMs, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    },
  };
}

/** Undefined if a part between both was missed, or the text began anew. */
function addedText(before: ModelBeat, now: ModelBeat): string | undefined {
  const known = before.from + before.text.length - now.from;
  const continues = known >= 0 && before.text.endsWith(now.text.slice(0, known)) && now.text.length >= known;
  return continues ? now.text.slice(known) : undefined;
}

/**
 * The text that each poll adds to the previous one. If a middle part was missed, the text restarts with its newest
 * part.
 */
export function createPieces(sessionId: string): (beats: Pick<Beats, 'model' | 'tools'>) => LiveEvent[] {
  let shown: ModelBeat = { runId: '', turn: 0, messageSeq: 0, attempt: 0, text: '', from: 0 };
  let seq = 0;
  const outputs = new Map<string, string>();

  function ofModel(beat: ModelBeat): LiveEvent[] {
    const { runId, turn, messageSeq, attempt, text } = beat;
    const same = messageSeq === shown.messageSeq && attempt === shown.attempt;
    if (!same) seq = 0;
    const added = same ? addedText(shown, beat) : text;
    shown = beat;
    const head = () => ({ sessionId, runId, turn, attempt, seq: (seq += 1), messageSeq });
    const piece = (words: string): LiveEvent[] =>
      words === '' ? [] : [{ ...head(), type: 'delta', delta: { type: 'text', text: words } }];
    return added === undefined ? [{ ...head(), type: 'reset' }, ...piece(text)] : piece(added);
  }

  return ({ model, tools }) => [
    ...model.flatMap(ofModel),
    ...tools.flatMap(({ runId, turn, callId, tool, attempt, text }): LiveEvent[] => {
      const key = `${callId}/${attempt}`;
      if (outputs.get(key) === text) return [];
      outputs.set(key, text);
      seq += 1;
      return [{ sessionId, runId, turn, attempt, seq, type: 'tool_partial', callId, tool, text }];
    }),
  ];
}

/** Decodes the heartbeats and failures, which the SDK leaves encoded. Rejects with a CodecError if this process lacks the key. */
export async function readPending(handle: WorkflowHandle): Promise<PendingActivity[]> {
  const { pendingActivities } = (await handle.describe()).raw;
  const codecs = handle.client.options.loadedDataConverter.payloadCodecs;
  const decode = async (payloads: Payload[]): Promise<Payload[]> => {
    let decoded = payloads;
    for (const codec of codecs.toReversed()) decoded = await codec.decode(decoded);
    return decoded;
  };
  return Promise.all(
    (pendingActivities ?? []).map(
      async ({ heartbeatDetails: details, lastFailure, ...activity }): Promise<PendingActivity> =>
        defined({
          ...activity,
          heartbeatDetails: details ? { payloads: await decode(details.payloads ?? []) } : undefined,
          lastFailure: lastFailure
            ? { ...lastFailure, message: await decodedMessage(lastFailure, decode) }
            : undefined,
        }),
    ),
  );
}

type Failure = NonNullable<PendingActivity['lastFailure']>;

/** With encryption, the message of a failure is in a payload of its own. */
async function decodedMessage(
  { message, encodedAttributes }: Failure,
  decode: (payloads: Payload[]) => Promise<Payload[]>,
): Promise<string> {
  const [payload] = encodedAttributes ? await decode([encodedAttributes]) : [];
  if (!payload?.data) return message ?? '';
  const attributes: unknown = JSON.parse(Buffer.from(payload.data).toString('utf8'));
  return isRecord(attributes) && isText(attributes['message']) ? attributes['message'] : (message ?? '');
}
