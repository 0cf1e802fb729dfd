// The interface between the scripted model's server and a vendor's format: reading requests, writing replies and
// errors.
import { z } from 'zod';
import type { AssistantContent, AssistantMessage, ToolResultMessage } from '@holdfast/vocabulary/messages';
import { noUsage } from '@holdfast/vocabulary/messages';
import type { ModelFailureType } from '@holdfast/base/failures';
import type { PlayableRequest, ScriptReply } from './script-player.ts';

export type WireRequest = { model: string; stream: boolean; request: PlayableRequest };

/** One server-sent event. `length` counts the characters of the reply in it; frames without any are not paced. */
export type Frame = { event?: string; data: string; length: number };

export type WireError = { status: number; type: string; code: string };

export type Wire = {
  /** Path at the end of the URL. */
  path: string;
  /** Throws a ZodError that names the invalid field. */
  read(body: unknown): WireRequest;
  whole(reply: ScriptReply, model: string): unknown;
  frames(reply: ScriptReply, model: string): Frame[];
  /** Other failures are those of an invalid request. */
  errors: Partial<Record<ModelFailureType, WireError>>;
  errorBody(error: WireError, message: string): unknown;
};

export const invalidRequest: WireError = {
  status: 400,
  type: 'invalid_request_error',
  code: 'invalid_request',
};

/** A text, or the texts of a list of parts. */
export const textSchema = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .transform((content) =>
    typeof content === 'string' ? content : content.flatMap(({ text }) => text ?? []).join('\n'),
  );

/** A reply in the form of a transcript message, for the player. */
export function assistantMessage(content: AssistantContent[]): AssistantMessage {
  const model = { provider: 'scripted', id: 'wire' };
  return { role: 'assistant', content, model, usage: noUsage, stopReason: 'stop' };
}

export function toolResultMessage(callId: string, text: string, isError: boolean): ToolResultMessage {
  return { role: 'tool_result', callId, toolName: '', content: [{ type: 'text', text }], isError };
}
