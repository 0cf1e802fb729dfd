// What has reached a session and has not been taken: prompts, steering, follow-ups, wishes to stop or resume.
// Signal and update handlers only put things in; the one main loop takes them out. Carried over continue-as-new.
import { agentDefaults } from '../model/agent-spec.ts';
import type { DrainMode, QueueOptions } from '../model/agent-spec.ts';
import type { Continuation } from '../state/continuation.ts';
import type { AgentEventBody, QueueName } from '../model/events.ts';
import type { PromptMessage, UserMessage } from '../model/messages.ts';
import { utf8Bytes } from '../base/sizes.ts';
import type { Receipt } from '../model/snapshot.ts';

/** What waits travels over continue-as-new, which has a limit: more is refused, and that is said. */
const queueLimit = 1_000;
const queueBytes = 512 * 1024;
/** Receipts kept: the dedupe window, and what getReceipt answers. */
const receiptLimit = 1_000;

/** `interrupts`: it has stopped what was in flight, and the run continues with it. */
export type QueuedMessage = { id: string; message: UserMessage; idle: boolean; interrupts?: true };
export type CarriedInbox = {
  prompt: PromptMessage[] | null;
  steering: QueuedMessage[];
  followUp: QueuedMessage[];
  receipts: Receipt[];
  continued?: Continuation;
  options?: QueueOptions;
  chosen?: ChosenModes;
  abort: boolean;
  resume: boolean;
  closing: boolean;
  reset?: boolean;
};

/** Modes set while the session lives: they win over those of the agent. */
type ChosenModes = Partial<Record<QueueName, DrainMode>>;

export class Inbox {
  #prompt: PromptMessage[] | null;
  readonly #queues: Record<QueueName, QueuedMessage[]>;
  readonly #receipts: Map<string, Receipt>;
  /** Where the accepted run continues; absent for a prompt. */
  #continued: Continuation | undefined;
  #options: QueueOptions;
  readonly #chosen: ChosenModes;
  abort: boolean;
  resume: boolean;
  closing: boolean;
  /** The view is to begin anew at the next moment of rest; until then nothing can be continued. */
  reset: boolean;
  readonly #announce: (event: AgentEventBody) => void;

  constructor(announce: (event: AgentEventBody) => void, carried?: CarriedInbox) {
    this.#announce = announce;
    this.#prompt = carried?.prompt ?? null;
    this.#queues = { steering: carried?.steering ?? [], followUp: carried?.followUp ?? [] };
    this.#receipts = new Map(carried?.receipts.map((receipt) => [receipt.id, receipt]));
    this.#continued = carried?.continued;
    this.#options = { ...agentDefaults.queues, ...carried?.options };
    this.#chosen = carried?.chosen ?? {};
    this.abort = carried?.abort ?? false;
    this.resume = carried?.resume ?? false;
    this.closing = carried?.closing ?? false;
    this.reset = carried?.reset ?? false;
  }

