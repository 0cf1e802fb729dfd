// Every call of the client to a session goes through here: a deadline on each, and one typed error for whatever
// goes wrong. Runs in the caller's process.
import {
  type Client,
  QueryNotRegisteredError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  isGrpcDeadlineError,
  isGrpcServiceError,
} from '@temporalio/client';
import { ApplicationFailure, NamespaceNotFoundError } from '@temporalio/common';
import { ClientError } from './client-error.ts';
import { type ListedWorker, hasEnded } from './liveness.ts';

/** A query needs a worker, which may be replaying a long history first. */
const defaultDeadlineMs = 10_000;
const diagnosisDeadlineMs = 2_000;
/** Kind WORKFLOW of a task queue, on the wire. */
const workflowQueue = 1;
/** gRPC status UNAVAILABLE. */
const unavailable = 14;

export type SessionWork<T> = (handle: WorkflowHandle) => Promise<T>;

export type SessionCaller = {
  /** Runs `work` with a deadline; rejects with a ClientError only. */
  call<T>(sessionId: string, work: SessionWork<T>, deadlineMs?: number): Promise<T>;
  /** The same for an Update: not shortened for impatient callers, because one that is given up may be taken all the same. */
  update<T>(sessionId: string, work: SessionWork<T>): Promise<T>;
  /** The same for work that is about no existing session. */
  callServer<T>(work: () => Promise<T>): Promise<T>;
  /** Workers that the server lists for the queue: also one that has ended, for five minutes. */
  listWorkers(taskQueue: string): Promise<ListedWorker[]>;
  /** Resolves when no call is in flight: each has its deadline. */
  settled(): Promise<void>;
};

export function createSessionCaller(client: Client, answerDeadlineMs = defaultDeadlineMs): SessionCaller {
  const { connection } = client;
  const namespace = client.options.namespace;
  const within = <T>(ms: number, work: () => Promise<T>): Promise<T> =>
    connection.withDeadline(Date.now() + ms, work);

  async function listWorkers(taskQueue: string): Promise<ListedWorker[]> {
    const answer = await within(diagnosisDeadlineMs, () =>
      client.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: taskQueue },
        taskQueueType: workflowQueue,
      }),
    );
    return (answer.pollers ?? []).map(({ identity, lastAccessTime }) => ({
      identity: identity ?? '',
      polledAt: Number(lastAccessTime?.seconds ?? 0) * 1_000,
    }));
  }

  /** Undefined: no such session. */
  async function findQueue(sessionId: string): Promise<{ taskQueue: string; closed: boolean } | undefined> {
    try {
      const found = await within(diagnosisDeadlineMs, () => client.workflow.getHandle(sessionId).describe());
      return { taskQueue: found.taskQueue, closed: found.status.name !== 'RUNNING' };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    }
  }

  /** Says why a call was not answered; asks the server, because a deadline alone tells nothing. */
  async function diagnose(sessionId: string, cause: unknown): Promise<ClientError> {
    const found = await findQueue(sessionId).catch((error: unknown) => serverTrouble(client, error));
    if (found instanceof ClientError) return found;
    if (found === undefined) return unknownSession(sessionId, namespace, cause);
    const { taskQueue, closed } = found;
    // An Update that was not answered in time is with the server, and a worker that comes may still take it.
    const pending = cause instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
    const advice = pending
      ? `It may still be taken: look with "holdfast show ${sessionId}" before you send it again.`
      : 'Try again in a moment.';
    if (closed && cause instanceof WorkflowNotFoundError) return sessionClosed(sessionId, cause);
    const listed = await listWorkers(taskQueue).catch(() => []);
    const now = Date.now();
    if (listed.every((worker) => hasEnded(worker, now))) {
      return new ClientError(
        'NoWorker',
        `No worker is running for session ${sessionId}. "holdfast watch ${sessionId} --worker" starts one and follows it; ` +
          `so does "holdfast worker" for task queue "${taskQueue}".${pending ? ` ${advice}` : ''}`,
        { cause },
      );
    }
    return new ClientError(
      'WorkerBusy',
      `Session ${sessionId} did not answer in time. A worker is listed for its task queue "${taskQueue}": ` +
        `it is busy, replaying, or has just died. ${advice}`,
      { cause },
    );
  }

  async function call<T>(sessionId: string, work: SessionWork<T>, deadlineMs = answerDeadlineMs): Promise<T> {
    try {
      return await within(deadlineMs, () => work(client.workflow.getHandle(sessionId)));
    } catch (error) {
      throw toRefusal(sessionId, error) ?? (await diagnose(sessionId, error));
    }
  }

  async function callServer<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await within(answerDeadlineMs, work);
    } catch (error) {
      throw error instanceof ClientError ? error : serverTrouble(client, error);
    }
  }
  const inFlight = new Set<Promise<unknown>>();
  function track<T>(calling: Promise<T>): Promise<T> {
    inFlight.add(calling);
    const forget = (): void => void inFlight.delete(calling);
    calling.then(forget, forget);
    return calling;
  }
  async function settled(): Promise<void> {
    while (inFlight.size > 0) await Promise.allSettled(inFlight);
  }
  return {
    call: (sessionId, work, deadlineMs) => track(call(sessionId, work, deadlineMs)),
    update: (sessionId, work) => track(call(sessionId, work, Math.max(answerDeadlineMs, defaultDeadlineMs))),
    callServer: (work) => track(callServer(work)),
    ...{ listWorkers, settled },
  };
}

