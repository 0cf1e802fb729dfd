// One session for its callers: every message to it and every read of it, from the session itself, the server and the
// artifact store. Runs in the caller's process.
import { defined } from '@holdfast/base/defined';
import { type RemovedHistories, removeHistories } from './remove-session.ts';
import { Readable } from 'node:stream';
import type { Client } from '@temporalio/client';
import type { CheckpointPage } from '../core/checkpoint/checkpoint.ts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { ImagePart, LogRecord } from '@holdfast/vocabulary/messages';
import { internalQueries } from '@holdfast/vocabulary/outer-names';
import type { RunResult, SessionResult, Thoughts } from '@holdfast/vocabulary/run-result';
import type { Checkpoint, PromptInput } from '@holdfast/vocabulary/session-input';
import type { OutputLines } from '@holdfast/vocabulary/stored-reads';
import type { Report } from '@holdfast/report/report';
import type { Plan } from '@holdfast/vocabulary/plan';
import type {
  PendingApproval,
  PendingQuestion,
  QueuedText,
  Receipt,
  Snapshot,
} from '@holdfast/vocabulary/snapshot';
import { readCheckpoint, readStoredCheckpoint } from './checkpoints.ts';
import { subscribeFamily } from './family.ts';
import { RunError, undefinedIfUnknown } from './client-error.ts';
import { readFailingTask } from './failing-task.ts';
import { type DeliverOptions, awaitEndDelivery, repeatDeliveries } from './deliveries.ts';
import { type WatchItem, streamEvents, watchHistory } from './session-events.ts';
import { placeImage } from './images.ts';
import { type Liveness, findLiveness } from './liveness.ts';
import { type Beats, type Retry, type RunningCall, readBeats } from './pending-calls.ts';
import type { SessionCaller, SessionWork } from './session-caller.ts';
import { type HistorySize, readHistorySize } from './history-size.ts';
import { type SessionListing, toListing, withOutcome } from './session-list.ts';
import type { ArtifactReader, ArtifactWriter } from '@holdfast/stored/artifact-names';
import { findNamed } from '@holdfast/stored/session-names';
import type { OutputPlace } from '@holdfast/stored/open-session';
import { readStoredLog, readStoredResult, readText } from '@holdfast/stored/stored-session';
import { type LogRange, type MissingRecords, readThoughts, streamMessages } from './session-log.ts';
import { type SessionTree, readTree, treeSources } from './session-tree.ts';
import { awaitResult, awaitRun } from './session-result.ts';
import { type StoredReader, storedReader } from './stored-reader.ts';
import { SessionSender } from './session-sender.ts';
import type { Listener, SessionHubs, SubscribeOptions, Subscription } from './subscription.ts';

/** The reply in progress; of a long one the newest 32 KiB. */
export type PartialText = { turn: number; attempt: number; text: string };

/** A snapshot with the attempt and the text of the model call in flight. */
export type MergedSnapshot = Snapshot & {
  streaming?: NonNullable<Snapshot['streaming']> & { attempt?: number };
  partial?: PartialText;
};

/** The calls in flight, which no event reports yet. */
export type InFlight = { partial?: PartialText; retries: Retry[]; running: RunningCall[] };

/** Shared by all handles of one client. */
export type HandleParts = {
  /** Task queue for new sessions. */
  taskQueue: string;
  client: Client;
  caller: SessionCaller;
  hubs: SessionHubs;
  artifacts: (ArtifactReader & Partial<ArtifactWriter>) | undefined;
  /** Payloads are encrypted; ids never are. */
  encrypted: boolean;
};

const never = new AbortController().signal;

/** Every method rejects with a ClientError whose `code` names the problem; promptAndWait also with a RunError. */
export class SessionHandle extends SessionSender {
  readonly #parts: HandleParts;

  /** @internal Made by `client.session`. */
  constructor(sessionId: string, parts: HandleParts) {
    super(sessionId, parts.caller);
    this.#parts = parts;
  }

