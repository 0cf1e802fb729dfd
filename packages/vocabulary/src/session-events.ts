// Merges two streams into one in order: the durable events of a session, and the live updates between them. An update
// appears only between its own start and end, whenever it arrived (EVENT-05, EVENT-06). Pure.
import { defined } from '@holdfast/base/defined';
import type { AgentEvent } from './events.ts';
import type { Json } from '@holdfast/base/json';
import type { ModelDelta } from './model-call.ts';

/** A piece of the reply in flight; after a reset the reply is built anew. `seq` counts from 1 in each attempt. */
export type MessageUpdate = {
  /** A piece of the reply in flight; live only. */
  type: 'message_update';
  /** Id of the run. */
  runId: string;
  /** Number of the turn. */
  turn: number;
  /** Place of the reply in the log. */
  messageSeq: number;
  /** Attempt of the model call, from 1. */
  attempt: number;
  /** Counts from 1 in each attempt. */
  seq: number;
  /** The piece; after a reset the reply is built anew. */
  delta: ModelDelta | ReplyReset;
};

/** Discards the reply so far, which starts over. */
export type ReplyReset = {
  /** All earlier pieces are void. */
  type: 'reset';
};

/** More output of a running call. */
export type ToolExecutionUpdate = {
  /** Output of a running call; live only. */
  type: 'tool_execution_update';
  /** Id of the run. */
  runId: string;
  /** Number of the turn. */
  turn: number;
  /** Attempt of the call, from 1. */
  attempt: number;
  /** Counts from 1 in each attempt. */
  seq: number;
  /** Id of the call. */
  callId: string;
  /** Name of the called tool. */
  tool: string;
  /** Arguments of the call. */
  args?: Json;
  /** The newest 16,384 characters of the output of the attempt so far. */
  partial: string;
};

export type SessionEvent = AgentEvent | MessageUpdate | ToolExecutionUpdate;

/** Updates held until their start arrives; further ones are lost. */
const heldLimit = 4_096;

type OpenMessage = { messageSeq: number; attempt: number; seq: number };
type OpenTool = { args?: Json; attempt: number };
type Piece = Extract<LiveEvent, { type: 'delta' | 'reset' }>;
type Output = Extract<LiveEvent, { type: 'tool_partial' }>;

export class SessionEvents {
  droppedCount = 0;
  #open: OpenMessage | undefined;
  readonly #tools = new Map<string, OpenTool>();
  #held: LiveEvent[] = [];

  /** A durable event with the updates that waited for it. Call it after `live` for everything that arrived earlier. */
  durable(event: AgentEvent): SessionEvent[] {
    switch (event.type) {
      case 'message_start':
        if (event.role !== 'assistant' || event.messageSeq === undefined) return [event];
        this.#open = { messageSeq: event.messageSeq, attempt: 0, seq: 0 };
        return [event, ...this.#release()];
      case 'message_end':
        if (event.role !== 'assistant') return [event];
        this.#open = undefined;
        this.#held = this.#held.filter(
          (live) => live.type === 'tool_partial' || live.messageSeq > event.messageSeq,
        );
        return [event];
      case 'tool_execution_start':
        this.#tools.set(event.callId, defined({ args: event.args, attempt: 0 }));
        return [event, ...this.#release()];
      case 'tool_execution_end':
        this.#tools.delete(event.callId);
        return [event];
      case 'turn_end':
        this.#held = this.#held.filter(({ runId, turn }) => runId !== event.runId || turn !== event.turn);
        return [event];
      default:
        return [event];
    }
  }

  /** The updates that can be shown now; the others wait for their start. */
  live(event: LiveEvent): SessionEvent[] {
    const shown = this.#show(event);
    if (shown) return shown;
    if (this.#held.length >= heldLimit) this.droppedCount += 1;
    else this.#held.push(event);
    return [];
  }

  /** Forgets open messages and calls, because durable events were missed. */
  forget(): void {
    this.#open = undefined;
    this.#tools.clear();
    this.#held = [];
  }

  #release(): SessionEvent[] {
    return this.#held.splice(0).flatMap((event) => this.live(event));
  }

  /** Undefined if its start has not arrived. */
  #show(event: LiveEvent): SessionEvent[] | undefined {
    if (event.type === 'tool_partial') {
      const tool = this.#tools.get(event.callId);
      return tool && showOutput(event, tool);
    }
    return this.#open?.messageSeq === event.messageSeq ? showPiece(event, this.#open) : undefined;
  }
}

