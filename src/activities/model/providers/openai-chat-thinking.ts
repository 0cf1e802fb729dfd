// Where servers of Chat Completions put thinking. What is read goes back under the same name, which stands in the log as
// the part's signature; any other signature is of another wire, and means nothing here. Pure.
import type { AssistantMessage } from '../../../core/model/messages.ts';

export const thinkingFields = ['reasoning_content', 'reasoning'] as const;
export type ThinkingField = (typeof thinkingFields)[number];

export function toThinkingFields(message: AssistantMessage): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const part of message.content) {
    if (part.type !== 'thinking' || !isThinkingField(part.signature)) continue;
    fields[part.signature] = (fields[part.signature] ?? '') + part.text;
  }
  return fields;
}

function isThinkingField(signature: string | undefined): signature is ThinkingField {
  return thinkingFields.some((field) => field === signature);
}
