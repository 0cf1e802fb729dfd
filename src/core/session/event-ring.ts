// The newest events of a session, numbered from 1 and bounded (EVENT-07). A reader that asks for older events is told
// that they are gone, and reads the snapshot and the messages instead. Pure.
import { newest } from '@holdfast/base/newest';
import { jsonBytes } from '@holdfast/base/sizes';
import type { AgentEvent, AgentEventBody, EventPage } from '@holdfast/vocabulary/events';

/** Number of events kept, and bytes of the newest ones, which travel over continue-as-new. */
const ringSize = 250;
const carriedBytes = 4 * 1024;

export type CarriedEvents = { nextSeq: number; events: AgentEvent[] };
type Unnumbered = { at: number; runId?: string; turn?: number } & AgentEventBody;

export class EventRing {
  #events: AgentEvent[];
  #nextSeq: number;

  constructor(carried: CarriedEvents = { nextSeq: 1, events: [] }) {
    this.#events = carried.events;
    this.#nextSeq = carried.nextSeq;
  }

  get lastSeq(): number {
    return this.#nextSeq - 1;
  }

  push(event: Unnumbered): AgentEvent {
    const numbered = { ...event, seq: this.#nextSeq++ };
    this.#events.push(numbered);
    if (this.#events.length > ringSize) this.#events.shift();
    return numbered;
  }

  /**
   * Milliseconds from the question about this call to its answer; undefined if there was none, or its event is gone.
   */
  waitedMs({ callId, at }: { callId: string; at: number }): number | undefined {
    const asked = this.#events.findLast(
      (event) =>
        (event.type === 'approval_requested' || event.type === 'question_asked') && event.callId === callId,
    );
    return asked && at - asked.at;
  }

  page(afterSeq: number, limit = ringSize): EventPage {
    const firstSeq = this.#events[0]?.seq ?? this.#nextSeq;
    const events = this.#events.filter((event) => event.seq > afterSeq).slice(0, limit);
    return { events, firstSeq, lastSeq: this.lastSeq, truncated: afterSeq + 1 < firstSeq };
  }

  carry(): CarriedEvents {
    return { nextSeq: this.#nextSeq, events: newest(this.#events, carriedBytes, jsonBytes) };
  }
}
