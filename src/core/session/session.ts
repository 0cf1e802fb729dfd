// A session: the one owner of its state, its inbox, and what waits for people. Pure: the host gives the time, hears of
// changes and stops what is in flight. requests.ts has the messages that a session takes, core/loop its work.
import { defaultSettings } from '../model/agent-spec.ts';
import type { AgentSettings } from '../model/agent-spec.ts';
import { newAgentState, stateVersion } from '../model/agent-state.ts';
import type { AgentState } from '../model/agent-state.ts';
import type { Child } from '../model/children.ts';
import type { AgentEventBody, WaitingFor } from '../model/events.ts';
import type { RunResult, SessionResult } from '../model/run-result.ts';
import type { SessionInput } from '../model/session-input.ts';
import type { OpenMessage, PendingApproval, PendingQuestion } from '../model/snapshot.ts';
import type { Fact } from '../state/facts.ts';
import { reduce } from '../state/reduce.ts';
import { forParent, resultWithoutRun } from '../state/run-outcome.ts';
import { Joined } from '../base/joined.ts';
import { Approvals } from './approvals.ts';
import { ChildWaits } from './child-waits.ts';
import { EventRing } from './event-ring.ts';
import { fromCarried, queuesOf } from './carried.ts';
import type { Carried } from './carried.ts';
import { Inbox } from './inbox.ts';
import { ParentNews } from './parent-news.ts';
import { Questions } from './questions.ts';
import type { SessionHost } from './session-host.ts';

/** Each names a worker or a configuration: a fleet that restarts for ever must not fill the state. */
const keptAnnouncements = 20;

/** `begun`: with its first turn, from which on its own time is known, too. */
export type RunDeadline = { runId: string; begun: boolean; at: number };

/** A timer that is set for one serves the other, too: once a run has begun, its time does not change. */
export function isSameDeadline(one: RunDeadline | undefined, other: RunDeadline | undefined): boolean {
  return one?.runId === other?.runId && (one?.begun === other?.begun || one?.at === other?.at);
}

function isForPeople(waitingFor: WaitingFor | undefined): boolean {
  return waitingFor === 'approval' || waitingFor === 'question' || waitingFor === 'operator';
}

export class Session {
  readonly id: string;
  /** Of Temporal's workflow run, or its like. */
  readonly executionId: string;
  /** The start input; with a checkpoint, the input of its session is under it. */
  input: SessionInput;
  state: AgentState;
  readonly events: EventRing;
  readonly inbox: Inbox;
  readonly approvals: Approvals;
  readonly questions: Questions;
  /** Of subagents that run. */
  readonly childWaits = new ChildWaits();
  readonly parentNews = new ParentNews(this);
  /** From message_start to message_end; a hand-over never falls between them. */
  openMessage: OpenMessage | undefined;
  readonly handOvers: number;
  /** The execution that handed over to this one; a retry of the workflow sets Temporal's own field, too. */
  readonly continuedFrom: string | undefined;
  /** Turns that ended in this execution. */
  turns = 0;
  /** A checkpoint is being loaded: busy, but without a run. */
  loading = false;
  /** The workflow itself was cancelled: the session ends, whatever it was asked to stay for. */
  cancelled = false;
  /** The problem that an operator is asked to fix. */
  operatorReason: string | undefined;
  /** Tasks that no worker could take, each with the part that was missing. */
  readonly lacks = new Set<{ lack: string }>();
  /** Checkpoints on the way. */
  readonly saves = new Joined();
  readonly #announced: Set<string>;
  /** When the run began to wait for people; undefined while it does not. */
  #waitsSince: number | undefined;
  readonly #host: SessionHost;

