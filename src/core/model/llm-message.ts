// What of a message a model gets, and the way back (MSG-04, MSG-06). Pure.
import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from './messages.ts';

/** A message as the default projection sends it: no application data, no details for people. */
export type LlmMessage = UserMessage | AssistantMessage | Omit<ToolResultMessage, 'details'>;

/** Undefined for a custom message, which only a projection of the worker's own can show to a model. */
export function toLLM(message: Message): LlmMessage | undefined {
  if (message.role === 'custom') return undefined;
  if (message.role !== 'tool_result' || message.details === undefined) return message;
  const { details: _, ...rest } = message;
  return rest;
}

/** Inverse of `toLLM`: what a model got, as a message of a log, e.g. to seed a session with it. */
export function fromLLM(message: LlmMessage): Message {
  return message;
}
