// The events of a session as a stream that can resume after any sequence number. Woken by the history long-poll, which
// costs the session nothing; sends at most four queries a second, so that watchers do not slow a run. Runs in the
// caller's process.
import { defined } from '@holdfast/base/defined';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { ClientError, type ClientErrorCode, unansweredCodes } from './client-error.ts';
import type { AgentEvent, EventPage } from '@holdfast/vocabulary/events';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';

export type WatchItem =
  | { type: 'event'; event: AgentEvent }
  /** Events fromSeq..toSeq have left the ring; the snapshot has the state instead. */
  | { type: 'gap'; fromSeq: number; toSeq: number; snapshot: Snapshot }
  /**
   * No answer; sent once for each outage while the stream retries, and again if the cause changes or the session
   * closes: the remaining events may then wait for a worker that has no other reason to start.
   */
  | { type: 'unanswered'; code: ClientErrorCode; message: string; closed: boolean };

export type EventSources = {
  getEvents(afterSeq: number): Promise<EventPage>;
  snapshot(): Promise<Snapshot>;
  /** Resolves when the session has closed. */
  watch(onChange: () => void, signal: AbortSignal): Promise<void>;
};

const queryEveryMs = 250;
/** Nobody answers now; a later try may be answered. */
export const outages: ReadonlySet<ClientErrorCode> = new Set([...unansweredCodes, 'ServerUnreachable']);

/** Ends after the last event of a closed session, or on abort. Throws a ClientError if a retry cannot help. */
export async function* streamEvents(
  sources: EventSources,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<WatchItem, void, undefined> {
  const done = new AbortController();
  const stop = AbortSignal.any([signal, done.signal]);
  const bell = createBell();
  let closed = false;
  const watching = sources.watch(bell.ring, stop).then(() => {
    closed = true;
    bell.ring();
  });
  const ask = createPacer(stop, () => closed);
  let lastSeq = afterSeq;
  try {
    for (;;) {
      // read before the query: a session that closes later rings again
      const final = closed;
      bell.reset();
      const answer = yield* ask(() => sources.getEvents(lastSeq));
      if (answer === undefined) return;
      if (answer.truncated && answer.firstSeq > lastSeq + 1) {
        const snapshot = yield* ask(() => sources.snapshot());
        if (snapshot === undefined) return;
        yield { type: 'gap', fromSeq: lastSeq + 1, toSeq: answer.firstSeq - 1, snapshot };
      }
      for (const event of answer.events) yield { type: 'event', event };
      lastSeq = answer.events.at(-1)?.seq ?? lastSeq;
      if (lastSeq < answer.lastSeq) continue;
      if (final) return;
      await bell.heard(stop);
      if (stop.aborted) return;
    }
  } finally {
    done.abort();
    await watching;
  }
}

/** Allows four queries a second, and waits after an outage; undefined on abort. */
function createPacer(signal: AbortSignal, isClosed: () => boolean) {
  let askedAt = -queryEveryMs;
  return async function* ask<T>(
    query: () => Promise<T>,
  ): AsyncGenerator<WatchItem, T | undefined, undefined> {
    const said = new Set<string>();
    for (;;) {
      const ms = Math.max(0, askedAt + queryEveryMs - performance.now());
      await sleep(ms, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return undefined;
      askedAt = performance.now();
      try {
        return await orAborted(query(), signal);
      } catch (error) {
        if (!(error instanceof ClientError) || !outages.has(error.code)) throw error;
        const closed = isClosed();
        const news = `${error.code}/${closed}`;
        if (!said.has(news)) yield { type: 'unanswered', code: error.code, message: error.message, closed };
        said.add(news);
      }
    }
  };
}

/** A bell that remembers a ring. */
function createBell(): { ring(): void; reset(): void; heard(signal: AbortSignal): Promise<void> } {
  let rung = Promise.withResolvers<void>();
  return {
    ring: () => rung.resolve(),
    reset: () => {
      rung = Promise.withResolvers<void>();
    },
    heard: (signal) => orAborted(rung.promise, signal),
  };
}

/** Undefined on abort: an answer may take seconds to fail, and is no longer needed. */
async function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const stop = (): void => aborted.resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([answer, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

type PollAnswer = Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistory']>>;
type HistoryEvent = NonNullable<NonNullable<PollAnswer['history']>['events']>[number];

export type HistoryWatch = {
  sessionId: string;
  signal: AbortSignal;
  /** Called after each new part of the history. */
  onChange(): void;
};

/** The server answers an empty page after about 20 s. */
const pollDeadlineMs = 70_000;
const retryMs = 500;

/** Resolves when the last run of the session has closed, or on abort. Waits for an unreachable server. */
export async function watchHistory(client: Client, watch: HistoryWatch): Promise<void> {
  let workflowRunId: string | undefined;
  for (;;) {
    const next = await watchRun(client, watch, workflowRunId);
    watch.onChange();
    if (next === undefined) return;
    workflowRunId = next;
  }
}

/** The id of the following run; undefined if there is none. */
async function watchRun(
  client: Client,
  watch: HistoryWatch,
  runId: string | undefined,
): Promise<string | undefined> {
  const { connection, workflowService } = client;
  let token: Uint8Array | null | undefined;
  while (!watch.signal.aborted) {
    const answer = await connection
      .withAbortSignal(watch.signal, () =>
        connection.withDeadline(Date.now() + pollDeadlineMs, () =>
          workflowService.getWorkflowExecutionHistory({
            namespace: client.options.namespace,
            execution: defined({ workflowId: watch.sessionId, runId }),
            waitNewEvent: true,
            skipArchival: true,
            maximumPageSize: 1_000,
            nextPageToken: token ?? null,
          }),
        ),
      )
      .catch(() => undefined);
    if (answer === undefined) {
      // the query tells an unknown session from an unreachable server
      await sleep(retryMs, undefined, { signal: watch.signal }).catch(() => undefined);
      continue;
    }
    const events = answer.history?.events ?? [];
    const end = endOf(events.at(-1));
    if (end) return ('newExecutionRunId' in end && end.newExecutionRunId) || undefined;
    if (events.length > 0) watch.onChange();
    token = answer.nextPageToken && answer.nextPageToken.length > 0 ? answer.nextPageToken : undefined;
  }
  return undefined;
}

/** Attributes of an event that ends a run. */
function endOf(event: HistoryEvent | undefined) {
  return (
    event?.workflowExecutionCompletedEventAttributes ??
    event?.workflowExecutionFailedEventAttributes ??
    event?.workflowExecutionTimedOutEventAttributes ??
    event?.workflowExecutionCanceledEventAttributes ??
    event?.workflowExecutionTerminatedEventAttributes ??
    event?.workflowExecutionContinuedAsNewEventAttributes
  );
}