  constructor(input: SessionInput, host: SessionHost) {
    const carried = fromCarried(input.carried);
    this.id = host.id;
    this.executionId = host.executionId;
    this.input = input;
    this.#host = host;
    this.state = carried?.state ?? newAgentState(host.id);
    this.events = new EventRing(carried?.events);
    this.inbox = new Inbox((event) => this.announce(event), carried?.inbox);
    // known before the first run is assembled; the agent's own options come with that
    this.inbox.configure(carried?.state.context?.settings.queues ?? queuesOf(input));
    this.approvals = new Approvals(carried?.approvals ?? { times: carried?.approvalTimes ?? [] });
    this.questions = new Questions(carried?.questions);
    this.handOvers = carried?.handOvers ?? 0;
    this.continuedFrom = carried?.executionId;
    this.#announced = new Set(carried?.announced);
    if (!carried) this.announce({ type: 'session_start' });
  }

  now(): number {
    return this.#host.now();
  }

  /** Something outside of the state has changed. */
  changed(): void {
    this.#countWait();
    this.#host.changed();
    this.parentNews.update();
  }

  /** Messages that were passed on to a subagent, which has ended without them. */
  noteUndelivered(ids: readonly string[]): void {
    for (const id of ids) {
      if (!this.inbox.notDelivered(id)) continue;
      const message = `Message ${id} was not delivered: the subagent that it was for has ended.`;
      this.announce({ type: 'warning', code: 'Message.NotDelivered', message });
    }
  }

  /** A signal to another session; false where none of this id runs. */
  send(sessionId: string, signal: string, payload: unknown): Promise<boolean> {
    return this.#host.send?.(sessionId, signal, payload) ?? Promise.resolve(false);
  }

  /** Applies a fact. The state is replaced before its events can be read. */
  record(fact: Fact): void {
    const { state, events } = reduce(this.state, fact, this.now());
    const before = this.state.run;
    this.state = state;
    for (const event of events) this.#push(event, before?.runId);
    if (fact.type === 'turn_ended') this.turns += 1;
    if (fact.type === 'child_ended') {
      this.childWaits.forget(fact.childId);
      this.noteUndelivered(fact.undelivered ?? []);
    }
    this.changed();
  }

  /** An event that changes no state of the loop: a queue, an approval, a warning. */
  announce(event: AgentEventBody): void {
    this.#push(event, undefined);
    this.changed();
  }

