// Repairs a view that grows from call to call without beginning at its first message every time: after 1,000 turns
// that would be milliseconds of each turn.
import type { Message } from '../model/messages.ts';
import { repairView } from './view-for-model.ts';
import type { ViewMessage } from './view-for-model.ts';

export type RepairView = (view: readonly Message[]) => ViewMessage[];

/** `messages` is what `view` before its index `settled` is repaired to, as long as a reply stands at `settled`. */
type Repaired = { view: readonly Message[]; settled: number; messages: ViewMessage[] };

/**
 * Gives what repairView gives, for any view. What it remembers of one goes with the view's first message, by which it
 * is found.
 */
export function createGrowingRepair(): RepairView {
  const known = new WeakMap<Message, Repaired>();
  return (view) => {
    const [first] = view;
    if (first === undefined) return [];
    const before = takeUp(known.get(first), view);
    // what stands before a reply depends on nothing from it on: every answer is looked for up to the next reply
    const reply = view.findLastIndex(({ role }) => role === 'assistant');
    const settled = Math.max(before.settled, reply);
    const messages = [...before.messages, ...repairView(view.slice(before.settled, settled))];
    known.set(first, { view, settled, messages });
    return [...messages, ...repairView(view.slice(settled))];
  };
}

function takeUp(before: Repaired | undefined, view: readonly Message[]): Omit<Repaired, 'view'> {
  // without the reply that closed it, the start is open again: an answer may now stand where that reply stood
  const isClosed = before !== undefined && view[before.settled]?.role === 'assistant';
  const isStart = before?.view.slice(0, before.settled).every((message, index) => message === view[index]);
  return isClosed && isStart ? before : { settled: 0, messages: [] };
}
