// Every call of the client to a session: adds a deadline, and turns every failure into one typed error. Runs in the
// caller's process.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '@holdfast/base/defined';
import { askAgain, awaitStep } from '@holdfast/base/in-step';
import {
  type Client,
  type Connection,
  type WorkflowHandle,
  QueryNotRegisteredError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { CodecError } from '../codec/payload-codec.ts';
import { attributesIn } from '@holdfast/vocabulary/outer-names';
import { CallLimit } from './call-limit.ts';
import { ClientError } from './client-error.ts';
import { type FailingTask, describeFailingTask, readFailingTask } from './failing-task.ts';
import { withoutMark } from '@holdfast/stored/session-names';
import { agentSessionType } from '../workflows/session/workflow-api.ts';
import { type ListedWorker, hasEnded, listPollers } from './liveness.ts';
import { describeTrouble, innermost } from '../common/server-trouble.ts';

/** A query needs a worker, which may have to replay a long history first. */
const defaultDeadlineMs = 10_000;
/** Not earlier: two queries of a session at once are a risk for a worker whose cache is full. */
const askAgainAfterMs = 5_000;
/** Tries of an update that a worker does not answer: a busy worker may take as long as three deadlines. */
const timesSent = 3;
const diagnosisDeadlineMs = 2_000;
/** Workflows whose type is remembered. */
const mostKnown = 10_000;

export type SessionWork<T> = (handle: WorkflowHandle) => Promise<T>;
export type SessionUpdate<T> = (handle: WorkflowHandle, updateId: string) => Promise<T>;

export type CallOptions = {
  deadlineMs?: number | undefined;
  /** Type of the workflow; one of another type is unknown. Default: a session. Null: not looked at. */
  type?: string | null;
};

type SendOptions = { deadlineMs?: number; type?: string };

export class SessionCaller {
  readonly #client: Client;
  readonly #answerDeadlineMs: number;
  readonly #inFlight = new Set<Promise<unknown>>();
  readonly #known = new Map<string, string>();
  #limit: CallLimit | undefined;
  #attributes: Promise<readonly string[]> | undefined;

  constructor(client: Client, answerDeadlineMs = defaultDeadlineMs) {
    this.#client = client;
    this.#answerDeadlineMs = answerDeadlineMs;
  }

  /** Runs `work` with a deadline; rejects with a ClientError only. Nothing is sent to a workflow of another type. */
  call<T>(sessionId: string, work: SessionWork<T>, options: CallOptions = {}): Promise<T> {
    const { deadlineMs = this.#answerDeadlineMs, type = agentSessionType } = options;
    return this.#track(async () => {
      try {
        return await this.#within(deadlineMs, async () => {
          const isKnown = type === null || this.#known.get(sessionId) === type;
          if (!isKnown) await this.#describe(sessionId, type);
          const handle = this.#askingTwice(sessionId);
          return askAgain(() => work(handle), sleep);
        });
      } catch (error) {
        throw toRefusal(sessionId, error) ?? (await this.#diagnose(sessionId, error));
      }
    });
  }

  /** Like `call`, for a message to the session. */
  send<T>(
    sessionId: string,
    work: SessionWork<T>,
    { deadlineMs = this.#answerDeadlineMs, type = agentSessionType }: SendOptions = {},
  ): Promise<T> {
    const inStep: SessionWork<T> = async (handle) => {
      await awaitStep(() => this.#describe(sessionId, type), sleep, deadlineMs);
      return work(handle);
    };
    return this.call(sessionId, inStep, { deadlineMs, type: null });
  }

  /**
   * Like `send`, for an Update. Its deadline is never shortened, because an abandoned update may still be taken.
   * Without an answer it is sent again under its id, which a session takes once. A session that no longer knows the id
   * refuses it: `readBack` finds the answer in the refusal.
   */
  async update<T>(
    sessionId: string,
    work: SessionUpdate<T>,
    readBack: (refusal: ClientError) => T | undefined = () => undefined,
    type: string = agentSessionType,
  ): Promise<T> {
    const updateId = randomUUID();
    const deadlineMs = Math.max(this.#answerDeadlineMs, defaultDeadlineMs);
    for (let sent = 1; ; sent++) {
      try {
        return await this.send(sessionId, (handle) => work(handle, updateId), { deadlineMs, type });
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        if (isLost(error) && sent < timesSent) continue;
        const answer = sent > 1 ? readBack(error) : undefined;
        if (answer === undefined) throw error;
        return answer;
      }
    }
  }

  /** At most so many calls of `callServer` at once; further ones wait for 2 s and are then refused. */
  limitServerCalls(most: number): void {
    this.#limit = new CallLimit(most);
  }

  /** Like `call`, for work without an existing session. The deadline is not below `leastMs`. */
  callServer<T>(work: () => Promise<T>, leastMs = 0): Promise<T> {
    return this.#track(async () => {
      const send = () => this.#within(Math.max(this.#answerDeadlineMs, leastMs), work);
      try {
        return await (this.#limit?.run(send) ?? send());
      } catch (error) {
        if (error instanceof ClientError) throw error;
        throw limitReached(error) ?? serverTrouble(this.#client, error);
      }
    });
  }

  /** Rejects unless the server can tell that there is no such workflow, which only its database knows. */
  async assertServing(): Promise<void> {
    const nobody = this.#client.workflow.getHandle('holdfast-is-it-served');
    const ask = () => nobody.describe().then(() => undefined);
    await this.#within(diagnosisDeadlineMs, ask).catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw serverTrouble(this.#client, error);
    });
  }

  /** Those of these search attributes that the server has. One that does not say has none that can be relied on. */
  async registered(wanted: readonly string[]): Promise<string[]> {
    this.#attributes ??= this.#askAttributes().catch(() => []);
    const found = await this.#attributes;
    const names = wanted.filter((name) => found.includes(name));
    // a worker may register the others at any time
    if (names.length < wanted.length) this.#attributes = undefined;
    return names;
  }

  async #askAttributes(): Promise<readonly string[]> {
    const { namespace } = this.#client.options;
    const { operatorService }: Partial<Connection> = this.#client.connection;
    const ask = async () => operatorService?.listSearchAttributes({ namespace });
    // what needs them is sent all the same
    const waitMs = Math.min(this.#answerDeadlineMs, diagnosisDeadlineMs);
    const answer = await this.#track(() => this.#within(waitMs, ask));
    return attributesIn(answer?.customAttributes ?? {});
  }

  /** Workers that the server lists for the queue; it lists a stopped one for five more minutes. */
  listWorkers(taskQueue: string): Promise<ListedWorker[]> {
    const { workflowService, options } = this.#client;
    const { namespace } = options;
    return this.#within(diagnosisDeadlineMs, () => listPollers(workflowService, { namespace, taskQueue }));
  }

  /** True if one of them has not ended. */
  async hasWorker(taskQueue: string): Promise<boolean> {
    const now = Date.now();
    return (await this.listWorkers(taskQueue)).some((worker) => !hasEnded(worker, now));
  }

  /** Resolves when no call is in flight: each has its deadline. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }

  /** A server without an answer is no refusal here: what is sent then finds the same. */
  async assertSession(sessionId: string): Promise<void> {
    await this.call(sessionId, async () => {}).catch((error: unknown) => {
      if (error instanceof ClientError && error.cause === otherType) throw error;
    });
  }

  /** As the server has it, without decoding anything: a lost key must not keep a person from a stop. Throws for another type. */
  async #describe(workflowId: string, type: string) {
    const { workflowService, options } = this.#client;
    const { namespace } = options;
    const described = await workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    });
    if (described.workflowExecutionInfo?.type?.name !== type)
      throw unknownSession(workflowId, namespace, otherType);
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(workflowId, type);
    return described;
  }

  /**
   * Asks each query once more beside the first, if that has no answer in 5 s: servers and workers lose some. A second that
   * fails counts for nothing, because a server may refuse a query beside another. No call is left when the answer is there:
   * the SDK ends the process where it sends one again on a closed connection.
   */
  #askingTwice(sessionId: string): WorkflowHandle {
    const { workflow, connection } = this.#client;
    const handle = workflow.getHandle(sessionId);
    const query = async (...asked: Parameters<WorkflowHandle['query']>): Promise<unknown> => {
      const over = new AbortController();
      const ask = () => connection.withAbortSignal(over.signal, () => handle.query(...asked));
      const first = ask();
      const second = sleep(askAgainAfterMs, undefined, over).then(ask);
      try {
        return await Promise.race([first, second.catch(() => first)]);
      } finally {
        over.abort();
        await Promise.allSettled([first, second]);
      }
    };
    return { ...handle, query: query as WorkflowHandle['query'] };
  }

  /** Finds the reason for a missing answer; asks the server, because a deadline alone gives none. */
  async #diagnose(sessionId: string, cause: unknown): Promise<ClientError> {
    const describe = async () => {
      const description = await this.#client.workflow.getHandle(sessionId).describe();
      return { ...description, failing: await readFailingTask(this.#client, description) };
    };
    const found = await this.#within(diagnosisDeadlineMs, describe).catch((error: unknown) =>
      error instanceof WorkflowNotFoundError
        ? unknownSession(sessionId, this.#client.options.namespace, cause)
        : (toRefusal(sessionId, error) ?? serverTrouble(this.#client, error)),
    );
    if (found instanceof ClientError) return found;
    const { taskQueue, status, failing } = found;
    if (failing) return stuck(sessionId, failing, cause);
    if (cause instanceof QueryNotRegisteredError) return unanswerable(sessionId, cause);
    if (status.name !== 'RUNNING' && cause instanceof WorkflowNotFoundError)
      return sessionClosed(sessionId, cause);
    const isThere = await this.hasWorker(taskQueue).catch(() => false);
    return (isThere ? workerBusy : noWorker)(sessionId, taskQueue, cause);
  }

  #within<T>(ms: number, work: () => Promise<T>): Promise<T> {
    return this.#client.connection.withDeadline(Date.now() + ms, work);
  }

  #track<T>(work: () => Promise<T>): Promise<T> {
    const calling = work();
    this.#inFlight.add(calling);
    const forget = (): void => void this.#inFlight.delete(calling);
    calling.then(forget, forget);
    return calling;
  }
}