/** Drops pieces of an older attempt; a newer attempt starts over, even if its own reset was lost. */
function showPiece(event: Piece, open: OpenMessage): MessageUpdate[] {
  const { runId, turn, messageSeq, attempt, seq } = event;
  // numbered from 1 again: after an operator's resume the call is new, and its attempts begin at 1, too
  const anew = open.seq > 0 && seq === 1;
  if (attempt < open.attempt && !anew) return [];
  const repeated = anew || (open.attempt > 0 && attempt > open.attempt);
  Object.assign(open, { attempt, seq });
  const head = { type: 'message_update' as const, runId, turn, messageSeq, attempt, seq };
  if (event.type === 'reset') return [{ ...head, delta: { type: 'reset' } }];
  const update = { ...head, delta: event.delta };
  return repeated ? [{ ...head, delta: { type: 'reset' } }, update] : [update];
}

function showOutput(event: Output, tool: OpenTool): ToolExecutionUpdate[] {
  if (event.attempt < tool.attempt) return [];
  tool.attempt = event.attempt;
  const { runId, turn, attempt, seq, callId, tool: name, text } = event;
  const args = tool.args === undefined ? {} : { args: tool.args };
  return [
    { type: 'tool_execution_update', runId, turn, attempt, seq, callId, tool: name, ...args, partial: text },
  ];
}

/** `seq` counts from 1 in each attempt. */
export type LiveHead = { sessionId: string; runId: string; turn: number; attempt: number; seq: number };
export type LiveEvent = LiveHead &
  /** `messageSeq`: the place of the reply in the log. */
  (
    | { type: 'reset'; messageSeq: number }
    | { type: 'delta'; messageSeq: number; delta: ModelDelta }
    /** `text` is the newest part of the output so far, not a piece. */
    | { type: 'tool_partial'; callId: string; tool: string; text: string }
  );

/** A watcher in another process says this often that it reads the session's heartbeats. */
export const noteReaderEveryMs = 5_000;

/** The source of live events of one session; iterating waits for them and ends after `close`. */
export type LiveSource = AsyncIterable<LiveEvent> & {
  /** Number of events that were lost because they were not read in time. */
  readonly droppedCount: number;
  close(): void;
};

/** The known part of a reply, built from its updates. */
export type PartialReply = {
  runId: string;
  turn: number;
  messageSeq: number;
  attempt: number;
  text: string;
  thinking: string;
  /** Arguments as JSON text so far, in the model's order. */
  calls: { callId: string; name: string; arguments: string }[];
};

/** Adds one update; undefined begins a reply. The stream guarantees that the updates come from one attempt. */
export function mergeUpdate(partial: PartialReply | undefined, update: MessageUpdate): PartialReply {
  const { runId, turn, messageSeq, attempt, delta } = update;
  const fresh = { runId, turn, messageSeq, attempt, text: '', thinking: '', calls: [] };
  if (delta.type === 'reset') return fresh;
  return withDelta(partial?.messageSeq === messageSeq ? { ...partial, attempt } : fresh, delta);
}

function withDelta(partial: PartialReply, delta: ModelDelta): PartialReply {
  switch (delta.type) {
    case 'text':
      return { ...partial, text: partial.text + delta.text };
    case 'thinking':
      return { ...partial, thinking: partial.thinking + delta.text };
    case 'tool_call':
      return { ...partial, calls: withArguments(partial.calls, delta) };
  }
}

function withArguments(
  calls: PartialReply['calls'],
  delta: Extract<ModelDelta, { type: 'tool_call' }>,
): PartialReply['calls'] {
  const { callId, name, argumentsDelta } = delta;
  const known = calls.some((call) => call.callId === callId);
  if (!known) return [...calls, { callId, name, arguments: argumentsDelta }];
  return calls.map((call) =>
    call.callId === callId ? { ...call, arguments: call.arguments + argumentsDelta } : call,
  );
}
