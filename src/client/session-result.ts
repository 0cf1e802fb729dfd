// Waits for the end of a session or of one of its runs, by history long-poll and queries: no Update stays open. Runs in
// the caller's process.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { runFailed } from '@holdfast/vocabulary/outer-names';
import type { RunResult, SessionResult } from '@holdfast/vocabulary/run-result';
import { readSessionResult } from '@holdfast/vocabulary/run-result.schema';
import { ClientError } from './client-error.ts';
import { outages, type WatchItem } from './session-events.ts';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { readStoredResult } from '@holdfast/stored/stored-session';

const retryMs = 1_000;

/**
 * The result of the session; waits for its end, even while the server is unreachable. Throws a ClientError:
 * UnknownSession, or NoResult if it was cancelled, terminated, or failed as a workflow without a result.
 */
export async function awaitResult(
  client: Client,
  sessionId: string,
  artifacts: ArtifactReader | undefined,
  signal: AbortSignal,
): Promise<SessionResult> {
  for (;;) {
    try {
      const work = (): Promise<unknown> => client.workflow.getHandle(sessionId).result();
      return readSessionResult(await client.connection.withAbortSignal(signal, work));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WorkflowFailedError) return resultOfFailed(sessionId, error);
      if (error instanceof WorkflowNotFoundError) return storedOrUnknown(sessionId, artifacts, error);
      if (!isOutage(error)) throw error;
      await sleep(retryMs, undefined, { signal });
    }
  }
}

type RunSources = {
  events: AsyncIterable<WatchItem>;
  /** Asks a worker; null if the session has no result of this run. */
  getResult(): Promise<RunResult | null>;
  /** That of the newest run, from the artifact store. */
  storedResult(): Promise<RunResult | undefined>;
};

/**
 * The result of one run of a session with keepAlive: reads the events up to its `agent_end`. Waits while no worker answers,
 * as for the end of a session.
 */
export async function awaitRun(
  runId: string,
  { events, ...sources }: RunSources,
  signal: AbortSignal,
): Promise<RunResult> {
  const getResult = () => resultOfRun(runId, sources, signal);
  // the run may have ended before its events were requested, and they may have left the ring
  const early = await getResult();
  if (early) return early;
  for await (const item of events) {
    if (item.type === 'unanswered') {
      const stored = await storedRun(runId, sources);
      if (stored) return stored;
    }
    const ended = item.type === 'event' && item.event.type === 'agent_end' && item.event.runId === runId;
    if (!ended && item.type !== 'gap') continue;
    const result = await getResult();
    if (result) return result;
  }
  throw new ClientError('NoResult', `Run ${runId} has no result: its session closed before it ended.`);
}

async function resultOfRun(
  runId: string,
  sources: Omit<RunSources, 'events'>,
  signal: AbortSignal,
): Promise<RunResult | null> {
  for (;;) {
    try {
      return await sources.getResult();
    } catch (error) {
      if (!(error instanceof ClientError) || !outages.has(error.code)) throw error;
      const stored = await storedRun(runId, sources);
      if (stored) return stored;
      await sleep(retryMs, undefined, { signal });
    }
  }
}

async function storedRun(
  runId: string,
  { storedResult }: Pick<RunSources, 'storedResult'>,
): Promise<RunResult | undefined> {
  const stored = await storedResult().catch(() => undefined);
  return stored?.runId === runId ? stored : undefined;
}

async function storedOrUnknown(
  sessionId: string,
  artifacts: ArtifactReader | undefined,
  cause: unknown,
): Promise<SessionResult> {
  const stored = await readStoredResult(artifacts, sessionId);
  if (stored) return stored;
  throw new ClientError(
    'UnknownSession',
    `No session "${sessionId}" on this server, and no stored result of it. "holdfast list" shows those that there are.`,
    { cause },
  );
}

/** A run that failed ends its session as failed, with its result (throwOnFailure). */
function resultOfFailed(sessionId: string, error: WorkflowFailedError): SessionResult {
  const { cause } = error;
  if (cause instanceof ApplicationFailure && cause.type === runFailed && cause.details?.[0] !== undefined)
    return readSessionResult(cause.details[0]);
  const reason = cause?.message ?? error.message;
  throw new ClientError('NoResult', `Session ${sessionId} ended without a result: ${reason}`, {
    cause: error,
  });
}

/** A gRPC error deserves a retry; any other, such as an invalid result, does not. */
function isOutage(error: unknown): boolean {
  return error instanceof Error && error.name === 'ServiceError';
}
