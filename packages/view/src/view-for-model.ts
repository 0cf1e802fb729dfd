// The view in the form of a request: adapted to the model that reads it (MSG-08), every call answered once and directly
// after its message, nothing empty, no failed replies. Pure; the log keeps the originals.
import { hash32 } from '@holdfast/base/hash32';
import {
  type AssistantContent,
  type AssistantMessage,
  type Message,
  type ModelRef,
  type ToolCallPart,
  type ToolResultMessage,
  type UserContent,
  type LlmMessage,
  isWholeReply,
  pictureNote,
  toolCallsOf,
  withoutSignature,
  toLLM,
} from '@holdfast/vocabulary/messages';
import { isSameModel } from '@holdfast/vocabulary/model-name';

/** A message after the repair of the view. */
export type ViewMessage = LlmMessage;
/** `images`: true if the model can see them. */
export type TargetModel = { model: ModelRef; images: boolean };

/** The part of a view that later messages cannot change: up to its last reply. */
type Settled = { target: TargetModel; view: readonly Message[]; length: number; repaired: ViewMessage[] };

/**
 * Keyed by the first message of a view. A view grows at its end from request to request, and only the new part is
 * adapted.
 */
const known = new WeakMap<Message, Settled>();

export function viewForModel(view: readonly Message[], target: TargetModel): ViewMessage[] {
  const [first] = view;
  if (first === undefined) return [];
  const before = known.get(first);
  const fresh: Settled = { target, view, length: 0, repaired: [] };
  const { length: start, repaired } = isBeginning(before, view, target) ? before : fresh;
  const repair = (from: number, to?: number) =>
    repairView(view.slice(from, to).map((message) => fitted(message, target)));
  const reply = view.findLastIndex(({ role }) => role === 'assistant');
  const length = Math.max(start, reply);
  const settled = length === start ? repaired : [...repaired, ...repair(start, length)];
  known.set(first, { target, view, length, repaired: settled });
  return [...settled, ...repair(length)];
}

function isBeginning(
  before: Settled | undefined,
  view: readonly Message[],
  { model, images }: TargetModel,
): before is Settled {
  if (!before || before.target.images !== images || !isSameModel(before.target.model, model)) return false;
  if (before.length > view.length) return false;
  for (let index = 0; index < before.length; index++) {
    if (before.view[index] !== view[index]) return false;
  }
  return true;
}

function fitted(message: Message, { model, images }: TargetModel): Message {
  if (message.role === 'custom') return message;
  if (message.role === 'assistant') {
    if (isSameModel(message.model, model)) return message;
    return { ...message, content: message.content.flatMap(forAnotherModel) };
  }
  const isShown = images || message.content.every((part) => part.type !== 'image');
  const note = (part: UserContent) => pictureNote(part, 'this model cannot see images');
  return isShown ? message : { ...message, content: message.content.map(note) };
}

/** Another model cannot use signatures, nor a redacted block, which has nothing else. */
function forAnotherModel(part: AssistantContent): AssistantContent[] {
  if (part.type !== 'thinking') return [withoutSignature(part)];
  const isReadable = part.redacted !== true && part.text.trim() !== '';
  return isReadable ? [{ type: 'text', text: part.text }] : [];
}

/**
 * Rules MSG-07, MSG-10, MSG-11. Results come in call order after their message; messages between them move after them.
 * A view that grows at its end gives a list that grows at its end, unless it ended with an open call.
 */
export function repairView(view: readonly Message[]): ViewMessage[] {
  const messages = view.flatMap((message) => toLLM(message) ?? []);
  const repaired: ViewMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const filled = withoutBlanks(message);
    if (filled.content.length === 0) continue;
    if (filled.role === 'user') repaired.push(filled);
    if (!isWholeReply(filled)) continue;
    repaired.push(filled, ...answersTo(filled, messages.slice(index + 1, nextReply(messages, index))));
  }
  return repaired;
}