  carry(): CarriedInbox {
    return {
      prompt: this.#prompt,
      steering: this.#queues.steering,
      followUp: this.#queues.followUp,
      receipts: [...this.#receipts.values()],
      ...(this.#continued ? { continued: this.#continued } : {}),
      options: this.#options,
      chosen: this.#chosen,
      abort: this.abort,
      resume: this.resume,
      closing: this.closing,
      reset: this.reset,
    };
  }

  /** A reset is due: not while a run waits that continues from the view. */
  get resetIsDue(): boolean {
    return this.reset && this.#continued === undefined;
  }

  get hasPrompt(): boolean {
    return this.#prompt !== null;
  }

  /** The agent's options; modes that were set since stay. */
  configure(options: Partial<QueueOptions>): void {
    this.#options = { ...this.#options, ...options };
  }

  /** From the next drain point on (QUEUE-03). */
  setMode(queue: QueueName, mode: DrainMode): void {
    this.#chosen[queue] = mode;
  }

  modeOf(queue: QueueName): DrainMode {
    const { steeringMode, followUpMode } = this.#options;
    return this.#chosen[queue] ?? (queue === 'steering' ? steeringMode : followUpMode);
  }

  putPrompt(messages: PromptMessage[]): void {
    this.#prompt = messages;
  }

  /** A run that continues from the view, or from a message in a queue: taken now, so that nobody can withdraw it. */
  putContinue(from: Continuation, runId: string): void {
    this.#continued = from;
    this.#prompt = from.type === 'queue' ? this.take(from.queue, { runId, turn: 1 }) : from.messages;
  }

  /** False when the id was accepted before: the message is not queued a second time (QUEUE-07). */
  put(
    queue: QueueName,
    { id, message }: { id: string; message: UserMessage },
    { whileIdle, interrupts = false }: { whileIdle: boolean; interrupts?: boolean },
  ): boolean {
    if (this.#receipts.has(id)) return false;
    const idle = whileIdle && this.#options.idleMessages === 'run';
    this.#queues[queue].push({ id, message, idle, ...(interrupts ? { interrupts } : {}) });
    this.#note({ id, queue, state: 'queued' });
    this.#announce({ type: 'queue_update', queue, action: 'enqueued', ids: [id] });
    return true;
  }

  /** It is passed on to a subagent. False when the id was accepted before. */
  forward(id: string, to: string): boolean {
    if (this.#receipts.has(id)) return false;
    this.#note({ id, queue: 'steering', state: 'forwarded', to });
    return true;
  }

  /** The subagent that it was for has ended. False where nothing of that id was passed on. */
  notDelivered(id: string): boolean {
    if (this.#receipts.get(id)?.state !== 'forwarded') return false;
    this.#note({ id, queue: 'steering', state: 'undelivered' });
    return true;
  }

  /** Whether there is room for one more message; an accepted one is never dropped for another. */
  hasRoom(message: UserMessage): boolean {
    const waiting = queueNames.flatMap((name) => this.#queues[name]);
    if (waiting.length >= queueLimit) return false;
    return waiting.reduce((bytes, queued) => bytes + sizeOf(queued.message), sizeOf(message)) <= queueBytes;
  }

  waiting(queue: QueueName): number {
    return this.#queues[queue].length;
  }

  ids(queue: QueueName): string[] {
    return this.#queues[queue].map(({ id }) => id);
  }

  /** The stop that the loop has not dealt with yet. An interrupting message that was withdrawn stops nothing more. */
  get stop(): 'abort' | 'interrupt' | undefined {
    if (this.abort) return 'abort';
    return this.#queues.steering.some(({ interrupts }) => interrupts) ? 'interrupt' : undefined;
  }

  /** What was meant for a run does not reach the next one. */
  runEnded(): void {
    this.abort = false;
    for (const queued of this.#queues.steering) delete queued.interrupts;
  }

  /** A message that came while the session was idle: it starts a run by itself, unless the session closes. */
  get hasIdleMessage(): boolean {
    return [...this.#queues.steering, ...this.#queues.followUp].some(({ idle }) => idle);
  }

  /** The prompt, or the messages that came while idle. */
  takePrompt(runId: string): { messages: PromptMessage[]; polled: boolean; continued: boolean } {
    const prompt = this.#prompt;
    const from = this.#continued;
    this.#prompt = null;
    this.#continued = undefined;
    const queue = this.#queues.steering.some(({ idle }) => idle) ? 'steering' : 'followUp';
    const messages = prompt ?? this.take(queue, { runId, turn: 1 });
    // the rest belongs to this run: left over from it, they start none (QUEUE-13)
    for (const queued of queueNames.flatMap((name) => this.#queues[name])) queued.idle = false;
    // a continued run that has taken steering does not look at it again before its first request (LOOP-21)
    const polled = from?.type === 'queue' && from.queue === 'steering';
    return { messages, polled, continued: from !== undefined };
  }

  take(queue: QueueName, place: { runId: string; turn: number }): UserMessage[] {
    const waiting = this.#queues[queue];
    // the run continues with the message that interrupted it, whatever waited before it (QUEUE-17)
    const least = Math.max(1, waiting.findLastIndex(({ interrupts }) => interrupts) + 1);
    const taken = waiting.splice(0, this.modeOf(queue) === 'all' ? waiting.length : least);
    for (const { id } of taken) this.#note({ id, queue, state: 'delivered', ...place });
    const ids = taken.map(({ id }) => id);
    this.#announce({ type: 'queue_update', queue, action: 'delivered', ids });
    return taken.map(({ message }) => message);
  }

  /** True when a queued message with this id was there. */
  cancel(id: string): boolean {
    for (const queue of queueNames) {
      const index = this.#queues[queue].findIndex((queued) => queued.id === id);
      if (index < 0) continue;
      this.#queues[queue].splice(index, 1);
      this.#note({ id, queue, state: 'cancelled' });
      this.#announce({ type: 'queue_update', queue, action: 'cancelled', ids: [id] });
      return true;
    }
    return false;
  }

  clear(queues: readonly QueueName[] = queueNames): void {
    for (const queue of queues) {
      const ids = this.#queues[queue].splice(0).map(({ id }) => id);
      for (const id of ids) this.#note({ id, queue, state: 'cleared' });
      if (ids.length > 0) this.#announce({ type: 'queue_update', queue, action: 'cleared', ids });
    }
  }

  /** The session closes: the caller gets the ids that are still queued (QUEUE-15). */
  markUndelivered(): string[] {
    // those that a subagent did not take
    const before = [...this.#receipts.values()].filter(({ state }) => state === 'undelivered');
    const ids = queueNames.flatMap((queue) => {
      const waiting = this.ids(queue);
      for (const id of waiting) this.#note({ id, queue, state: 'undelivered' });
      return waiting;
    });
    return [...ids, ...before.map(({ id }) => id)];
  }

  receipt(id: string): Receipt | undefined {
    return this.#receipts.get(id);
  }

  newestReceipts(count: number): Receipt[] {
    return [...this.#receipts.values()].slice(-count);
  }

  #note(receipt: Receipt): void {
    this.#receipts.set(receipt.id, receipt);
    for (const id of this.#receipts.keys()) {
      if (this.#receipts.size <= receiptLimit) return;
      // a queued message keeps its receipt, however old: it is still to be delivered
      if (this.#receipts.get(id)?.state !== 'queued') this.#receipts.delete(id);
    }
  }
}

function sizeOf({ content }: UserMessage): number {
  return content.reduce(
    (bytes, part) => bytes + (part.type === 'text' ? utf8Bytes(part.text) : 500 + (part.data?.length ?? 0)),
    0,
  );
}

export const queueNames: readonly QueueName[] = ['steering', 'followUp'];
