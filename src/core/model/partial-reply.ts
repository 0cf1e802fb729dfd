// The reply in flight, put together from the updates of a session's stream. Pure.
import type { ModelDelta } from './model-call.ts';
import type { MessageUpdate } from './session-events.ts';

/** The reply as far as it is known: put together from its updates. */
export type PartialReply = {
  runId: string;
  turn: number;
  messageSeq: number;
  attempt: number;
  text: string;
  thinking: string;
  /** Arguments as JSON text so far, by call id, in the model's order. */
  calls: { callId: string; name: string; arguments: string }[];
};

/** With one more update; undefined begins it. The stream has seen to it that the text is never that of two attempts. */
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
