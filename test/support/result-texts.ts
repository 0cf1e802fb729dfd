// What the calls of a session gave, as its model reads it.
import { textOf, type Message } from '@holdfast/vocabulary/messages';

export function resultTexts(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => (message.role === 'tool_result' ? [textOf(message)] : []));
}
