// The client of Holdfast: starts sessions, talks to them, watches them. A composition root over one Temporal
// connection; needs no worker in its own process.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Client, type Connection, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { ImagePart, LogRecord, UserMessage } from './core/model/messages.ts';
import type { RunResult, SessionResult, Thoughts } from './core/model/run-result.ts';
import { promptSchema } from './core/session/session-input.schema.ts';
import type { PromptInput, SessionInput, Checkpoint } from './core/model/session-input.ts';
import { describeIssues } from './core/base/schema-issues.ts';
import type { PendingApproval, Receipt, Snapshot } from './core/model/snapshot.ts';
import { placeCheckpoint, readCheckpoint, readStoredCheckpoint } from './client/checkpoints.ts';
import type { ArtifactWriter } from './client/checkpoints.ts';
import { ClientError } from './client/client-error.ts';
import { type HistorySize, readHistorySize } from './client/history-size.ts';
import { placeImage } from './client/images.ts';
import { type Liveness, findLiveness, hasEnded } from './client/liveness.ts';
import { watchHistory } from './client/history-watch.ts';
import { type Beats, type ModelBeat, readBeats } from './client/heartbeats.ts';
import { type LiveBus, SessionHubs } from './client/session-hubs.ts';
import { type SessionControls, createSessionControls } from './client/session-controls.ts';
import { createSessionCaller, defaultDeadlineMs } from './client/session-caller.ts';
import { type WatchItem, streamEvents } from './client/session-events.ts';
import { type ListOptions, type SessionListing, listSessions, toListing } from './client/session-list.ts';
import type { Retry } from './client/retries.ts';
import type { RunningCall } from './client/running-calls.ts';
import { type MissingRecords, streamMessages } from './client/session-messages.ts';
import { type LogRange, readThoughts } from './client/session-thoughts.ts';
import { awaitResult, awaitRun } from './client/session-result.ts';
import { type StartOptions, assertSendable, nameStart, toWorkflowStart } from './client/start-session.ts';
import type { Heard, Listener, SubscribeOptions, Subscription } from './client/subscription.ts';
import { type ArtifactReader, readStoredLog, readStoredResult, readText } from './client/stored-artifacts.ts';
import * as api from './workflows/workflow-api.ts';

export { ClientError, type ClientErrorCode } from './client/client-error.ts';
export { parseCheckpoint, parseCheckpointText } from './core/checkpoint/checkpoint.schema.ts';
export { forkCheckpoint, type ForkPoint } from './core/checkpoint/fork-checkpoint.ts';
export type {
  ArtifactReader,
  ArtifactWriter,
  Checkpoint,
  Heard,
  HistorySize,
  ListOptions,
  Listener,
  Liveness,
  MissingRecords,
  Retry,
  RunningCall,
  SessionListing,
  StartOptions,
  SubscribeOptions,
  Subscription,
  WatchItem,
};

export { userMessage } from './client/images.ts';
export { mergeUpdate } from './core/model/session-events.ts';

export type ClientOptions = {
  connection: Connection;
  namespace: string;
  /** Where `start` puts new sessions. */
  taskQueue: string;
  /** Gives stored results and log segments once they have left the history. */
  artifacts?: (ArtifactReader & Partial<ArtifactWriter>) | undefined;
  /** Live pieces from a worker of this process, e.g. its `deltaBus`. Absent: its heartbeats are asked for. */
  live?: LiveBus;
  /** How long a session may take to answer. Default 10 s: a worker may be replaying a long history first. */
  answerTimeoutMs?: number;
};

export type Decision = {
  actor: string;
  reason?: string;
  /** Of the pending approval that was looked at: the answer counts for these arguments only. */
  argsDigest?: string;
};
export type SentMessage = { id: string };

/** A snapshot with the attempt and the text of the model call in flight. */
export type MergedSnapshot = Snapshot & {
  streaming?: NonNullable<Snapshot['streaming']> & { attempt?: number };
  partial?: PartialText;
};

