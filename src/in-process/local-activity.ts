// Calls an activity in this process, with the context that Temporal would give it: attempts, heartbeat details, a
// cancellation signal, and a client that queries the session directly. Runs in Node.
import { type Info, asyncLocalStorage, CancelledFailure, Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { ActivityCancellationDetails, ApplicationFailure, noopMetricMeter } from '@temporalio/common';
import type { Logger } from '@temporalio/common';
import { queryRules } from '../core/session/queries.ts';
import type { Session } from '../core/session/session.ts';

export type LocalCall = {
  session: Session;
  /** Type of the activity. */
  name: string;
  /** Aborted by a stop of the run. */
  signal?: AbortSignal;
  /** Number of attempts. Default 10. */
  maximumAttempts?: number;
  /** Limit for one attempt. Default 10 minutes. */
  startToCloseTimeoutMs?: number;
};

/**
 * Repeats retryable failures at once: there is no timer, and the model's ledger counts its waits as if they had been
 * made. Rejects with the failure of the last attempt.
 */
export async function runLocally<T>(call: LocalCall, body: () => Promise<T>): Promise<T> {
  const { maximumAttempts = 10 } = call;
  let heartbeatDetails: unknown;
  for (let attempt = 1; ; attempt++) {
    const beat = (details: unknown): void => void (heartbeatDetails = details);
    try {
      return await asyncLocalStorage.run(contextOf(call, { attempt, heartbeatDetails, beat }), body);
    } catch (error) {
      const isFinal = error instanceof ApplicationFailure && error.nonRetryable === true;
      if (isFinal || attempt >= maximumAttempts || call.signal?.aborted) throw error;
      // lets other work run between the attempts
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

type Attempt = { attempt: number; heartbeatDetails: unknown; beat: (details: unknown) => void };

function contextOf(call: LocalCall, { attempt, heartbeatDetails, beat }: Attempt): Context {
  const { session, signal = new AbortController().signal } = call;
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  cancelled.catch(() => undefined);
  const stopped: { details?: ActivityCancellationDetails } = {};
  const stop = (): void => {
    stopped.details = new ActivityCancellationDetails({ cancelRequested: true });
    reject(new CancelledFailure('The run was stopped.'));
  };
  // must be the first listener of the stop
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  const info = infoOf(call, attempt, heartbeatDetails);
  return new Context(info, cancelled, signal, beat, clientOf(session), silent, noopMetricMeter, stopped);
}

function infoOf(call: LocalCall, attempt: number, heartbeatDetails: unknown): Info {
  const { session, name, startToCloseTimeoutMs = 600_000 } = call;
  const now = session.now();
  return {
    taskToken: new Uint8Array(),
    base64TaskToken: '',
    activityId: name,
    activityType: name,
    attempt,
    activityNamespace: 'memory',
    workflowNamespace: 'memory',
    namespace: 'memory',
    taskQueue: 'memory',
    isLocal: true,
    inWorkflow: true,
    workflowType: 'agentSession',
    workflowExecution: { workflowId: session.id, runId: session.executionId },
    scheduledTimestampMs: now,
    currentAttemptScheduledTimestampMs: now,
    scheduleToCloseTimeoutMs: 0,
    startToCloseTimeoutMs,
    heartbeatDetails,
  };
}

/** The part of a client that activities use: queries to their own session, and a heartbeat that is always answered. */
function clientOf(session: Session): Client {
  const table: Partial<Record<string, (session: Session, ...args: never[]) => unknown>> = queryRules;
  const query = async (name: string, ...args: never[]): Promise<unknown> => {
    const answer = table[name];
    if (!answer) throw new Error(`No query ${name}`);
    // plain data, as over the wire
    return JSON.parse(JSON.stringify(answer(session, ...args) ?? null));
  };
  const client = {
    workflow: { getHandle: () => ({ query }) },
    // the session is in this process and already counts on the attempt
    activity: { heartbeat: () => Promise.resolve() },
    withDeadline: <T>(_: number, work: () => Promise<T>) => work(),
  };
  return client as unknown as Client;
}

const silent: Logger = {
  log: () => undefined,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
