// Input that has reached a session and was not yet taken: prompts, steering, follow-ups, stop and resume requests.
// Handlers of signals and updates only put things in; the main loop takes them out. Carried over continue-as-new. Pure.
import { defined } from '@holdfast/base/defined';
import { type DrainMode, type QueueOptions, agentDefaults } from '@holdfast/vocabulary/agent-spec';
import type { Continuation } from '../state/continuation.ts';
import type { AgentEventBody, QueueName } from '@holdfast/vocabulary/events';
import { type PromptMessage, textOf, type UserMessage, userMessage } from '@holdfast/vocabulary/messages';
import { cutText } from '@holdfast/base/cut-text';
import { utf8Bytes } from '@holdfast/base/sizes';
import type { QueuedText, Receipt } from '@holdfast/vocabulary/snapshot';

/** Queued messages travel over continue-as-new, which limits their size; a message over the limit is refused. */
const queueLimit = 1_000;
const queueBytes = 512 * 1024;
export const queueFull = `at most ${queueLimit} messages, of ${queueBytes / 1024} KiB in all, can wait; send it again later`;
/** Receipts kept: the window for duplicates, and for answers of getReceipt. */
const receiptLimit = 1_000;

export const overtaken =
  'The next message was sent before your last reply was there: it is no answer to it, and approves nothing in it.';
export const older =
  'The next message was sent before the newest task was given: where they differ, the task counts.';

/** Characters of a message in the answer of a query: all of a full queue fit into it. */
const shownText = 500;

/**
 * `interrupts`: it stopped the calls in flight, and the run continues with it. `due`: it came while the next request was
 * prepared, and is part of it. `before`: the number of the first message of the log that its writer could not know;
 * 0 if that is a prompt which comes before it.
 */
type Marks = { interrupts?: boolean; due?: boolean; before?: number };
export type QueuedMessage = { id: string; message: UserMessage; idle: boolean } & Marks;
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

/** Modes set during the session; they override those of the agent. */
type ChosenModes = Partial<Record<QueueName, DrainMode>>;

export class Inbox {
  #prompt: PromptMessage[] | null;
  readonly #queues: Record<QueueName, QueuedMessage[]>;
  readonly #receipts: Map<string, Receipt>;
  /** The start of the accepted run, if it continues earlier work; absent for a prompt. */
  #continued: Continuation | undefined;
  #options: QueueOptions;
  readonly chosen: ChosenModes;
  abort: boolean;
  resume: boolean;
  closing: boolean;
  /** The view begins anew at the next moment of rest; until then nothing can continue from it. */
  reset: boolean;
  readonly #announce: (event: AgentEventBody) => void;