/** The newest 2 KiB of what the model has said so far. */
export type PartialText = { turn: number; attempt: number; text: string };

/** What the events do not tell yet, because it has not come to an end. */
export type InFlight = { partial?: PartialText; retries: Retry[]; running: RunningCall[] };

type SessionHandle = ReturnType<Client['workflow']['getHandle']>;

const never = new AbortController().signal;

/** Every method rejects with a ClientError whose `code` says what kind of trouble it is. */
export class HoldfastClient {
  readonly #client: Client;
  readonly #options: ClientOptions;
  readonly #caller: ReturnType<typeof createSessionCaller>;
  readonly #hubs: SessionHubs;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#client = new Client({ connection: options.connection, namespace: options.namespace });
    this.#caller = createSessionCaller(this.#client, options.answerTimeoutMs);
    this.#hubs = new SessionHubs({
      events: (sessionId, signal) => this.events(sessionId, 0, signal),
      beats: (sessionId) => this.#beats(sessionId),
      live: options.live,
    });
  }

  /** Starts a session. The input is checked and measured before anything is sent. */
  async start(
    input: SessionInput,
    options: StartOptions = {},
  ): Promise<{ sessionId: string; workflowRunId: string }> {
    const named = nameStart(input, options);
    const placed = await placeCheckpoint(input, named.sessionId, this.#options.artifacts);
    const start = toWorkflowStart(placed, named, this.#options.taskQueue);
    return this.#caller.callServer(async () => {
      try {
        const handle = await this.#client.workflow.start(api.agentSessionType, start);
        return { sessionId: start.workflowId, workflowRunId: handle.firstExecutionRunId };
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        const message = `A session "${start.workflowId}" exists already: choose another id, or leave it out.`;
        throw new ClientError('SessionExists', message, { cause: error });
      }
    });
  }

  /**
   * An image for a message of this session. For a session that is not started yet choose its id, and start it with that.
   */
  async image(sessionId: string, bytes: Uint8Array, mediaType: string): Promise<ImagePart> {
    return placeImage(this.#options.artifacts, sessionId, bytes, mediaType);
  }

  /** Gives an idle session a prompt; answers on acceptance and does not wait for the run. */
  async prompt(sessionId: string, prompt: PromptInput): Promise<{ runId: string }> {
    const checked = promptSchema.safeParse(prompt);
    if (!checked.success)
      throw new ClientError('InvalidInput', describeIssues(checked.error, 'prompt').join('; '));
    assertSendable(prompt, 'The prompt');
    const updateId = randomUUID();
    return this.#update(sessionId, (handle) =>
      handle.executeUpdate(api.promptUpdate, { args: [prompt], updateId }),
    );
  }

  /** Prompts and waits for that run's result, by events and queries. */
  async promptAndWait(
    sessionId: string,
    prompt: PromptInput,
    signal: AbortSignal = never,
  ): Promise<RunResult> {
    const { runId } = await this.prompt(sessionId, prompt);
    return this.result(sessionId, { runId, signal });
  }

  /** Read between turns; with mode `interrupt` at once. Sending the same id again changes nothing. */
  async steer(
    sessionId: string,
    message: string | UserMessage,
    options: { id?: string; mode?: 'next_turn' | 'interrupt' } = {},
  ): Promise<SentMessage> {
    const { id = randomUUID(), mode } = options;
    assertMessage(message, 'The steering message');
    await this.#call(sessionId, (handle) =>
      handle.signal(api.steerSignal, { id, message, ...(mode === undefined ? {} : { mode }) }),
    );
    return { id };
  }

  /** Read when the session would stop. */
  async followUp(
    sessionId: string,
    message: string | UserMessage,
    options: { id?: string } = {},
  ): Promise<SentMessage> {
    const { id = randomUUID() } = options;
    assertMessage(message, 'The follow-up');
    await this.#call(sessionId, (handle) => handle.signal(api.followUpSignal, { id, message }));
    return { id };
  }

  /** False when the message was delivered already or is not known. */
  async cancelQueued(sessionId: string, id: string): Promise<{ removed: boolean }> {
    return this.#update(sessionId, (handle) => handle.executeUpdate(api.cancelQueuedUpdate, { args: [id] }));
  }

  /** Ends the current run only. */
  async abort(sessionId: string): Promise<void> {
    await this.#call(sessionId, (handle) => handle.signal(api.abortSignal));
  }

  /** Repeats the model call after a person mended a refused key or a quota. */
  async resume(sessionId: string): Promise<void> {
    await this.#call(sessionId, (handle) => handle.signal(api.resumeSignal));
  }

  /** Everything else that an operator may do with a session. */
  control(sessionId: string): SessionControls {
    return createSessionControls(
      (work) => this.#call(sessionId, work),
      (work) => this.#update(sessionId, work),
    );
  }

  async clearQueues(sessionId: string): Promise<void> {
    await this.#call(sessionId, (handle) => handle.signal(api.clearQueuesSignal));
  }

  /** No new prompt; the current run finishes; the session completes. */
  async shutdown(sessionId: string): Promise<void> {
    await this.#call(sessionId, (handle) => handle.signal(api.shutdownSignal));
  }

  async approve(sessionId: string, callId: string, decision: Decision): Promise<{ approved: boolean }> {
    return this.#resolve(sessionId, callId, true, decision);
  }

  async deny(sessionId: string, callId: string, decision: Decision): Promise<{ approved: boolean }> {
    return this.#resolve(sessionId, callId, false, decision);
  }

  async pendingApprovals(sessionId: string): Promise<PendingApproval[]> {
    return this.#call(sessionId, (handle) => handle.query(api.pendingApprovalsQuery));
  }

  async snapshot(sessionId: string): Promise<Snapshot> {
    return this.#call(sessionId, (handle) => handle.query(api.snapshotQuery));
  }

  /** The snapshot, and what the model has said so far in the call in flight. */
  async mergedSnapshot(sessionId: string): Promise<MergedSnapshot> {
    const snapshot = await this.snapshot(sessionId);
    const { streaming } = snapshot;
    if (!streaming) return snapshot;
    const { model, modelAttempt: attempt } = await this.#beats(sessionId);
    const partial = partialOf(model);
    return {
      ...snapshot,
      ...(attempt === undefined ? {} : { streaming: { ...streaming, attempt } }),
      ...(partial?.turn === streaming.turn ? { partial } : {}),
    };
  }

  /** What the model has said so far, which calls run, and which are tried again; about a second old. Asks the server only. */
  async inFlight(sessionId: string): Promise<InFlight> {
    const { model, retries, running } = await this.#beats(sessionId);
    const partial = partialOf(model);
    return { retries, running, ...(partial ? { partial } : {}) };
  }

  /** The system prompt of a snapshot by its `ref`; undefined when the session has another one by now. */
  async systemPrompt(sessionId: string, ref: string): Promise<string | undefined> {
    const context = await this.#call(sessionId, (handle) => handle.query(api.getFrozenContextQuery, ref));
    return context?.systemPrompt;
  }

  /** What became of a steering message or follow-up; null for an id that the session does not know. */
  async receipt(sessionId: string, id: string): Promise<Receipt | null> {
    return this.#call(sessionId, (handle) => handle.query(api.getReceiptQuery, id));
  }

  /** Events after `afterSeq`, live; ends when the session has closed. Can be taken up again after any event's seq. */
  events(
    sessionId: string,
    afterSeq = 0,
    signal: AbortSignal = never,
  ): AsyncGenerator<WatchItem, void, undefined> {
    const sources = {
      getEvents: (after: number) =>
        this.#call(sessionId, (handle) => handle.query(api.getEventsQuery, after)),
      snapshot: () => this.snapshot(sessionId),
      watch: (onChange: () => void, stop: AbortSignal) =>
        watchHistory(this.#client, { sessionId, onChange, signal: stop }),
    };
    return streamEvents(sources, afterSeq, signal);
  }

  /**
   * Calls `listener` for each event of the session, first those that are still kept, and for each piece of a reply and
   * of a tool's output: one by one where `live` reaches their worker, else about once a second. Listeners are called in
   * the order in which they subscribed.
   */
  subscribe(sessionId: string, listener: Listener, options: SubscribeOptions = {}): Subscription {
    return this.#hubs.subscribe(sessionId, listener, options);
  }

  /** The log after `afterSeq` as it stands now, oldest first. */
  messages(sessionId: string, afterSeq = 0): AsyncGenerator<LogRecord | MissingRecords, void, undefined> {
    const getPage = (after: number) =>
      this.#call(sessionId, (handle) => handle.query(api.getMessagesQuery, after));
    return streamMessages(sessionId, afterSeq, getPage, this.#options.artifacts);
  }

  /** The log as it stood at the end of the last run, from the artifact store: needs neither worker nor history. */
  async storedMessages(sessionId: string): Promise<LogRecord[] | undefined> {
    return readStoredLog(this.#options.artifacts, sessionId);
  }

  /** All thoughts of a run by `newMessages` of its result: from the stored log once it is there, else by query. */
  async thoughts(sessionId: string, range: LogRange): Promise<Thoughts> {
    const stored = await this.storedMessages(sessionId);
    const whole = stored !== undefined && (stored.at(-1)?.seq ?? 0) >= range.toSeq;
    return readThoughts(whole ? Readable.from(stored) : this.messages(sessionId, range.fromSeq - 1), range);
  }

  /**
   * The whole session as one document, from which another can go on. Of one that has ended, as it was stored: that
   * needs neither worker nor history.
   */
  async checkpoint(sessionId: string): Promise<Checkpoint> {
    const status = await this.#statusOf(sessionId);
    const getStored = () => readStoredCheckpoint(this.#options.artifacts, sessionId);
    const stored = status === 'COMPLETED' ? await getStored() : undefined;
    if (stored) return stored;
    try {
      const getPage = (offset: number) =>
        this.#call(sessionId, (handle) => handle.query(api.getCheckpointPageQuery, offset));
      return await readCheckpoint(sessionId, getPage, this.messages(sessionId));
    } catch (error) {
      // of one that runs the stored one may be old, and nobody would know
      const last = status === 'RUNNING' ? undefined : await getStored();
      if (last) return last;
      throw error;
    }
  }

  /** Undefined: the server does not know it, or no longer. */
  async #statusOf(sessionId: string): Promise<string | undefined> {
    try {
      return (await this.find(sessionId)).status;
    } catch (error) {
      if (error instanceof ClientError && error.code === 'UnknownSession') return undefined;
      throw error;
    }
  }

  /** Waits for the session's end, or with `runId` for that run's. */
  async result(sessionId: string, options?: { signal?: AbortSignal }): Promise<SessionResult>;
  async result(sessionId: string, options: { runId: string; signal?: AbortSignal }): Promise<RunResult>;
  async result(
    sessionId: string,
    options: { runId?: string; signal?: AbortSignal } = {},
  ): Promise<RunResult> {
    const { runId, signal = never } = options;
    if (runId === undefined) return awaitResult(this.#client, sessionId, this.#options.artifacts, signal);
    return awaitRun(runId, this.events(sessionId, 0, signal), (id) =>
      this.#call(sessionId, (handle) => handle.query(api.getResultQuery, id)),
    );
  }

  /** The result in the artifact store, also when the history is gone. */
  async storedResult(sessionId: string): Promise<SessionResult | undefined> {
    return readStoredResult(this.#options.artifacts, sessionId);
  }

  /** One session as `list` shows it. Asks the server only. */
  async find(sessionId: string): Promise<SessionListing> {
    return this.#withOutcome(
      await this.#call(sessionId, async (handle) => toListing(await handle.describe())),
    );
  }

  /** Sessions of this namespace, newest first. */
  async list(options: ListOptions = {}): Promise<SessionListing[]> {
    const found = await this.#caller.callServer(() => listSessions(this.#client, options));
    return Promise.all(found.map((listing) => this.#withOutcome(listing)));
  }

  /** Events and bytes of the session's histories so far. */
  async historySize(sessionId: string): Promise<HistorySize> {
    return this.#caller.call(sessionId, () => readHistorySize(this.#client, sessionId));
  }

  /** The report of a result as Markdown; undefined where it has none or the store lacks it. */
  async report(sessionId: string, result: RunResult): Promise<string | undefined> {
    const store = this.#options.artifacts;
    return result.report && readText(store, sessionId, result.report.artifactId);
  }

  /** Whether workers are listed for the task queue of new sessions, beside those that are known to have ended. */
  async hasWorker(): Promise<boolean> {
    const listed = await this.#caller.listWorkers(this.#options.taskQueue);
    const now = Date.now();
    return listed.some((worker) => !hasEnded(worker, now));
  }

  /** Whether a worker is running for a session. `stopped`: the identity of one that the caller has ended. */
  async liveness(sessionId: string, options: { stopped?: string } = {}): Promise<Liveness> {
    const { taskQueue } = await this.find(sessionId);
    const handle = this.#client.workflow.getHandle(sessionId);
    return findLiveness({
      ...{ taskQueue, stopped: options.stopped },
      listWorkers: () => this.#caller.callServer(() => this.#caller.listWorkers(taskQueue)),
      ask: (deadlineMs) => this.#caller.call(sessionId, () => handle.query(api.snapshotQuery), deadlineMs),
    });
  }

  /**
   * Resolves when no call is in flight: a connection that closes under one that is tried again ends the process. Whoever
   * breaks off a stream of events leaves one behind.
   */
  async settled(): Promise<void> {
    await this.#caller.settled();
  }

  /** Temporal calls a session completed also where its run was aborted or came to a limit. */
  async #withOutcome(listing: SessionListing): Promise<SessionListing> {
    if (listing.status !== 'COMPLETED' || listing.outcome !== undefined) return listing;
    const result = await this.storedResult(listing.sessionId).catch(() => undefined);
    if (!result) return listing;
    const grade = result.report ? { grade: result.report.grade } : {};
    return { ...listing, outcome: result.status, ...grade };
  }

  #beats(sessionId: string): Promise<Beats> {
    return this.#caller.call(sessionId, () => readBeats(this.#client, sessionId));
  }

  #resolve(
    sessionId: string,
    callId: string,
    approve: boolean,
    decision: Decision,
  ): Promise<{ approved: boolean }> {
    return this.#update(sessionId, (handle) =>
      handle.executeUpdate(api.resolveApprovalUpdate, { args: [callId, { approve, ...decision }] }),
    );
  }

  /** Not shortened for impatient callers: an update that is given up may be taken all the same. */
  #update<T>(sessionId: string, work: (handle: SessionHandle) => Promise<T>): Promise<T> {
    const handle = this.#client.workflow.getHandle(sessionId);
    const deadlineMs = Math.max(this.#options.answerTimeoutMs ?? 0, defaultDeadlineMs);
    return this.#caller.call(sessionId, () => work(handle), deadlineMs);
  }

  #call<T>(sessionId: string, work: (handle: SessionHandle) => Promise<T>): Promise<T> {
    return this.#caller.call(sessionId, () => work(this.#client.workflow.getHandle(sessionId)));
  }
}

export function createClient(options: ClientOptions): HoldfastClient {
  return new HoldfastClient(options);
}

function partialOf([beat]: ModelBeat[]): PartialText | undefined {
  return beat && { turn: beat.turn, attempt: beat.attempt, text: beat.text };
}

function assertMessage(message: string | UserMessage, what: string): void {
  const empty = typeof message === 'string' ? message.trim() === '' : message.content.length === 0;
  if (empty) throw new ClientError('InvalidInput', `${what} is empty: say what the agent is to do.`);
  assertSendable(message, what);
}
