// Replies of nothing but items that only a client of another kind could answer: a shell, a patch, an approval, an image.
import type { AssistantMessage } from '../../../core/model/messages.ts';
import { isFilled } from '../../../core/model/messages.ts';
import { StreamFault } from './stream-fault.ts';
import { cutText } from '../../../core/base/cut-text.ts';

const longestName = 64;

/** Such as `custom_tool_call "deploy"`. */
export function itemName(type: unknown, name?: unknown): string {
  const words = [type, ...(typeof name === 'string' ? [`"${cutText(name, longestName, '')}"`] : [])];
  return words.map((word) => (typeof word === 'string' ? word : 'an item without a type')).join(' ');
}

/** Throws where the items are all that the reply says: asked again, the model would only do the same, for money. */
export function assertAnswerable(message: AssistantMessage, items: readonly string[]): void {
  if (items.length === 0 || isFilled(message)) return;
  throw new StreamFault(
    'unanswerable',
    `The model's reply holds only ${[...new Set(items)].join(', ')}, which Holdfast cannot answer: expected text, or calls of the agent's tools. Take that tool out of the request (modelHooks.rewriteRequest), or name another model.`,
  );
}
