// Reasoning in the text of a reply becomes thinking, so that no reader takes it for an answer. Pure.
import { splitReasoning } from '@holdfast/base/reasoning-text';
import type {
  AssistantContent,
  AssistantMessage,
  SaidPart,
  ThinkingPart,
} from '@holdfast/vocabulary/messages';

export function withoutReasoning(reply: AssistantMessage): AssistantMessage {
  return { ...reply, content: reply.content.flatMap(toParts) };
}

function toParts(part: AssistantContent): AssistantContent[] {
  if (part.type !== 'text') return [part];
  const { said, reasoning } = splitReasoning(part.text);
  if (said === part.text) return [part];
  const thinking = reasoning.map((text): ThinkingPart => ({ type: 'thinking', text }));
  const text: SaidPart[] = said === '' ? [] : [{ ...part, text: said }];
  return [...thinking, ...text];
}