/** The first call without its result, or result without its call, in words; undefined if all are whole. */
export function brokenPair(view: readonly Message[]): string | undefined {
  const open = new Set<string>();
  for (const message of view) {
    if (message.role === 'tool_result' && !open.delete(message.callId))
      return `the result of ${message.callId} has no call before it`;
    if (message.role === 'tool_result') continue;
    const [left] = open;
    if (left !== undefined) return `the call ${left} has no result`;
    if (isWholeReply(message)) for (const { callId } of toolCallsOf(message)) open.add(callId);
  }
  const [left] = open;
  return left === undefined ? undefined : `the call ${left} has no result`;
}

/** Results after a later reply do not belong to this one: a model may use an id again. */
function nextReply(messages: readonly ViewMessage[], index: number): number {
  // a loop from here on: a search from the start would make a long session's every call quadratic
  for (let at = index + 1; at < messages.length; at++) {
    if (messages[at]?.role === 'assistant') return at;
  }
  return messages.length;
}

function answersTo(reply: AssistantMessage, following: readonly ViewMessage[]): ToolResultMessage[] {
  const open = following.filter((message) => message.role === 'tool_result');
  return toolCallsOf(reply).map((call) => {
    // removed, so that two calls with one id get one result each
    const at = open.findIndex((result) => result.callId === call.callId);
    const [found] = at === -1 ? [] : open.splice(at, 1);
    return found === undefined ? missingResult(call) : withText(found);
  });
}

function missingResult(call: ToolCallPart): ToolResultMessage {
  return {
    role: 'tool_result',
    callId: call.callId,
    toolName: call.name,
    content: [{ type: 'text', text: 'No result provided' }],
    isError: true,
  };
}

function withText(result: ToolResultMessage): ToolResultMessage {
  const filled = withoutBlanks(result);
  return filled.content.length > 0 ? filled : { ...result, content: [{ type: 'text', text: '(no output)' }] };
}

function withoutBlanks<M extends ViewMessage>(message: M): M {
  const content = message.content.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return content.length === message.content.length ? message : { ...message, content };
}

// Tool-call ids in the form that a provider accepts, unique within a view (MSG-09). Pure, and computed only from the
// beginning of the view, so that a message has the same ids in every request.
/**
 * The form of a provider's ids: the allowed characters as the inside of a character class, and the longest length, or the
 * only one. The model `maker` gets its own ids back: some servers hide a signature in them.
 */
export type CallIdForm = { characters: string; maxLength: number; isExact?: true; maker?: ModelRef };

/** Rewrites the ids of calls and results alike. The view must be repaired first. */
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
    // results are in call order, so the first one left with this id belongs to the call
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
  const isOwn = isSameModel(message.model, form.maker);
  const rename = (part: ToolCallPart): ToolCallPart => {
    const wireId = toUnique(isOwn ? part.callId : toWireId(part.callId, form), form, taken);
    taken.add(wireId);
    ids.push([part.callId, wireId]);
    return wireId === part.callId ? part : { ...part, callId: wireId };
  };
  const content = message.content.map((part) => (part.type === 'tool_call' ? rename(part) : part));
  return [ids.some(([id, wireId]) => id !== wireId) ? { ...message, content } : message, ids];
}

/** A changed id carries a hash of the original, so that two ids do not become one. */
export function toWireId(id: string, form: CallIdForm): string {
  const cleaned = id.replaceAll(new RegExp(`[^${form.characters}]`, 'g'), '_');
  const fits = form.isExact ? id.length === form.maxLength : id.length <= form.maxLength;
  if (cleaned === id && id !== '' && fits) return id;
  if (form.isExact) return hash32(id).padStart(form.maxLength, 'c');
  return `${cleaned.slice(0, form.maxLength - 9)}_${hash32(id)}`;
}

function toUnique(id: string, form: CallIdForm, taken: ReadonlySet<string>): string {
  for (let count = 2, candidate = id; ; count++) {
    if (!taken.has(candidate)) return candidate;
    const suffix = `_${count}`;
    candidate = form.isExact
      ? toWireId(id + suffix, form)
      : id.slice(0, form.maxLength - suffix.length) + suffix;
  }
}
