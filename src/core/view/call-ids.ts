// Tool-call ids: in the form a provider accepts, and unique within a view (MSG-09). Pure, and a function of the
// view's beginning only, so that a message has the same ids in every request.
import type { AssistantMessage, ToolCallPart } from '../model/messages.ts';
import type { ViewMessage } from './view-for-model.ts';

/** What a provider accepts as an id: allowed characters as the inside of a character class, and a length. */
export type CallIdForm = { characters: string; maxLength: number };

/** The view with ids rewritten, equally on calls and results. The view must be repaired. */
export function withWireIds(view: readonly ViewMessage[], form: CallIdForm): ViewMessage[] {
  const taken = new Set<string>();
  let batch: [id: string, wireId: string][] = [];
  return view.map((message) => {
    if (message.role === 'user') return message;
    if (message.role === 'assistant') {
      const [renamed, ids] = renameCalls(message, form, taken);
      batch = ids;
      return renamed;
    }
    // results stand in call order, so the first one left with this id is its call
    const at = batch.findIndex(([id]) => id === message.callId);
    const [pair] = at === -1 ? [] : batch.splice(at, 1);
    return pair === undefined || pair[1] === message.callId ? message : { ...message, callId: pair[1] };
  });
}

function renameCalls(
  message: AssistantMessage,
  form: CallIdForm,
  taken: Set<string>,
): [AssistantMessage, [string, string][]] {
  const ids: [string, string][] = [];
  const rename = (part: ToolCallPart): ToolCallPart => {
    const wireId = toUnique(toWireId(part.callId, form), form, taken);
    taken.add(wireId);
    ids.push([part.callId, wireId]);
    return wireId === part.callId ? part : { ...part, callId: wireId };
  };
  const content = message.content.map((part) => (part.type === 'tool_call' ? rename(part) : part));
  return [ids.some(([id, wireId]) => id !== wireId) ? { ...message, content } : message, ids];
}

/** An id that had to be changed carries a hash of the original, so that two ids do not become one. */
export function toWireId(id: string, form: CallIdForm): string {
  const cleaned = id.replaceAll(new RegExp(`[^${form.characters}]`, 'g'), '_');
  if (cleaned === id && id !== '' && id.length <= form.maxLength) return id;
  return `${cleaned.slice(0, form.maxLength - 9)}_${hash(id)}`;
}

function toUnique(id: string, form: CallIdForm, taken: ReadonlySet<string>): string {
  for (let count = 2, candidate = id; ; count++) {
    if (!taken.has(candidate)) return candidate;
    const suffix = `_${count}`;
    candidate = id.slice(0, form.maxLength - suffix.length) + suffix;
  }
}

/** FNV-1a, 32 bits, as 8 hex digits: core has no crypto, and nobody attacks his own ids. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, '0');
}
