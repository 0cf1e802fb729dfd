// A session: the only owner of its state, its inbox, and its waits for people. Pure: the host gives the time, is
// notified of changes and stops work in flight. requests.ts handles messages to the session, core/loop does its work.
import { omit } from '@holdfast/base/omit';
import { defined } from '@holdfast/base/defined';
import type { InTurn } from '@holdfast/vocabulary/activity-contracts';
import { type AgentSettings, defaultSettings } from '@holdfast/vocabulary/agent-spec';
import { type AgentState, newAgentState, stateVersion, storedIdOf } from '@holdfast/vocabulary/agent-state';
import type { Child } from '@holdfast/vocabulary/children';
import type { AgentEventBody, WaitingFor } from '@holdfast/vocabulary/events';
import { isWholeReply } from '@holdfast/vocabulary/messages';
import type { RunResult, SessionResult } from '@holdfast/vocabulary/run-result';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { OpenMessage, PendingApproval, PendingQuestion } from '@holdfast/vocabulary/snapshot';
import type { Fact } from '../state/facts.ts';
import { describeUnread } from '@holdfast/report/describe-end';
import { reduce } from '../state/reduce.ts';
import { forParent, resultWithoutRun } from '../state/run-outcome.ts';
import { InOrder } from '@holdfast/base/in-order';
import { Joined } from '@holdfast/base/joined';
import { Approvals } from './approvals.ts';
import { ChildWaits } from './child-waits.ts';
import { EventRing } from './event-ring.ts';
import { type Carried, fromCarried, queuesOf } from './carried.ts';
import { Inbox } from './inbox.ts';
import { ParentNews } from './parent-news.ts';
import { Questions } from './questions.ts';
import type { SessionHost } from './session-host.ts';
import type { StoredPlace } from '@holdfast/vocabulary/storage-contracts';

/** Bounded, because each names a worker or a configuration: a fleet that keeps restarting must not fill the state. */
const keptAnnouncements = 20;

/** `begun`: the first turn has started; only from then on is the run's own time limit known. */
type RunDeadline = { runId: string; begun: boolean; at: number };

function isForPeople(waitingFor: WaitingFor | undefined): boolean {
  return waitingFor === 'approval' || waitingFor === 'question' || waitingFor === 'operator';
}