  constructor(announce: (event: AgentEventBody) => void, carried?: CarriedInbox) {
    this.#announce = announce;
    this.#prompt = carried?.prompt ?? null;
    this.#queues = { steering: carried?.steering ?? [], followUp: carried?.followUp ?? [] };
    this.#receipts = new Map(carried?.receipts.map((receipt) => [receipt.id, receipt]));
    this.#continued = carried?.continued;
    this.#options = { ...agentDefaults.queues, ...carried?.options };
    this.chosen = carried?.chosen ?? {};
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
      ...defined({ continued: this.#continued }),
      options: this.#options,
      chosen: this.chosen,
      abort: this.abort,
      resume: this.resume,
      closing: this.closing,
      reset: this.reset,
    };
  }

  /** True if a reset is requested and no accepted run continues from the view. */
  get resetIsDue(): boolean {
    return this.reset && this.#continued === undefined;
  }

  get hasPrompt(): boolean {
    return this.#prompt !== null;
  }

  /** Sets the agent's options; modes set during the session stay. */
  configure(options: Partial<QueueOptions>): void {
    this.#options = { ...this.#options, ...options };
  }

  /** Takes effect at the next drain point (QUEUE-03). */
  setMode(queue: QueueName, mode: DrainMode): void {
    this.chosen[queue] = mode;
  }

  modeOf(queue: QueueName): DrainMode {
    const { steeringMode, followUpMode } = this.#options;
    return this.chosen[queue] ?? (queue === 'steering' ? steeringMode : followUpMode);
  }

  /** `isNewest`: what waits was sent before it, wherever it enters the log. */
  putPrompt(messages: PromptMessage[], isNewest = false): void {
    this.#prompt = messages;
    for (const queued of isNewest ? this.#all : []) queued.before = 0;
  }

  /**
   * Accepts a run that continues from the view or from a queued message. The message is taken now, so that it cannot be
   * withdrawn.
   */
  putContinue(from: Continuation, runId: string, answered = 0): void {
    this.#continued = from;
    this.#prompt =
      from.type === 'queue' ? this.take(from.queue, { runId, turn: 1 }, answered) : from.messages;
  }

  /** False if the id was accepted before: the message is not queued twice (QUEUE-07). */
  put(
    queue: QueueName,
    { id, message }: { id: string; message: UserMessage },
    { whileIdle, ...marks }: { whileIdle: boolean } & Marks,
  ): boolean {
    if (!this.#isNew(id)) return false;
    const idle = whileIdle && this.#options.idleMessages === 'run';
    this.#queues[queue].push({ id, message, idle, ...marks });
    this.#note({ id, queue, state: 'queued' });
    this.#announce({ type: 'queue_update', queue, action: 'enqueued', ids: [id] });
    return true;
  }

  /** Records that the message was forwarded to a subagent. False if the id was accepted before. */
  forward(id: string, to: string): boolean {
    if (!this.#isNew(id)) return false;
    this.#note({ id, queue: 'steering', state: 'forwarded', to });
    return true;
  }

  /** Records that the message was not taken; its id can be sent again. */
  refuse(id: string, queue: QueueName, reason: string): void {
    if (this.#isNew(id)) this.#note({ id, queue, state: 'refused', reason });
  }

  #isNew(id: string): boolean {
    return (this.#receipts.get(id)?.state ?? 'refused') === 'refused';
  }

  /** Records that the subagent has ended without the message. False if no message with that id was forwarded. */
  notDelivered(id: string): boolean {
    if (this.#receipts.get(id)?.state !== 'forwarded') return false;
    this.#note({ id, queue: 'steering', state: 'undelivered' });
    return true;
  }

  /** True if there is room for one more message; an accepted message is never dropped for another. */
  hasRoom(message: UserMessage): boolean {
    const waiting = this.#all;
    if (waiting.length >= queueLimit) return false;
    return waiting.reduce((bytes, queued) => bytes + sizeOf(queued.message), sizeOf(message)) <= queueBytes;
  }

  /** Steering first, as the loop reads them. */
  get #all(): QueuedMessage[] {
    return queueNames.flatMap((name) => this.#queues[name]);
  }

  waiting(queue: QueueName): number {
    return this.#queues[queue].length;
  }

  ids(queue: QueueName): string[] {
    return this.#queues[queue].map(({ id }) => id);
  }

  /** The queued messages with the beginning of their words: steering first, as the loop reads them. */
  texts(): QueuedText[] {
    return queueNames.flatMap((queue) =>
      this.#queues[queue].map(({ id, message }) => ({
        id,
        queue,
        text: cutText(textOf(message), shownText),
      })),
    );
  }

  /** The stop that the loop has not yet handled. An interrupting message that was withdrawn stops nothing more. */
  get stop(): 'abort' | 'interrupt' | undefined {
    if (this.abort) return 'abort';
    return this.#queues.steering.some(({ interrupts }) => interrupts) ? 'interrupt' : undefined;
  }

  /** True if a steering message came while the next request was prepared (QUEUE-21). */
  get isDue(): boolean {
    return this.#queues.steering.some(({ due }) => due);
  }

  /** Clears stops that were meant for the ended run, so that they do not reach the next one. */
  runEnded(): void {
    this.abort = false;
    for (const queued of this.#queues.steering) Object.assign(queued, { interrupts: false, due: false });
  }

  /** A checkpoint was loaded: what came meanwhile came behind its log, and without a run while idle. */
  loaded(before: number, isIdle: boolean): void {
    if (isIdle) this.runEnded();
    const idle = isIdle && this.#options.idleMessages === 'run';
    for (const queued of this.#all) Object.assign(queued, { idle, before });
  }

  /** True for a message that came while the session was idle: it starts a run by itself, unless the session closes. */
  get hasIdleMessage(): boolean {
    return this.#all.some(({ idle }) => idle);
  }

  /** The prompt, or the messages that came while idle. */
  takePrompt(runId: string): { messages: PromptMessage[]; polled: boolean; continued: boolean } {
    const prompt = this.#prompt;
    const from = this.#continued;
    this.#prompt = null;
    this.#continued = undefined;
    const queue = this.#queues.steering.some(({ idle }) => idle) ? 'steering' : 'followUp';
    const messages = prompt ?? this.take(queue, { runId, turn: 1 });
    // other queued messages belong to this run: left over from it, they start none (QUEUE-13)
    for (const queued of this.#all) queued.idle = false;
    // a continued run that has taken steering does not look at it again before its first request (LOOP-21)
    const polled = from?.type === 'queue' && from.queue === 'steering';
    return { messages, polled, continued: from !== undefined };
  }

  /** `answered`: the number of the answer that the log ends with. */
  take(queue: QueueName, place: { runId: string; turn: number }, answered = 0): UserMessage[] {
    const waiting = this.#queues[queue];
    // takes everything up to the message that interrupted the run (QUEUE-17)
    const least = Math.max(1, waiting.findLastIndex(({ interrupts }) => interrupts) + 1);
    const taken = waiting.splice(0, this.modeOf(queue) === 'all' ? waiting.length : least);
    this.#left(queue, 'delivered', taken, place);
    // an agent that asks in its answer must not take words for the reply whose writer could not know it
    return taken.flatMap(({ message, before = Infinity }) => {
      if (before > answered) return [message];
      return [userMessage(before === 0 ? older : overtaken, 'injected'), message];
    });
  }

  /** True if a queued message with this id was removed. */
  cancel(id: string): boolean {
    for (const queue of queueNames) {
      const index = this.#queues[queue].findIndex((queued) => queued.id === id);
      if (index < 0) continue;
      this.#left(queue, 'cancelled', this.#queues[queue].splice(index, 1));
      return true;
    }
    return false;
  }

  clear(queues: readonly QueueName[] = queueNames): void {
    for (const queue of queues) {
      const left = this.#queues[queue].splice(0);
      if (left.length > 0) this.#left(queue, 'cleared', left);
    }
  }

  #left(
    queue: QueueName,
    how: 'delivered' | 'cancelled' | 'cleared',
    messages: readonly QueuedMessage[],
    place: { runId?: string; turn?: number } = {},
  ): void {
    const ids = messages.map(({ id }) => id);
    for (const id of ids) this.#note({ id, queue, state: how, ...place });
    this.#announce({ type: 'queue_update', queue, action: how, ids });
  }

  /** Called when the session closes: returns the ids of undelivered messages (QUEUE-15). */
  markUndelivered(): string[] {
    const unread = this.unreadIds(true);
    for (const queue of queueNames)
      for (const id of this.ids(queue)) this.#note({ id, queue, state: 'undelivered' });
    return unread;
  }

  /** The messages that wait; `withLost`: behind them those that a subagent did not take. */
  unreadIds(withLost: boolean): string[] {
    const ids = this.#all.map(({ id }) => id);
    const receipts = withLost ? [...this.#receipts.values()] : [];
    const lost = receipts.filter(({ id, state }) => state === 'undelivered' && !ids.includes(id));
    return [...ids, ...lost.map(({ id }) => id)];
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
      // a queued message keeps its receipt however old it is, because it is still to be delivered
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