  /** Prompts and waits for that run's result, by events and queries. Throws a RunError if it failed or was aborted. */
  async promptAndWait(prompt: PromptInput, signal: AbortSignal = never): Promise<RunResult> {
    const { runId } = await this.prompt(prompt);
    const result = await this.result({ runId, signal });
    if (result.status === 'failed' || result.status === 'aborted') throw new RunError(this.sessionId, result);
    return result;
  }

  /** Waits for the session's end, or with `runId` for that run's. */
  async result(options?: { signal?: AbortSignal }): Promise<SessionResult>;
  async result(options: { runId: string; signal?: AbortSignal }): Promise<RunResult>;
  async result(options: { runId?: string; signal?: AbortSignal } = {}): Promise<RunResult> {
    const { runId, signal = never } = options;
    const { client, artifacts } = this.#parts;
    if (runId === undefined) {
      await this.#parts.caller.assertSession(this.sessionId);
      return awaitResult(client, this.sessionId, artifacts, signal);
    }
    const getResult = () => this.perform('getResult', runId);
    const storedResult = () => this.storedResult();
    return awaitRun(runId, { events: this.events(0, signal), getResult, storedResult }, signal);
  }

  async snapshot(): Promise<Snapshot> {
    return this.perform('snapshot');
  }

  /** The snapshot with the text so far of the model call in flight. */
  async mergedSnapshot(): Promise<MergedSnapshot> {
    const snapshot = await this.snapshot();
    const { streaming } = snapshot;
    if (!streaming) return snapshot;
    const beats = await this.#beats();
    const partial = partialOf(beats);
    return defined({
      ...snapshot,
      streaming: defined({ ...streaming, attempt: beats.modelAttempt }),
      partial: partial?.turn === streaming.turn ? partial : undefined,
    });
  }

  /**
   * The text of the reply in progress, running calls, and calls being retried; about a second old. Asks only the
   * server.
   */
  async inFlight(): Promise<InFlight> {
    const beats = await this.#beats();
    const { retries, running } = beats;
    const partial = partialOf(beats);
    return defined({ retries, running, partial });
  }

  /** The calls that wait for a person. */
  async pendingApprovals(): Promise<PendingApproval[]> {
    return this.perform('pendingApprovals');
  }

  /** The questions of the agent that wait for an answer. */
  async pendingQuestions(): Promise<PendingQuestion[]> {
    return this.perform('pendingQuestions');
  }

  /** The agent's plan and its progress; null without one. */
  async plan(): Promise<Plan | null> {
    return this.perform('plan');
  }

  /** The messages that no turn has taken yet, in the order in which they are read. */
  async queued(): Promise<QueuedText[]> {
    return this.perform('queued');
  }

  /** The state of a steering message or follow-up; null for an unknown id. */
  async receipt(id: string): Promise<Receipt | null> {
    return this.perform('getReceipt', id);
  }

  /** The system prompt of a snapshot by its `ref`; undefined if the session has another one by now. */
  async systemPrompt(ref: string): Promise<string | undefined> {
    const { getFrozenContext } = internalQueries;
    const ask: SessionWork<FrozenContext | null> = (handle) => handle.query(getFrozenContext, ref);
    return (await this.call(ask))?.systemPrompt;
  }

  /** Events after `afterSeq`, live; ends when the session has closed. Can resume after any event's seq. */
  events(afterSeq = 0, signal: AbortSignal = never): AsyncGenerator<WatchItem, void, undefined> {
    const { client } = this.#parts;
    const sources = {
      getEvents: (after: number) => this.perform('getEvents', after),
      snapshot: () => this.snapshot(),
      watch: (onChange: () => void, stop: AbortSignal) =>
        watchHistory(client, { sessionId: this.sessionId, onChange, signal: stop }),
    };
    return streamEvents(sources, afterSeq, signal);
  }