/** The cause of an unknown session whose id is that of another program's workflow. */
const otherType = new Error('A workflow of another type has this id.');

function noWorker(sessionId: string, taskQueue: string, cause: unknown): ClientError {
  const message =
    `No worker is running for session ${sessionId}. "holdfast watch ${sessionId} --worker" starts one and follows it; ` +
    `so does "holdfast worker" for task queue "${taskQueue}".${isPending(cause) ? ` ${adviceFor(sessionId, cause)}` : ''}`;
  return new ClientError('NoWorker', message, { cause });
}

function workerBusy(sessionId: string, taskQueue: string, cause: unknown): ClientError {
  const message =
    `Session ${sessionId} did not answer in time. A worker is listed for its task queue "${taskQueue}": ` +
    `it is busy, replaying, or has just died. ${adviceFor(sessionId, cause)}`;
  return new ClientError('WorkerBusy', message, { cause });
}

/** A query fails like the task, if the history does not fit the code of the worker. */
function stuck(sessionId: string, failing: FailingTask, cause: unknown): ClientError {
  const message = `Session ${sessionId} is stuck: ${describeFailingTask(failing)}. A worker with code that fits the history goes on with it. ${adviceFor(sessionId, cause)}`;
  return new ClientError('Stuck', message, { cause });
}