export class Session {
  readonly id: string;
  /** Id of Temporal's workflow run, or of the in-process host's execution. */
  readonly executionId: string;
  /** The start input; with a checkpoint, the input of its session fills the missing fields. */
  input: SessionInput;
  state: AgentState;
  readonly events: EventRing;
  readonly inbox: Inbox;
  readonly approvals: Approvals;
  readonly questions: Questions;
  /** Approvals, questions and operator waits in running subagents. */
  readonly childWaits = new ChildWaits();
  readonly parentNews = new ParentNews(this);
  /** Set from message_start to message_end; a hand-over never comes between them. */
  openMessage: OpenMessage | undefined;
  readonly handOvers: number;
  /** The result of the last run is in the artifact store. */
  isStored = false;
  /**
   * The execution that handed over to this one. Temporal's own field is no substitute: a retry of the workflow sets it,
   * too.
   */
  readonly continuedFrom: string | undefined;
  /** Turns that ended in this execution. */
  turns = 0;
  /** A checkpoint is being loaded: the session is busy, but has no run. */
  loading = false;
  /** The workflow itself was cancelled: the session ends even with keepAlive. */
  cancelled = false;
  /** The problem that an operator is asked to fix. */
  operatorReason: string | undefined;
  /** Tasks that no worker could take, each with its missing part. */
  readonly lacks = new Set<{ lack: string }>();
  /** Number of stops so far; an abort while idle is one, too. */
  stops = 0;
  /** Checkpoint saves in progress. */
  readonly saves = new Joined();
  /** Signals on their way, by the session they go to. */
  readonly sending = new InOrder();
  readonly #announced: Set<string>;
  /** Start of the run's current wait for people; undefined while it does not wait. */
  waitsSince: number | undefined;
  #timer: (RunDeadline & { cancel: (() => void) | undefined }) | undefined;
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
    // the queues' options are needed before the first run has a context with the agent's own options
    this.inbox.configure(carried?.state.context?.settings.queues ?? queuesOf(input));
    this.approvals = new Approvals(carried?.approvals);
    this.questions = new Questions(carried?.questions);
    this.handOvers = carried?.handOvers ?? 0;
    this.continuedFrom = carried?.executionId;
    this.#announced = new Set(carried?.announced);
    if (!carried) this.announce({ type: 'session_start' });
  }

  now(): number {
    return this.#host.now();
  }

  /** Reports a change outside of the state. */
  changed(): void {
    this.#countWait();
    this.#followDeadline();
    this.#host.changed();
    this.parentNews.update();
  }

  /** The timer starts with the run's first turn; for deadlineAt, with the run. Once a run has begun, its time does not change. */
  #followDeadline(): void {
    const { deadline } = this;
    const before = this.#timer;
    const isSameTime = before?.begun === deadline?.begun || before?.at === deadline?.at;
    if (before?.runId === deadline?.runId && isSameTime) return;
    before?.cancel?.();
    this.#timer = deadline && {
      ...deadline,
      cancel: this.#host.after?.(Math.max(1, deadline.at - this.now()), () => this.timeOut(deadline.runId)),
    };
  }

  /** Marks messages that were forwarded to a subagent and never delivered. */
  noteUndelivered(ids: readonly string[]): void {
    for (const id of ids) {
      if (!this.inbox.notDelivered(id)) continue;
      const message = `Message ${id} was not delivered: the subagent that it was for has ended.`;
      this.warn('Message.NotDelivered', message);
    }
  }

  /**
   * Sends a signal to another session; false if no session with this id is running. One at a time to each: two on the
   * way may arrive in the other order.
   */
  send(sessionId: string, signal: string, payload: unknown): Promise<boolean> {
    const send = () => this.#host.send?.(sessionId, signal, payload) ?? Promise.resolve(false);
    return this.sending.run(sessionId, send);
  }

  /** Applies a fact. The state is replaced before its events can be read. */
  record(fact: Fact): void {
    const { state, events } = reduce(this.state, fact, this.now());
    const before = this.state.run;
    this.state = state;
    for (const event of events) this.#push(event, before?.runId);
    if (fact.type === 'turn_ended') this.turns += 1;
    if (fact.type === 'child_ended') {
      this.childWaits.forget(fact.childId, this.now());
      this.noteUndelivered(fact.undelivered ?? []);
    }
    this.changed();
  }

  /** An event that changes no state of the loop: a queue, an approval, a warning. */
  announce(event: AgentEventBody): void {
    this.#push(event, undefined);
    this.changed();
  }

  warn(code: string, message: string): void {
    this.announce({ type: 'warning', code, message });
  }

  /** Gives a warning once a session, over all its executions. */
  announceOnce(code: string, message: string): void {
    if (this.#announced.has(message)) return;
    this.#announced.add(message);
    this.warn(code, message);
  }

  get taskId(): string {
    return this.input.taskId ?? this.input.parent?.taskId ?? this.id;
  }

  /** The name under which it stores, and the beginning of its keys and of its subagents' ids. */
  get key(): string {
    return storedIdOf(this.state);
  }

  /** The same for activities that may be the first to store something. */
  get place(): StoredPlace {
    const { id: sessionId, executionId: execution } = this;
    const { storedAs } = this.state;
    return storedAs === sessionId ? { sessionId } : { sessionId, execution, ...defined({ storedAs }) };
  }

  /** The first fields of the input of an activity within a turn; between two runs they name the last one. */
  get inTurn(): InTurn {
    const { run, lastResult, context } = this.state;
    return {
      sessionId: this.key,
      runId: run?.runId ?? lastResult?.runId ?? '',
      turn: run?.turn ?? 0,
      contextDigest: context?.digest ?? '',
    };
  }

  /** The run's settings; the defaults before its context is assembled. */
  get settings(): AgentSettings {
    return this.state.context?.settings ?? defaultSettings;
  }

  get nextRunId(): string {
    return `run-${this.state.runs + 1}`;
  }

  /** True from the acceptance of a prompt to its agent_end. */
  get busy(): boolean {
    return this.state.run !== undefined || this.inbox.hasPrompt || this.loading;
  }

  /** True before a request: while the view is condensed, a hook runs, an operator is waited for. */
  get isPreparing(): boolean {
    const { run } = this.state;
    if (!run || run.end || run.cursor === 'answered') return false;
    return this.openMessage === undefined || this.operatorReason !== undefined;
  }

  /** A sentence about messages that no run is there to read, and of a session that ends those that no subagent has read. */
  get unread(): string | undefined {
    const { busy, closing } = this;
    const count = busy ? 0 : this.inbox.unreadIds(closing).length;
    return count === 0 ? undefined : describeUnread(this.id, count, !closing);
  }

  /** True if no further prompt is accepted. */
  get closing(): boolean {
    return this.inbox.closing || this.input.keepAlive !== true;
  }

  /** A stop that the loop has not yet handled: an abort ends the run, an interrupting message continues it. */
  get stop(): 'abort' | 'interrupt' | undefined {
    return this.inbox.stop;
  }

  /** The end of the current run by its loop.deadlineMs or the session's deadlineAt. */
  get deadline(): RunDeadline | undefined {
    const { run, context } = this.state;
    if (!run || run.end) return undefined;
    const begun = run.turn > 0;
    // before the first turn, the state still has the context of the run before
    const deadlineMs = (begun ? context?.settings.loop.deadlineMs : undefined) ?? Infinity;
    const at = Math.min(run.startedAt + deadlineMs, this.input.deadlineAt ?? Infinity);
    return Number.isFinite(at) ? { runId: run.runId, begun, at } : undefined;
  }

  get runningChildren(): Child[] {
    return this.state.children?.filter(({ state }) => state === 'running') ?? [];
  }

  /** Own approvals and those of subagents. */
  get allApprovals(): PendingApproval[] {
    return [...this.approvals.pending, ...this.childWaits.approvals.map((one) => this.#withinRun(one))];
  }

  get allQuestions(): PendingQuestion[] {
    return [...this.questions.pending, ...this.childWaits.questions.map((one) => this.#withinRun(one))];
  }

  /** The number of the answer that the log ends with; 0 if it ends otherwise. */
  get answered(): number {
    const last = this.state.log.records.at(-1);
    return last && isWholeReply(last) ? last.seq : 0;
  }

  /** Marks of all items that wait for people; an item itself changes only by its escalation. */
  get waitMarks(): string {
    const waiting = [...this.allApprovals, ...this.allQuestions];
    return waiting.map(({ id, escalatedAt }) => (escalatedAt === undefined ? id : `${id}!`)).join(' ');
  }

  /** A subagent ends with the run of its session. */
  #withinRun<Pending extends { deadline: number }>(pending: Pending): Pending {
    return { ...pending, deadline: Math.min(pending.deadline, this.deadline?.at ?? Infinity) };
  }

  get waitingFor(): WaitingFor | undefined {
    if (this.approvals.pending.length > 0) return 'approval';
    if (this.questions.pending.length > 0) return 'question';
    if (this.operatorReason !== undefined) return 'operator';
    if (this.lacks.size > 0) return 'worker';
    return this.childWaits.waitingFor ?? (this.busy || this.closing ? undefined : 'prompt');
  }

  /** The subject of the wait, if a person can end it; for a subagent, its name comes first. */
  get waitingReason(): string | undefined {
    const [wait] = this.lacks;
    return this.operatorReason ?? wait?.lack ?? this.childWaits.waitingReason;
  }

  /** Ends the current run only; without one it is a no-op (STATE-09). */
  abort(): void {
    // a condense while idle is no run, but an abort ends it, too
    if (this.state.status === 'condensing' && !this.busy) this.stopInFlight();
    if (!this.busy || this.inbox.abort) return;
    this.inbox.abort = true;
    this.record({ type: 'aborting' });
    this.stopInFlight();
  }

  /** Stops the run like an abort; its end names the deadline as the cause. */
  timeOut(runId: string): void {
    const { run } = this.state;
    if (run?.runId !== runId || run.end || this.inbox.abort) return;
    this.inbox.abort = true;
    this.record({ type: 'timed_out' });
    this.stopInFlight();
  }

  /** Handles a cancellation of the workflow. */
  cancel(): void {
    // the last run is over, and its result delivered
    if (this.closing && this.state.lastResult && !this.busy) return;
    this.cancelled = true;
    this.inbox.closing = true;
    this.abort();
  }

  stopInFlight(): void {
    this.stops += 1;
    this.#host.stop();
  }

  /** The result of a session that closes. */
  end(): SessionResult {
    const undelivered = this.inbox.markUndelivered();
    const result = { ...this.lastResult, sessionId: this.key, undelivered };
    return this.input.parent ? forParent(result, this.state, this.isStored) : result;
  }

  /** A cancelled session reports `aborted`, with its last run's output (STATE-11). */
  get lastResult(): RunResult {
    const last = this.state.lastResult ?? resultWithoutRun(this.now());
    if (!this.cancelled) return last;
    return { ...omit(last, 'cause'), status: 'aborted' };
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

  /** A wait for people ends within a turn, and so within an execution. */
  #countWait(): void {
    const waits = this.state.run !== undefined && isForPeople(this.waitingFor);
    const since = this.waitsSince;
    if (waits === (since !== undefined)) return;
    this.waitsSince = waits ? this.now() : undefined;
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
    const numbered = this.events.push({ at: this.now(), ...defined({ runId, turn: run?.turn }), ...event });
    this.#host.happened?.(numbered);
  }
}
