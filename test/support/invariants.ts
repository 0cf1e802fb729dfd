// What must hold of a session at every moment (invariants I1, I2 and I5 of docs/behaviours.md), checked on the in-memory
// session from outside: log, requests, events, queues, receipts and runs.
import { expect } from 'vitest';
import type { AgentEvent, SessionState } from '@holdfast/vocabulary/events';
import type { LogRecord, Message } from '@holdfast/vocabulary/messages';
import { toolCallsOf } from '@holdfast/vocabulary/messages';
import type { MemorySession } from './memory-session.ts';

/** The moves of STATE-01, written down a second time. */
const legal: Record<SessionState, SessionState[]> = {
  idle: ['thinking', 'condensing'],
  thinking: ['executing', 'idle', 'condensing', 'aborting', 'error'],
  executing: ['thinking', 'idle', 'condensing', 'aborting', 'error'],
  condensing: ['idle', 'thinking', 'executing', 'aborting', 'error'],
  aborting: ['idle'],
  error: ['idle'],
};

/** Looks at one session over all its executions, and remembers what may never change. */
export class InvariantChecker {
  readonly #records: LogRecord[] = [];
  readonly #texts: string[] = [];
  readonly events: AgentEvent[] = [];
  /** Ids in the order in which they were accepted, by queue. */
  readonly accepted: Record<'steering' | 'followUp', string[]> = { steering: [], followUp: [] };
  /** Ids that were taken back while they waited. */
  readonly withdrawn = new Set<string>();
  /** Texts of accepted prompts, in order. */
  readonly prompts: string[] = [];
  #state: SessionState = 'idle';
  #beforeCondense: SessionState = 'idle';
  #request: { messages: string[]; epoch: number } = { messages: [], epoch: 0 };
  #requestsSeen = 0;

  /** A new execution begins: requests are counted afresh. */
  handedOver(): void {
    this.#requestsSeen = 0;
  }

  check(session: MemorySession): void {
    this.#checkLog([...session.archived, ...session.state.log.records]);
    this.#checkEvents(session);
    this.#checkRequests(session);
    this.#checkMessages(session);
    this.#checkPrompts(session);
  }

