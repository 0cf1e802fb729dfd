// One session in this execution: its state, its inbox and what waits, restored from what the execution before
// carried over. Identity lives here; the rules live in core.
import { workflowInfo } from '@temporalio/workflow';
import type { AgentSettings, QueueOptions } from '../core/model/agent-spec.ts';
import { defaultSettings } from '../core/model/agent-spec.ts';
import { newAgentState, stateVersion } from '../core/model/agent-state.ts';
import type { AgentState } from '../core/model/agent-state.ts';
import { AgentStore } from '../core/session/agent-store.ts';
import { EventRing } from '../core/session/event-ring.ts';
import type { CarriedEvents } from '../core/session/event-ring.ts';
import type { WaitingFor } from '../core/model/events.ts';
import { Inbox } from '../core/session/inbox.ts';
import type { CarriedInbox } from '../core/session/inbox.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import { parseState } from '../core/checkpoint/parse-state.ts';
import { Approvals } from './approvals.ts';
import { Deadline } from './deadline.ts';
import { Stopper } from './stopper.ts';

/** What one execution hands to the next, beside the start input. */
export type Carried = {
  version: number;
  state: AgentState;
  events: CarriedEvents;
  inbox: CarriedInbox;
  approvalTimes: number[];
  handOvers: number;
  /** Temporal's id of the execution that hands over. */
  workflowRunId: string;
  /** The newest warnings that are given once. Absent: none. */
  announced?: string[];
};

/** Each names a worker or a configuration: there are few, and a fleet that restarts for ever must not fill the state. */
const keptAnnouncements = 20;

export class Session {
  readonly id = workflowInfo().workflowId;
  /** The start input; with a checkpoint what its session was started with is under it. */
  input: SessionInput;
  readonly store: AgentStore;
  readonly inbox: Inbox;
  readonly approvals: Approvals;
  readonly stopper = new Stopper();
  readonly deadline = new Deadline();
  readonly handOvers: number;
  /** The execution that handed over to this one; not Temporal's own field, which a retry of the workflow sets too. */
  readonly continuedFrom: string | undefined;
  /** Turns before this execution, over all runs; for tests that force a hand-over. */
  readonly turnsAtStart: number;
  /** What it goes on from is being loaded: busy, but without a run. */
  loading = false;
  /** The workflow itself was cancelled: the session ends, whatever it was asked to stay for. */
  cancelled = false;
  /** What an operator is asked to mend. */
  operatorReason: string | undefined;
  /** Tasks that no worker could take, with what it lacked. */
  readonly lacks = new Set<{ lack: string }>();
  /** Warnings that are given once a session; carried over continue-as-new. */
  readonly #announced: Set<string>;
  turns = 0;
  onChange: () => void = () => {};

  constructor(input: SessionInput) {
    const carried = fromCarried(input.carried);
    this.input = input;
    this.handOvers = carried?.handOvers ?? 0;
    this.continuedFrom = carried?.workflowRunId;
    this.turnsAtStart = carried?.state.run?.turn ?? 0;
    this.store = new AgentStore(
      carried?.state ?? newAgentState(this.id),
      new EventRing(carried?.events),
      () => Date.now(),
      () => this.onChange(),
    );
    this.inbox = new Inbox((event) => this.store.announce(event), carried?.inbox);
    // known before the first run is assembled; the agent's own options come with that
    this.inbox.configure(carried?.state.context?.settings.queues ?? queuesOf(input));
    this.approvals = new Approvals(carried?.approvalTimes);
    this.#announced = new Set(carried?.announced);
    if (!carried) this.store.announce({ type: 'session_start' });
  }

  get state(): AgentState {
    return this.store.state;
  }

  get taskId(): string {
    return this.input.taskId ?? this.id;
  }

  /** The run's settings; the defaults before its context is assembled. */
  get settings(): AgentSettings {
    return this.state.context?.settings ?? defaultSettings;
  }

  /** From the acceptance of a prompt to its agent_end. */
  get busy(): boolean {
    return this.state.run !== undefined || this.inbox.hasPrompt || this.loading;
  }

  get closing(): boolean {
    return this.inbox.closing || this.input.keepAlive !== true;
  }

  get waitingFor(): WaitingFor | undefined {
    if (this.approvals.pending.length > 0) return 'approval';
    if (this.operatorReason !== undefined) return 'operator';
    if (this.lacks.size > 0) return 'worker';
    return this.busy || this.closing ? undefined : 'prompt';
  }

  /** What the wait is about, where a person can end it. */
  get waitingReason(): string | undefined {
    const [wait] = this.lacks;
    return this.operatorReason ?? wait?.lack;
  }

  get stopReason(): 'abort' | 'interrupt' | undefined {
    return this.inbox.stop;
  }

  /** Ends the current run only; without one it is a no-op (STATE-09). */
  abort(): void {
    // a condense while idle is no run, but whoever wants quiet gets it
    if (this.state.status === 'condensing' && !this.busy) this.stopper.stopAll();
    if (!this.busy || this.inbox.abort) return;
    this.inbox.abort = true;
    this.store.record({ type: 'aborting' });
    this.stopper.stopAll();
  }

  /** The run's time is up: stopped like by an abort, and told apart by its end. */
  timeOut(runId: string): void {
    const { run } = this.state;
    if (run?.runId !== runId || run.end || this.inbox.abort) return;
    this.inbox.abort = true;
    this.store.record({ type: 'timed_out' });
    this.stopper.stopAll();
  }

  /** A warning; the same text a second time says nothing new. */
  announceOnce(code: string, message: string): void {
    if (this.#announced.has(message)) return;
    this.#announced.add(message);
    this.store.announce({ type: 'warning', code, message });
  }

  carry(): Carried {
    return {
      version: stateVersion,
      state: this.state,
      events: this.store.events.carry(),
      inbox: this.inbox.carry(),
      approvalTimes: this.approvals.requestTimes,
      handOvers: this.handOvers + 1,
      workflowRunId: workflowInfo().runId,
      ...(this.#announced.size === 0 ? {} : { announced: [...this.#announced].slice(-keptAnnouncements) }),
    };
  }
}

/**
 * The one place where carried state gets its type. A state that this version cannot read
 * blocks the workflow until code is deployed that can: nothing is lost, and nothing is guessed.
 */
function fromCarried(carried: object | undefined): Carried | undefined {
  if (carried === undefined) return undefined;
  const { state, ...rest } = carried as Carried;
  const parsed = parseState(state);
  if (!parsed.ok) throw new Error(`The carried state cannot be read: ${parsed.reason}.`);
  return { ...rest, state: parsed.value };
}

/** Any language may send the input: what is no option is left to assembleContext, which refuses it. */
function queuesOf({ queues }: SessionInput): Partial<QueueOptions> {
  return typeof queues === 'object' && queues !== null ? queues : {};
}
