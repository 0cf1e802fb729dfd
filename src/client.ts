// The client of Holdfast: starts sessions, lists them, and gives a handle to each. A composition root over one Temporal
// connection; needs no worker in its own process.
import { resolveNames } from '@holdfast/stored/session-names';
import { Client, type Connection, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { PayloadCodec } from '@temporalio/common';
import {
  toDataConverter,
  type EncryptionKeys,
  createPayloadCodec,
  withoutRefusals,
} from './codec/payload-codec.ts';
import { Alerts } from './client/alerts.ts';
import { placeCheckpoint } from './client/checkpoints.ts';
import { ClientError } from './client/client-error.ts';
import { type UndeliveredMessage, listUndelivered } from './client/deliveries.ts';
import { createPolledLive, readBeats } from './client/pending-calls.ts';
import { noteReaderName } from '@holdfast/vocabulary/outer-names';
import { SessionCaller } from './client/session-caller.ts';
import { type HandleParts, SessionHandle } from './client/session-handle.ts';
import {
  type ListOptions,
  type SessionListing,
  listMayWait,
  listSessions,
  withFailingTasks,
  withOutcome,
} from './client/session-list.ts';
import type { ArtifactWriter, ArtifactReader } from '@holdfast/stored/artifact-names';
import { startWithImages } from './client/images.ts';
import { Schedule } from './client/schedule.ts';
import { type ScheduleState, listSchedules, schedulesAnswerMs } from './client/schedule-state.ts';
import { type StartOptions, nameStart, toWorkflowStart } from './client/start-session.ts';
import { SessionHubs } from './client/subscription.ts';
import { TaskBoard } from './client/task-board.ts';
import { type WaitingList, askWhatWaits } from './client/waiting-list.ts';
import * as api from './workflows/session/workflow-api.ts';
import type { LiveSource } from '@holdfast/vocabulary/session-events';
import { describeOther } from '@holdfast/vocabulary/workflow-ids';
import type { Report } from '@holdfast/report/report';

export { parseEncryptionKey } from './codec/encryption-key.ts';
export { ClientError, type ClientErrorCode, RunError } from './client/client-error.ts';
export { type ImageFile, userMessage } from './client/images.ts';
export { parseCheckpoint, parseCheckpointText } from './core/checkpoint/checkpoint.schema.ts';
export { forkCheckpoint } from './core/checkpoint/fork-checkpoint.ts';
export { renderReport } from '@holdfast/report/report-markdown';
export { renderReportHtml } from '@holdfast/report/report-html';
export { mergeUpdate } from '@holdfast/vocabulary/session-events';

export type { Alerts, ListedAlert, SentAlerts } from './client/alerts.ts';
export type { Alert } from '@holdfast/vocabulary/alert';
export type { ReceiverState } from './core/alerts/slot-queue.ts';
export type { EncryptionKeys } from './codec/payload-codec.ts';
export type { DeliverOptions, UndeliveredMessage } from './client/deliveries.ts';
export type { Liveness } from './client/liveness.ts';
export type { RunningCall } from './client/pending-calls.ts';
export type { WatchItem } from './client/session-events.ts';
export type { InFlight, MergedSnapshot, SessionHandle } from './client/session-handle.ts';
export type { FailingTask } from './client/failing-task.ts';
export type { ListOptions, SessionListing, SessionStatus } from './client/session-list.ts';
export type { MissingRecords } from './client/session-log.ts';
export type {
  Approval,
  Decision,
  SentMessage,
  SessionSender,
  SteerOptions,
} from './client/session-sender.ts';
export type { HistorySize } from './client/history-size.ts';
export type { RemovedHistories } from './client/remove-session.ts';
export type { NewSchedule, Schedule } from './client/schedule.ts';
export type { ScheduleState } from './client/schedule-state.ts';
export type { SessionTree } from './client/session-tree.ts';
export type { StartOptions } from './client/start-session.ts';
export type { Heard, Listener, SubscribeOptions, Subscription } from './client/subscription.ts';
export type { TaskBoard } from './client/task-board.ts';
export type { WaitingItem, WaitingList } from './client/waiting-list.ts';
export type { ArtifactReader } from '@holdfast/stored/artifact-names';
export type { OutputPlace } from '@holdfast/stored/open-session';
export type { RunErrorCode } from '@holdfast/base/failures';
export type { Parsed } from '@holdfast/base/json';
export type { BoardTask } from '@holdfast/vocabulary/board';
export type { AgentEvent, EventPage } from '@holdfast/vocabulary/events';
export type { ImagePart, LogRecord, UserMessage } from '@holdfast/vocabulary/messages';
export type { Plan } from '@holdfast/vocabulary/plan';
export type { Outcome, RunResult, SessionResult, Thoughts } from '@holdfast/vocabulary/run-result';
export type { PartialReply, SessionEvent } from '@holdfast/vocabulary/session-events';
export type { Checkpoint, PromptInput, SessionInput } from '@holdfast/vocabulary/session-input';
export type {
  PendingApproval,
  PendingQuestion,
  QueuedText,
  Receipt,
  Snapshot,
} from '@holdfast/vocabulary/snapshot';
export type { OutputLines } from '@holdfast/vocabulary/stored-reads';
export type { Report } from '@holdfast/report/report';

/** Live pieces from workers of this process; undefined for a session that none of them runs. */
export type LiveBus = { subscribe(sessionId: string): LiveSource | undefined };

export type ClientOptions = {
  connection: Connection;
  namespace: string;
  /** Task queue for new sessions. */
  taskQueue: string;
  /** Store of results and log segments that have left the history. */
  artifacts?: (ArtifactReader & Partial<ArtifactWriter>) | undefined;
  /** Keys of the namespace's sessions, if they are encrypted. Session ids then have no words of the task. */
  encryption?: EncryptionKeys | undefined;
  /** Source for `subscribe`, e.g. the `deltaBus` of a worker. Absent: polls the worker's heartbeats. */
  live?: LiveBus;
  /** Limit for a session's answer in ms. Default 10 s, because a worker may have to replay a long history first. */
  answerTimeoutMs?: number;
};

/** A handle that also names the first run of the workflow. */
export type StartedSession = SessionHandle & { readonly workflowRunId: string };

/** Every method rejects with a ClientError whose `code` names the problem. */
export class HoldfastClient {
  /** Alerts and what became of them. */
  readonly alerts: Alerts;
  readonly #listing: Client;
  readonly #caller: SessionCaller;
  readonly #parts: HandleParts;

  constructor(options: ClientOptions) {
    const { connection, namespace, live, encryption } = options;
    const codec = createPayloadCodec(namespace, encryption);
    const open = (used: PayloadCodec): Client =>
      new Client({ connection, namespace, dataConverter: toDataConverter(used) });
    const client = open(codec);
    // one session with a lost key must not hide the others
    this.#listing = open(withoutRefusals(codec));
    this.#caller = new SessionCaller(client, options.answerTimeoutMs);
    const hubs = new SessionHubs((sessionId) => ({
      events: (signal) => this.session(sessionId).events(0, signal),
      live: () =>
        live?.subscribe(sessionId) ??
        createPolledLive(sessionId, {
          read: () => this.#caller.call(sessionId, () => readBeats(client, sessionId)),
          note: () => this.#caller.call(sessionId, (handle) => handle.query(noteReaderName)),
        }),
    }));
    const { artifacts, taskQueue } = options;
    const encrypted = encryption !== undefined;
    this.#parts = { client, hubs, caller: this.#caller, artifacts, taskQueue, encrypted };
    this.alerts = new Alerts(this.#parts);
  }

  /**
   * A handle to the session with this id. Sends nothing: for an unknown session the first call rejects. Throws for the id of
   * another workflow, such as a group of alerts.
   */
  session(sessionId: string): SessionHandle {
    const other = describeOther(sessionId);
    if (other !== undefined)
      throw new ClientError(
        'UnknownSession',
        `No session "${sessionId}": it is the id of ${other}. "holdfast list" shows the sessions.`,
      );
    return new SessionHandle(sessionId, this.#parts);
  }

  /** The report of the session's newest run, or of `runId`; undefined if there is none. */
  async report(sessionId: string, options: { runId?: string } = {}): Promise<Report | undefined> {
    return this.session(sessionId).readReport(options);
  }

  /** A handle to the task board with this name, which the first `add` opens. Throws for an invalid name. */
  board(name: string): TaskBoard {
    return new TaskBoard(name, this.#parts);
  }

  /** A handle to the schedule with this name, which `create` makes. Throws for an invalid name. */
  schedule(name: string): Schedule {
    return new Schedule(name, this.#parts);
  }

  /** The schedules of this namespace, by name, each with its two newest sessions. */
  schedules(): Promise<ScheduleState[]> {
    return this.#caller.callServer(() => listSchedules(this.#listing), schedulesAnswerMs);
  }

  /** Starts a session and gives its handle. The input is checked and measured before anything is sent. */
  async start(input: SessionInput, options: StartOptions = {}): Promise<StartedSession> {
    const { client, artifacts, taskQueue, encrypted } = this.#parts;
    const named = nameStart(input, { ...options, encrypted });
    const shown = await startWithImages(input, named.sessionId, options.images, artifacts);
    const placed = await placeCheckpoint(shown, named.sessionId, artifacts);
    const start = toWorkflowStart(placed, named, taskQueue);
    return this.#caller.callServer(async () => {
      try {
        const { firstExecutionRunId } = await client.workflow.start(api.agentSessionType, start);
        return Object.assign(this.session(start.workflowId), { workflowRunId: firstExecutionRunId });
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        const message = `A session "${start.workflowId}" exists already: choose another id, or leave it out.`;
        throw new ClientError('SessionExists', message, { cause: error });
      }
    });
  }

  /** Sessions of this namespace, newest first. */
  async list(options: ListOptions = {}): Promise<SessionListing[]> {
    const found = await this.#caller.callServer(async () =>
      withFailingTasks(this.#listing, await listSessions(this.#listing, options)),
    );
    return Promise.all(found.map((listing) => withOutcome(listing, this.#parts.artifacts)));
  }

  /**
   * Pending approvals and questions of all running sessions of this namespace, oldest first. Needs a worker only for
   * sessions with many of them.
   */
  async waiting(): Promise<WaitingList> {
    const sessions = await this.#caller.callServer(() => listMayWait(this.#listing));
    return askWhatWaits(sessions, (sessionId) => this.session(sessionId).snapshot());
  }

  /** Messages of sessions that some destination has not got, oldest first: failed, or tried again. Of one session, or of all. */
  async undelivered(sessionId?: string): Promise<UndeliveredMessage[]> {
    return this.#caller.callServer(() => listUndelivered(this.#listing, sessionId));
  }

  /**
   * For a process that passes on the calls of many: at most so many starts, lists and alerts at once; further ones wait
   * for 2 s and are then refused as `TooBusy`.
   */
  limitServerCalls(most: number): void {
    this.#caller.limitServerCalls(most);
  }

  /** Rejects while the server cannot read its database: other answers come from its memory alone. */
  async assertServing(): Promise<void> {
    await this.#caller.assertServing();
  }

  /** True if the server lists a running worker for a task queue, by default that of new sessions. */
  async hasWorker(taskQueue = this.#parts.taskQueue): Promise<boolean> {
    return this.#caller.hasWorker(taskQueue);
  }

  /**
   * Resolves when no call is in flight: closing the connection under a call that is being retried would end the
   * process. A broken event stream leaves such a call behind.
   */
  async settled(): Promise<void> {
    await this.#caller.settled();
  }
}

export function createClient(options: ClientOptions): HoldfastClient {
  return new HoldfastClient({ ...options, artifacts: options.artifacts && resolveNames(options.artifacts) });
}
