// An answer that the output limit has cut: the request to go on, and its pieces as one reply. Pure.
import { type AssistantMessage, textOf, toolCallsOf } from '@holdfast/vocabulary/messages';

export const goOnText =
  'The output limit cut your answer here. Continue exactly where it stopped: repeat nothing, and add no other words.';

/** The text continues without a break; a reply that adds nothing leaves the answer cut. Calls keep their thinking. */
export function joinCut(cut: AssistantMessage, more: AssistantMessage): AssistantMessage {
  if (toolCallsOf(more).length > 0) return { ...more, content: [...cut.content, ...more.content] };
  const added = textOf(more);
  if (added.trim() === '') return { ...cut, usage: more.usage };
  const at = cut.content.findLastIndex(({ type }) => type === 'text');
  const before = cut.content[at];
  const text = before?.type === 'text' ? before.text + added : added;
  return { ...more, content: cut.content.with(at, { type: 'text', text }) };
}
