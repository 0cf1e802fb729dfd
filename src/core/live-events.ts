// What happens inside a call while it runs: pieces of a reply, partial tool output. Live only, never in history;
// an attempt that is repeated starts over. Pure.
import type { ModelDelta } from './model.ts';

/** `seq` counts from 1 in each attempt. */
export type LiveHead = { sessionId: string; runId: string; turn: number; attempt: number; seq: number };
export type LiveEvent = LiveHead &
  (
    | { type: 'reset' }
    | { type: 'delta'; delta: ModelDelta }
    /** `text` is the whole partial output so far, not a piece. */
    | { type: 'tool_partial'; callId: string; tool: string; text: string }
  );

/** The reply as far as it is known: what `mergeLive` makes of the events of one turn. */
export type PartialReply = {
  runId: string;
  turn: number;
  attempt: number;
  text: string;
  thinking: string;
  /** Arguments as JSON text so far, by call id, in the model's order. */
  calls: { callId: string; name: string; arguments: string }[];
};

/**
 * The partial reply with one more event: a new run, turn or attempt and a reset start over, an event of an older
 * attempt changes nothing, so that the text is never that of two attempts.
 */
export function mergeLive(partial: PartialReply | undefined, event: LiveEvent): PartialReply | undefined {
  if (event.type === 'tool_partial') return partial;
  const current = partial?.runId === event.runId && partial.turn === event.turn ? partial : undefined;
  if (current !== undefined && event.attempt < current.attempt) return partial;
  const { runId, turn, attempt } = event;
  const fresh = { runId, turn, attempt, text: '', thinking: '', calls: [] };
  if (event.type === 'reset') return fresh;
  return withDelta(current?.attempt === attempt ? current : fresh, event.delta);
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
