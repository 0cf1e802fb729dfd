// Holds the current state of a session and the ring of its events; the one writer is the loop (through record),
// the readers are queries. The clock is passed in.
import type { AgentState } from '../model/agent-state.ts';
import type { AgentEventBody } from '../model/events.ts';
import type { EventRing } from './event-ring.ts';
import type { Fact } from '../state/facts.ts';
import { reduce } from '../state/reduce.ts';

/** A message whose start was told and whose end was not: the reply that a model is writing. */
export type OpenMessage = { runId: string; turn: number; messageSeq: number };

export class AgentStore {
  state: AgentState;
  readonly events: EventRing;
  /** From message_start to message_end; a hand-over never falls between them. */
  openMessage: OpenMessage | undefined;
  readonly #now: () => number;
  readonly #changed: () => void;

  constructor(state: AgentState, events: EventRing, now: () => number, changed: () => void = () => {}) {
    this.state = state;
    this.events = events;
    this.#now = now;
    this.#changed = changed;
  }

  /** Applies a fact. The state is replaced before its events can be read. */
  record(fact: Fact): void {
    const { state, events } = reduce(this.state, fact, this.#now());
    const before = this.state.run;
    this.state = state;
    for (const event of events) this.#push(event, before?.runId);
    this.#changed();
  }

  /** An event that changes no state of the loop: a queue, an approval, a warning. */
  announce(event: AgentEventBody): void {
    this.#push(event, undefined);
    this.#changed();
  }

  #push(event: AgentEventBody, endedRunId: string | undefined): void {
    const { run } = this.state;
    const runId = run?.runId ?? endedRunId;
    if (event.type === 'message_start') {
      this.openMessage = { runId: runId ?? '', turn: run?.turn ?? 0, messageSeq: event.messageSeq ?? 0 };
    }
    if (event.type === 'message_end') this.openMessage = undefined;
    this.events.push({
      at: this.#now(),
      ...(runId === undefined ? {} : { runId }),
      ...(run ? { turn: run.turn } : {}),
      ...event,
    });
  }
}
