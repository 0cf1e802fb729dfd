// Keeps a model's reply within the size of one payload. A cut text has a note; cut arguments are never executed. Pure.
import type { CallModelResult } from '@holdfast/vocabulary/call-results';
import {
  type AssistantContent,
  type AssistantMessage,
  withoutSignature,
} from '@holdfast/vocabulary/messages';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import type { PreparedCall } from '@holdfast/vocabulary/tool-spec';
import { cutText } from '@holdfast/base/cut-text';

/** Room for everything in the result beside the message: digests, summaries, changed arguments, figures. */
const reservedBytes = 32 * 1024;
const maxMessageBytes = maxPayloadBytes - reservedBytes;

export type CappedReply = {
  message: AssistantMessage;
  /** Calls whose arguments are no longer whole. */
  cutCalls: string[];
};

export function isReplyTooLong(message: AssistantMessage): boolean {
  return excess(message) > 0;
}

/** Cuts text first, then arguments, then drops thinking and signatures, until the message fits. `note` ends a cut text. */
export function capReply(message: AssistantMessage, note: string): CappedReply {
  const cutCalls: string[] = [];
  let capped = message;
  for (const type of ['text', 'tool_call'] as const) {
    for (let over = excess(capped); over > 0; over = excess(capped)) {
      const index = longest(capped.content, type);
      const part = capped.content[index];
      if (part === undefined || lengthOf(part) <= smallest) break;
      if (part.type === 'tool_call') cutCalls.push(part.callId);
      capped = { ...capped, content: capped.content.with(index, cut(part, over, note)) };
    }
  }
  if (excess(capped) > 0) {
    const plain = capped.content.flatMap((part) =>
      part.type === 'thinking' ? [] : [withoutSignature(part)],
    );
    capped = { ...capped, content: plain };
  }
  return { message: capped, cutCalls };
}

/** The result with calls rejected, the one with the longest arguments first, until it fits. */
export function capCalls(result: CallModelResult): CallModelResult {
  let calls = result.calls;
  while (jsonBytes({ ...result, calls }) > maxPayloadBytes) {
    const sizes = calls.map((call) => (call.status === 'ready' ? jsonBytes(call.args ?? null) : 0));
    const index = sizes.indexOf(Math.max(...sizes));
    const call = calls[index];
    if (call === undefined || sizes[index] === 0) break;
    calls = calls.with(index, tooLong(call.callId));
  }
  return { ...result, calls };
}

export function tooLong(callId: string): PreparedCall {
  const reason = `The arguments are too long: a call may hold about ${Math.floor(maxMessageBytes / 1024)} KiB. Nothing was executed; send less in one call.`;
  return { status: 'rejected', callId, reason };
}

/** Shorter parts are not cut. */
const smallest = 1_024;

function excess(message: AssistantMessage): number {
  return jsonBytes(message) - maxMessageBytes;
}

function longest(content: AssistantContent[], type: AssistantContent['type']): number {
  const lengths = content.map((part) => (part.type === type ? lengthOf(part) : -1));
  const length = Math.max(...lengths);
  return length === -1 ? -1 : lengths.indexOf(length);
}

function lengthOf(part: AssistantContent): number {
  return part.type === 'tool_call' ? part.arguments.length : part.text.length;
}

// A character is at least one byte, so removing as many characters as there are bytes too many is enough, apart from the
// note; the caller checks again.
function cut(part: AssistantContent, over: number, note: string): AssistantContent {
  const keep = Math.max(0, lengthOf(part) - over - 100 - note.length);
  if (part.type === 'tool_call') return { ...part, arguments: cutText(part.arguments, keep, '') };
  const left = lengthOf(part) - keep;
  return { ...part, text: `${cutText(part.text, keep, '')}\n[cut here: ${left} more characters. ${note}]` };
}
