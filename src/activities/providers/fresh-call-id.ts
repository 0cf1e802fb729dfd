// Gives tool calls ids that are unique in the conversation: some servers send none, or count from call_0 in
// every reply.
import { randomUUID } from 'node:crypto';
import type { Message } from '../../core/messages.ts';
import { toolCallsOf } from '../../core/messages.ts';

/** Keeps the model's id where it is new. The set is the caller's, and grows. */
export function freshCallId(id: string | null | undefined, taken: Set<string>): string {
  const fresh = id && !taken.has(id) ? id : `call_${randomUUID().replaceAll('-', '')}`;
  taken.add(fresh);
  return fresh;
}

export function callIdsIn(messages: readonly Message[]): Set<string> {
  const replies = messages.filter((message) => message.role === 'assistant');
  return new Set(replies.flatMap((reply) => toolCallsOf(reply).map((call) => call.callId)));
}