  /** A warning that is given once a session, over all its executions. */
  announceOnce(code: string, message: string): void {
    if (this.#announced.has(message)) return;
    this.#announced.add(message);
    this.announce({ type: 'warning', code, message });
  }

  get taskId(): string {
    return this.input.taskId ?? this.input.parent?.taskId ?? this.id;
  }

  /** The run's settings; the defaults before its context is assembled. */
  get settings(): AgentSettings {
    return this.state.context?.settings ?? defaultSettings;
  }

  /** Id of the next run to begin. */
  get nextRunId(): string {
    return `run-${this.state.runs + 1}`;
  }

  /** From the acceptance of a prompt to its agent_end. */
  get busy(): boolean {
    return this.state.run !== undefined || this.inbox.hasPrompt || this.loading;
  }

  /** No further prompt is accepted. */
  get closing(): boolean {
    return this.inbox.closing || this.input.keepAlive !== true;
  }

  /** A stop that the loop has not dealt with yet: an abort ends the run, an interrupting message continues it. */
  get stop(): 'abort' | 'interrupt' | undefined {
    return this.inbox.stop;
  }

  /** When the run in hand must end, by its deadlineMs or the session's deadlineAt. The host calls timeOut then. */
  get deadline(): RunDeadline | undefined {
    const { run, context } = this.state;
    if (!run || run.end) return undefined;
    const begun = run.turn > 0;
    // before its first turn the context in the state is of the run before
    const { deadlineMs = Infinity } = (begun && context?.settings) || {};
    const at = Math.min(run.startedAt + deadlineMs, this.input.deadlineAt ?? Infinity);
    return Number.isFinite(at) ? { runId: run.runId, begun, at } : undefined;
  }

  get runningChildren(): Child[] {
    return this.state.children?.filter(({ state }) => state === 'running') ?? [];
  }

  /** With those of subagents. */
  get allApprovals(): PendingApproval[] {
    return [...this.approvals.pending, ...this.childWaits.approvals];
  }

  get allQuestions(): PendingQuestion[] {
    return [...this.questions.pending, ...this.childWaits.questions];
  }

  get waitingFor(): WaitingFor | undefined {
    if (this.approvals.pending.length > 0) return 'approval';
    if (this.questions.pending.length > 0) return 'question';
    if (this.operatorReason !== undefined) return 'operator';
    if (this.lacks.size > 0) return 'worker';
    return this.childWaits.waitingFor ?? (this.busy || this.closing ? undefined : 'prompt');
  }

  /** The subject of the wait, where a person can end it; of a subagent, its name first. */
  get waitingReason(): string | undefined {
    const [wait] = this.lacks;
    return this.operatorReason ?? wait?.lack ?? this.childWaits.waitingReason;
  }

  /** Ends the current run only; without one it is a no-op (STATE-09). */
  abort(): void {
    // a condense while idle is no run, but an abort ends it as well
    if (this.state.status === 'condensing' && !this.busy) this.stopInFlight();
    if (!this.busy || this.inbox.abort) return;
    this.inbox.abort = true;
    this.record({ type: 'aborting' });
    this.stopInFlight();
  }

  /** The run's deadline has passed: it is stopped as by an abort, and its end says so. */
  timeOut(runId: string): void {
    const { run } = this.state;
    if (run?.runId !== runId || run.end || this.inbox.abort) return;
    this.inbox.abort = true;
    this.record({ type: 'timed_out' });
    this.stopInFlight();
  }

  /** The workflow was cancelled. */
  cancel(): void {
    this.cancelled = true;
    this.inbox.closing = true;
    this.abort();
  }

  stopInFlight(): void {
    this.#host.stop();
  }

  /** The result of a session that closes. */
  end(): SessionResult {
    const undelivered = this.inbox.markUndelivered();
    const result = { ...this.lastResult, sessionId: this.id, undelivered };
    return this.input.parent ? forParent(result, this.state) : result;
  }

  /** A cancelled session reports `aborted`, with its last run's output (STATE-11). */
  get lastResult(): RunResult {
    const last = this.state.lastResult ?? resultWithoutRun(this.now());
    if (!this.cancelled) return last;
    const { cause: _, ...result } = last;
    return { ...result, status: 'aborted' };
  }

  carry(): Carried {
    return {
      version: stateVersion,
      state: this.state,
      events: this.events.carry(),
      inbox: this.inbox.carry(),
      approvals: this.approvals.carry(),
      questions: this.questions.carry(),
      handOvers: this.handOvers + 1,
      executionId: this.executionId,
      announced: [...this.#announced].slice(-keptAnnouncements),
    };
  }

  /** Waits end within a turn, and so within an execution. */
  #countWait(): void {
    const waits = this.state.run !== undefined && isForPeople(this.waitingFor);
    const since = this.#waitsSince;
    if (waits === (since !== undefined)) return;
    this.#waitsSince = waits ? this.now() : undefined;
    if (since !== undefined && this.state.run)
      this.record({ type: 'people_answered', ms: this.now() - since });
  }

  #push(event: AgentEventBody, endedRunId: string | undefined): void {
    const { run } = this.state;
    const runId = run?.runId ?? endedRunId;
    if (event.type === 'message_start') {
      this.openMessage = { runId: runId ?? '', turn: run?.turn ?? 0, messageSeq: event.messageSeq ?? 0 };
    }
    if (event.type === 'message_end') this.openMessage = undefined;
    const numbered = this.events.push({
      at: this.now(),
      ...(runId === undefined ? {} : { runId }),
      ...(run ? { turn: run.turn } : {}),
      ...event,
    });
    this.#host.happened?.(numbered);
  }
}