function unanswerable(sessionId: string, cause: QueryNotRegisteredError): ClientError {
  return new ClientError('Refused', `Session ${sessionId} could not answer: ${cause.message}.`, { cause });
}

/** True for an Update without an answer in time: the server has it, and a later worker may still take it. */
function isPending(cause: unknown): boolean {
  return cause instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
}

/** Not for a missing worker: its answer would come whenever a worker does. */
function isLost({ code, cause }: ClientError): boolean {
  return isPending(cause) && code !== 'NoWorker';
}

function adviceFor(sessionId: string, cause: unknown): string {
  if (!isPending(cause)) return 'Try again in a moment.';
  return `It may still be taken: look with "holdfast show ${sessionId}" before you send it again.`;
}

/** The error if the session itself refused; else undefined. */
function toRefusal(sessionId: string, error: unknown): ClientError | undefined {
  if (error instanceof ClientError) return error;
  if (error instanceof CodecError) {
    const message = `Session ${sessionId} cannot be read. ${error.message}`;
    return new ClientError('CannotDecrypt', message, { cause: error });
  }
  const full = limitReached(error);
  if (full) return full;
  if (!(error instanceof WorkflowUpdateFailedError)) return undefined;
  const failure = error.cause;
  const reason = failure instanceof ApplicationFailure ? failure.type : undefined;
  const message = `Session ${sessionId} refused: ${failure?.message ?? error.message}`;
  return new ClientError('Refused', message, defined({ cause: error, reason: reason || undefined }));
}

/** Words of the server for a workflow whose history takes no more signals or updates. */
const limitWords =
  /exceeded workflow execution limit|limit on (the )?(total )?number of .*(updates|signals)/i;

function limitReached(cause: unknown): ClientError | undefined {
  const details = innermost(cause);
  if (details === undefined || !limitWords.test(details)) return undefined;
  const message =
    `Nothing was sent: Temporal takes no more messages for this workflow until a worker has read those that it has (${details}). ` +
    'Start a worker, or look why the ones there are do not answer, and send it again.';
  return new ClientError('LimitReached', message, { cause });
}

function unknownSession(sessionId: string, namespace: string, cause: unknown): ClientError {
  const id = withoutMark(sessionId);
  const advice =
    id === sessionId
      ? '"holdfast list" shows those that there are.'
      : `It names what a session of ${id} has stored, for result, show and logs. Everything else goes to ${id}, which means the newest.`;
  const message = `No session "${sessionId}" in namespace "${namespace}". ${advice}`;
  return new ClientError('UnknownSession', message, { cause });
}

export function sessionClosed(sessionId: string, cause?: unknown, ended?: string): ClientError {
  return new ClientError(
    'SessionClosed',
    `Session ${sessionId} has ended and takes no messages. "holdfast result ${sessionId}" shows how it ended; ` +
      `"holdfast fork ${sessionId} --prompt <words>" continues from it in a new session.${ended ? ` ${ended}` : ''}`,
    { cause, ended },
  );
}

function serverTrouble(client: Client, cause: unknown): ClientError {
  const { options }: Partial<Connection> = client.connection;
  const address = options?.address ?? 'its address';
  const { namespace } = client.options;
  return new ClientError('ServerUnreachable', describeTrouble(cause, { address, namespace }), { cause });
}