  /**
   * Calls `listener` for each event of the session, beginning with those still kept, and for each piece of a reply and
   * of a tool's output: one by one if the client's `live` reaches their worker, else about once a second. Listeners are
   * called in the order of their subscriptions. Events of subagents, at every level, have the tags of an Origin, and
   * come between the subagent_start and subagent_end of their subagent.
   */
  subscribe(listener: Listener, options: SubscribeOptions = {}): Subscription {
    const { hubs } = this.#parts;
    return options.children === false
      ? hubs.subscribe(this.sessionId, listener, options)
      : subscribeFamily(hubs, this.sessionId, listener, options);
  }

  /** The log after `afterSeq`, oldest first. */
  messages(afterSeq = 0): AsyncGenerator<LogRecord | MissingRecords, void, undefined> {
    const getPage = (after: number) => this.perform('getMessages', after);
    return streamMessages(this.sessionId, afterSeq, getPage, this.#parts.artifacts);
  }

  /** The log at the end of the last run, from the artifact store: needs neither worker nor history. */
  async storedMessages(): Promise<LogRecord[] | undefined> {
    return readStoredLog(this.#parts.artifacts, this.sessionId);
  }

  /** The result in the artifact store, available even without the history. */
  async storedResult(): Promise<SessionResult | undefined> {
    return readStoredResult(this.#parts.artifacts, this.sessionId);
  }

  /** The report of a result as Markdown; undefined if it has none, or neither store nor worker provides it. */
  async report({ report, runId }: RunResult): Promise<string | undefined> {
    if (report === undefined) return undefined;
    const stored = await readText(this.#parts.artifacts, this.sessionId, report.artifactId);
    return stored ?? this.#storedReader().markdown(runId);
  }

  /**
   * The report of the newest run, or of `runId`, as JSON; undefined if there is none. Read from the artifact store, or
   * by a worker of the session if this client's store lacks it.
   */
  async readReport(options: { runId?: string } = {}): Promise<Report | undefined> {
    return this.#storedReader().report(options.runId);
  }

  /**
   * Lines of the stored output of a tool call: around `line`, or a page from `fromLine`. `call` is its id; a delegated
   * call is written `<instance>/<call>`. Undefined if no output of it is stored. Read like a report.
   */
  async readOutput(call: string, place: OutputPlace = {}): Promise<OutputLines | undefined> {
    return this.#storedReader().output({ ...place, sessionId: this.sessionId, call });
  }

  /** All thoughts of a run by `newMessages` of its result: from the stored log if it is there, else by query. */
  async thoughts(range: LogRange): Promise<Thoughts> {
    const stored = await this.storedMessages();
    const whole = stored !== undefined && (stored.at(-1)?.seq ?? 0) >= range.toSeq;
    return readThoughts(whole ? Readable.from(stored) : this.messages(range.fromSeq - 1), range);
  }

  /**
   * Sends the message of a point again: of the newest run that had one, as it was, with the id that it had. With `to`, the
   * end of a session that had no destination, too. Resolves with the ids of the delivery workflows, which have just begun.
   */
  async deliver(options: DeliverOptions = {}): Promise<string[]> {
    const { client, caller } = this.#parts;
    const source = { describe: () => this.describe(), result: () => this.result() };
    return caller.callServer(() => repeatDeliveries(client, this.sessionId, options, source));
  }

  /**
   * For a session that has ended: waits until the end of this run has arrived everywhere: true then, or if it has no destination; false if it was given up,
   * or has not arrived in this time.
   */
  async delivered(runId: string, timeoutMs: number): Promise<boolean> {
    const stored = await this.storedResult().catch(() => undefined);
    const described = await this.call((handle) => handle.describe()).catch(undefinedIfUnknown);
    // a run that failed at its start may have ended before the session had its name
    const { sessionId } = this;
    const names = [stored?.sessionId ?? sessionId, `${sessionId}~${described?.runId}`];
    const ends = names.map((name) =>
      awaitEndDelivery(this.#parts.client, { sessionId, name, runId }, timeoutMs),
    );
    return (await Promise.all(ends)).every(Boolean);
  }

  /**
   * Deletes the histories of an ended session, its subagents and its deliveries from the Temporal server. The artifact store keeps its
   * part. Rejects with `Refused` if one of them is running.
   */
  async remove(): Promise<RemovedHistories> {
    return this.#parts.caller.callServer(() => removeHistories(this.#parts.client, this.sessionId));
  }

  /**
   * The whole session as one document, from which another session can continue. For an ended session, the stored one.
   */
  async checkpoint(): Promise<Checkpoint> {
    // the server may have deleted its history
    const status = (await this.describe().catch(undefinedIfUnknown))?.status;
    const getStored = () => readStoredCheckpoint(this.#parts.artifacts, this.sessionId);
    const stored = status === 'COMPLETED' ? await getStored() : undefined;
    if (stored) return stored;
    try {
      const { getCheckpointPage } = internalQueries;
      const getPage = (offset: number) =>
        this.call((handle) => handle.query<CheckpointPage, [number]>(getCheckpointPage, offset));
      return await readCheckpoint(this.sessionId, getPage, this.messages());
    } catch (error) {
      // a stored checkpoint of a running session may be outdated, without a sign of it
      const last = status === 'RUNNING' ? undefined : await getStored();
      if (last) return last;
      throw error;
    }
  }

  /** An image for a message of this session, which need not have started yet. */
  async image(bytes: Uint8Array, mediaType: string): Promise<ImagePart> {
    return placeImage(this.#parts.artifacts, this.sessionId, bytes, mediaType);
  }

  /** The session in the form of `list`. Asks only the server. */
  async describe(): Promise<SessionListing> {
    const listing = await this.call(async (handle) => {
      const description = await handle.describe();
      const failingTask = await readFailingTask(this.#parts.client, description);
      return { ...toListing(description), ...defined({ failingTask }) };
    });
    return withOutcome(listing, this.#parts.artifacts);
  }

  /** A handle to another session, e.g. that of a subagent. Sends nothing. */
  other(sessionId: string): SessionHandle {
    return new SessionHandle(sessionId, this.#parts);
  }

  /** The session with its subagents at every level, each with state and cost. */
  async tree(): Promise<SessionTree> {
    const { client, caller, artifacts } = this.#parts;
    const named = artifacts && (await findNamed(artifacts, this.sessionId));
    return readTree(this.sessionId, treeSources(client, caller, named?.storedAs ?? this.sessionId));
  }

  /** Events and bytes of the session's histories so far. */
  async historySize(): Promise<HistorySize> {
    return this.call(() => readHistorySize(this.#parts.client, this.sessionId));
  }

  /** Tells if a worker is running for the session. `stopped`: the identity of one that the caller has ended. */
  async liveness(options: { stopped?: string | undefined } = {}): Promise<Liveness> {
    const { caller } = this.#parts;
    const { taskQueue } = await this.describe();
    return findLiveness({
      taskQueue,
      stopped: options.stopped,
      listWorkers: () => caller.callServer(() => caller.listWorkers(taskQueue)),
      ask: (deadlineMs) => caller.call(this.sessionId, (handle) => handle.query('snapshot'), { deadlineMs }),
    });
  }

  #storedReader(): StoredReader {
    return storedReader(this.sessionId, this.#parts, {
      describe: () => this.describe(),
      messages: () => this.messages(),
    });
  }

  #beats(): Promise<Beats> {
    return this.call(() => readBeats(this.#parts.client, this.sessionId));
  }
}

function partialOf({ model: [beat] }: Beats): PartialText | undefined {
  return beat && { turn: beat.turn, attempt: beat.attempt, text: beat.text };
}