/** Errors that the session itself answered with. */
function toRefusal(sessionId: string, error: unknown): ClientError | undefined {
  if (error instanceof ClientError) return error;
  if (error instanceof QueryNotRegisteredError) {
    return new ClientError('Refused', `Session ${sessionId} could not answer: ${error.message}.`, {
      cause: error,
    });
  }
  if (!(error instanceof WorkflowUpdateFailedError)) return undefined;
  const failure = error.cause;
  const reason = failure instanceof ApplicationFailure ? failure.type : undefined;
  return new ClientError('Refused', `Session ${sessionId} refused: ${failure?.message ?? error.message}`, {
    cause: error,
    ...(reason ? { reason } : {}),
  });
}

function unknownSession(sessionId: string, namespace: string, cause: unknown): ClientError {
  return new ClientError(
    'UnknownSession',
    `No session "${sessionId}" in namespace "${namespace}". "holdfast list" shows those that there are.`,
    { cause },
  );
}

function sessionClosed(sessionId: string, cause?: unknown): ClientError {
  return new ClientError(
    'SessionClosed',
    `Session ${sessionId} has ended and takes no messages. "holdfast result ${sessionId}" shows how it ended; ` +
      `"holdfast fork ${sessionId} --prompt <words>" continues from it in a new session.`,
    { cause },
  );
}

/** Nothing answers, or what answers turns us away: a wrong namespace or key says so itself. */
function serverTrouble(client: Client, cause: unknown): ClientError {
  const address = 'options' in client.connection ? serverAddress(client.connection.options) : 'its address';
  if (cause instanceof NamespaceNotFoundError) {
    const message = `The Temporal server at ${address} has no namespace "${client.options.namespace}": set TEMPORAL_NAMESPACE.`;
    return new ClientError('ServerUnreachable', message, { cause });
  }
  const details = innermost(cause);
  const away = isGrpcDeadlineError(cause) || details === undefined;
  const message = away
    ? `The Temporal server at ${address} does not answer. Check that it runs, and TEMPORAL_ADDRESS.`
    : `The Temporal server at ${address} refused: ${details}`;
  return new ClientError('ServerUnreachable', message, { cause });
}

/** What the server said, where it said something. */
function innermost(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (isGrpcServiceError(current)) return current.code === unavailable ? undefined : current.details;
  }
  return error instanceof Error ? error.message : String(error);
}

function serverAddress(options: unknown): string {
  const known =
    typeof options === 'object' && options !== null && 'address' in options ? options.address : undefined;
  return typeof known === 'string' ? known : 'its address';
}