  /** Append-only, without gaps, every call answered once and directly after, except in the batch in hand. */
  #checkLog(held: LogRecord[]): void {
    for (const record of held) {
      const before = this.#records[record.seq - 1];
      if (before === record) continue;
      if (before === undefined) {
        expect(record.seq, 'log seq').toBe(this.#records.length + 1);
        this.#texts.push(JSON.stringify(record));
      } else expect(JSON.stringify(record), `record ${record.seq}`).toBe(this.#texts[record.seq - 1]);
      this.#records[record.seq - 1] = record;
    }
  }

  #checkEvents(session: MemorySession): void {
    for (let index = session.seen.length - 1; index >= 0; index--) {
      // only what is new, and in its order
      if (index > 0 && (session.seen[index - 1]?.seq ?? 0) > this.events.length) continue;
      for (const event of session.seen.slice(index)) this.#checkEvent(event);
      break;
    }
    expect(session.state.status).toBe(this.#state);
  }

  #checkEvent(event: AgentEvent): void {
    if (event.seq <= this.events.length) return;
    if (event.seq !== this.events.length + 1) expect.fail(`event ${event.seq} after ${this.events.length}`);
    this.events.push(event);
    if (event.type !== 'state_changed') return;
    expect(event.from, 'state before').toBe(this.#state);
    expect(legal[event.from], `${event.from} -> ${event.to}`).toContain(event.to);
    if (event.to === 'condensing') this.#beforeCondense = event.from;
    const goesBack = event.from === 'condensing' && event.to !== 'aborting' && event.to !== 'error';
    if (goesBack) expect(event.to, 'the state before the condense').toBe(this.#beforeCondense);
    this.#state = event.to;
  }

  #checkRequests(session: MemorySession): void {
    for (const { messages, input } of session.requests.slice(this.#requestsSeen)) {
      assertValidTranscript(messages);
      const sent = messages.map((message) => JSON.stringify(message));
      // a request repeats the one before, byte for byte, and adds to it
      if (input.view.epoch === this.#request.epoch) {
        expect(sent.slice(0, this.#request.messages.length), 'prefix').toEqual(this.#request.messages);
      }
      this.#request = { messages: sent, epoch: input.view.epoch };
    }
    this.#requestsSeen = session.requests.length;
  }

  /** Each accepted message is in one place, or withdrawn; its receipt says which; the order is that of arrival. */
  #checkMessages(session: MemorySession): void {
    const logged = this.#records.filter((record) => record.role === 'user' && record.messageId !== undefined);
    const byId = new Map(logged.map((record) => [idOf(record), record]));
    const pending = [...acceptedBy(session), ...(session.state.run?.pending ?? [])];
    const taken = pending.flatMap((message) => idOf(message) ?? []);
    for (const queue of ['steering', 'followUp'] as const) {
      const accepted = this.accepted[queue];
      const queued = session.inbox.ids(queue);
      const order = [...logged.map(idOf), ...taken].filter((id) => accepted.includes(id ?? ''));
      for (const id of accepted) {
        const receipt = session.inbox.receipt(id);
        const withdrawn = receipt?.state === 'cancelled' || receipt?.state === 'cleared';
        // a reset clears too
        if (this.withdrawn.has(id) ? !withdrawn : receipt?.state === 'cancelled')
          expect.fail(`${id} was withdrawn, and is ${receipt?.state}`);
        const places = [...queued, ...order].filter((other) => other === id).length;
        if (places !== (withdrawn ? 0 : 1)) expect.fail(`${id} is ${receipt?.state} and in ${places} places`);
        if (queued.includes(id)) expect(['queued', 'undelivered']).toContain(receipt?.state);
        const record = byId.get(id);
        if (!record) continue;
        const { runId, turn } = record;
        expect(receipt, `receipt of ${id}`).toMatchObject({ state: 'delivered', runId, turn });
      }
      expect(order, `order of ${queue}`).toEqual(accepted.filter((id) => order.includes(id)));
    }
  }

  #checkPrompts(session: MemorySession): void {
    const inLog = this.#records.flatMap((record) =>
      record.role === 'user' && record.origin === 'prompt' ? [JSON.stringify(record.content)] : [],
    );
    const pending = session.state.run?.pending.filter(isPrompt) ?? [];
    const waiting = acceptedBy(session).filter(isPrompt).length;
    expect(inLog.length + pending.length + waiting, 'prompts').toBe(this.prompts.length);
    expect(inLog).toEqual(
      this.prompts.slice(0, inLog.length).map((text) => JSON.stringify([{ type: 'text', text }])),
    );
  }

  /** At the end: every run is closed by one agent_end, its last event; messages and turns come in pairs. */
  checkEnd(): void {
    const runs = new Set(this.events.flatMap(({ runId }) => runId ?? []));
    for (const runId of runs) {
      const ofRun = this.events.filter((event) => event.runId === runId);
      expect(
        ofRun.filter(({ type }) => type === 'agent_end'),
        `agent_end of ${runId}`,
      ).toHaveLength(1);
      expect(ofRun.at(-1)?.type, `last event of ${runId}`).toBe('agent_end');
      assertPaired(ofRun, 'turn_start', 'turn_end');
      assertPaired(ofRun, 'message_start', 'message_end');
      expect(count(ofRun, 'tool_execution_start')).toBe(count(ofRun, 'tool_execution_end'));
    }
    assertAnswered(this.#records);
    expect(
      this.#records.map((record) => JSON.stringify(record)),
      'the log was changed',
    ).toEqual(this.#texts);
  }
}

/** Messages that were taken for a run which has not begun. */
function acceptedBy({ inbox }: MemorySession): Message[] {
  return inbox.carry().prompt ?? [];
}

function isPrompt(message: Message): boolean {
  return message.role === 'user' && message.origin === 'prompt';
}

function idOf(record: Message): string | undefined {
  return record.role === 'user' ? record.messageId : undefined;
}

/** Valid for every provider: no empty message, every call answered once and directly after, no call unanswered. */
export function assertValidTranscript(messages: readonly Message[]): void {
  expect(messages[0]?.role, 'first role').toBe('user');
  for (const message of messages) {
    if (message.role !== 'custom') expect(message.content.length, 'empty message').toBeGreaterThan(0);
    expect(JSON.stringify(message)).not.toContain('No result provided');
  }
  assertAnswered(messages);
}

function assertAnswered(messages: readonly Message[]): void {
  const results = messages.filter(({ role }) => role === 'tool_result').length;
  let answered = 0;
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    const ids = toolCallsOf(message).map(({ callId }) => callId);
    const after = messages.slice(index + 1, index + 1 + ids.length);
    expect(after.map((result) => (result.role === 'tool_result' ? result.callId : result.role))).toEqual(ids);
    answered += ids.length;
  }
  expect(results, 'results without a call').toBe(answered);
}

function assertPaired(events: AgentEvent[], start: AgentEvent['type'], end: AgentEvent['type']): void {
  let open = 0;
  for (const { type } of events) {
    if (type === start) open++;
    if (type === end) open--;
    expect([0, 1], `${start} and ${end}`).toContain(open);
  }
  expect(open, `open ${start}`).toBe(0);
}

function count(events: AgentEvent[], type: AgentEvent['type']): number {
  return events.filter((event) => event.type === type).length;
}
