// Chat Completions chunks -> AssistantMessage. Pure accumulation, for every server that speaks the format, so any part of
// a chunk may be missing.
import type OpenAI from 'openai';
import {
  type AssistantContent,
  type AssistantMessage,
  type StopReason,
  type ToolCallPart,
  type Usage,
  noUsage,
} from '../../../../core/model/messages.ts';
import type { ModelDelta, ModelReply, ModelRequest } from '../../../../core/model/model-call.ts';
import type { Stage } from '../event-stream.ts';
import {
  type ReplyCalls,
  addText,
  beginCall,
  settleCalls,
  showCall,
  startCalls,
  assertAnswerable,
  itemName,
} from '../reply-calls.ts';
import { ProviderError, StreamFault, assertSoundStop } from '../faults.ts';
import { readErrorBody } from '../error-body.ts';
import { argumentText, parseObject, wholeArguments } from '../wire-parts.ts';
import {
  type ThinkingField,
  fromFieldSignature,
  thinkingFields,
  toFieldSignature,
  withFields,
} from './reply-fields.ts';

type Chunk = OpenAI.ChatCompletionChunk;
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { [Field in ThinkingField | ForeignField]?: unknown };
type Choice = OpenAI.ChatCompletionChunk.Choice & { error?: unknown };
type CallDelta = Partial<OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall> & { custom?: { name?: string } };
type Emit = (delta: ModelDelta) => void;

type ContentPart = { type?: string; text?: string; thinking?: { text?: string }[] };

type OpenCall = { part: ToolCallPart; index: number | undefined; wireId: string | undefined };

/** Fields with content that is neither text nor a call of our tools. */
const foreignFields = ['audio', 'images', 'function_call'] as const;
type ForeignField = (typeof foreignFields)[number];

export type ChatDraft = {
  content: AssistantContent[];
  calls: OpenCall[];
  replyCalls: ReplyCalls;
  /** Items that cannot be answered here, by name. */
  unanswerable: string[];
  refused: boolean;
  usage: Usage;
  finishReason: string | undefined;
  /** The line `[DONE]` came. */
  isDone: boolean;
  /** The chunk after the finish reason came, which holds only the counts. */
  isCounted: boolean;
  /** Fields of the message that go back as they came. */
  fields: Record<string, unknown>;
};

export function startChatDraft(request: ModelRequest): ChatDraft {
  return {
    content: [],
    calls: [],
    replyCalls: startCalls(request),
    unanswerable: [],
    refused: false,
    usage: noUsage,
    finishReason: undefined,
    isDone: false,
    isCounted: false,
    fields: {},
  };
}

/** Does not wait for the last line, `[DONE]`: several servers never send it. */
export function chatStage({ finishReason, isCounted }: ChatDraft): Stage {
  if (finishReason === undefined) return 'open';
  return isCounted ? 'whole' : 'said';
}

export function addChunk(draft: ChatDraft, chunk: Chunk, emit: Emit): void {
  if (chunk.usage) draft.usage = toUsage(chunk.usage);
  const choice: Choice | undefined = chunk.choices?.[0];
  if (choice === undefined) {
    draft.isCounted = draft.finishReason !== undefined && Boolean(chunk.usage);
    return;
  }
  if (choice.error) throw choiceFault(choice.error);
  addDelta(draft, choice.delta ?? {}, emit);
  if (choice.finish_reason) draft.finishReason = choice.finish_reason;
}

/** Throws a StreamFault if the server broke, or ended without a sign of the end. */
export function finishChat(draft: ChatDraft, request: ModelRequest, emit: Emit): ModelReply {
  const finishReason = draft.finishReason ?? (isEnded(draft) ? 'stop' : undefined);
  if (finishReason === undefined)
    throw new StreamFault('cut', 'The stream ended without a finish reason or [DONE].');
  assertSoundStop(finishReason);
  for (const { part } of draft.calls) part.arguments = wholeArguments(part.arguments);
  const known = stopReasons[finishReason];
  const refused = draft.refused || finishReason === 'content_filter';
  const message: AssistantMessage = {
    role: 'assistant',
    content: [...carrierOf(draft), ...settleCalls(draft.content, draft.replyCalls, emit)],
    model: request.model,
    usage: draft.usage,
    stopReason: known ?? (draft.calls.length > 0 ? 'tool_use' : 'stop'),
    ...(refused ? { stopDetail: 'refusal' as const } : {}),
  };
  assertAnswerable(message, draft.unanswerable);
  return { message, ...(known === undefined && { unknownStop: finishReason }) };
}

/** A part that only carries the fields of the message. */
function carrierOf({ fields }: ChatDraft): AssistantContent[] {
  const signed = toFieldSignature(fields);
  return signed.signature === undefined ? [] : [{ type: 'thinking', text: '', redacted: true, ...signed }];
}

/** Gateways write the line even after a broken stream: then the arguments of its last call are not JSON. */
function isEnded({ isDone, calls }: ChatDraft): boolean {
  return isDone && calls.every(({ part }) => parseObject(wholeArguments(part.arguments)) !== undefined);
}

const stopReasons: Partial<Record<string, StopReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'stop',
};

/** Gateways report a broken upstream inside the choice, after the reply has begun. */
function choiceFault(error: unknown): ProviderError {
  const { words, codes } = readErrorBody(error);
  return new ProviderError(words || 'The provider reported an error without words.', { codes });
}

function addDelta(draft: ChatDraft, delta: Delta, emit: Emit): void {
  // of several with the same text the first counts; an empty one is kept, because its server wants it back
  const signature = thinkingFields.find((name) => delta[name]) ?? 'reasoning_content';
  const text = delta[signature];
  if (typeof text === 'string' && (text !== '' || draft.content.length === 0))
    addText(draft.content, { type: 'thinking', text, signature }, emit);
  draft.fields = withFields(draft.fields, delta);
  addContent(draft, delta.content, emit);
  addSaid(draft, delta.refusal, emit);
  if (delta.refusal) draft.refused = true;
  for (const call of delta.tool_calls ?? []) addCallDelta(draft, call, emit);
  draft.unanswerable.push(...foreignFields.filter((field) => Object.keys(Object(delta[field])).length > 0));
}

/** Mistral sends its content in parts, with thinking among them, which has no field to go back under. */
function addContent(draft: ChatDraft, content: unknown, emit: Emit): void {
  if (!Array.isArray(content)) return addSaid(draft, content, emit);
  for (const part of content as (ContentPart | null)[]) {
    if (part?.type === 'text') addSaid(draft, part.text, emit);
    if (part?.type !== 'thinking') continue;
    const texts = (part.thinking ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
    if (texts.length > 0) addText(draft.content, { type: 'thinking', text: texts.join('') }, emit);
  }
}

function addSaid(draft: ChatDraft, text: unknown, emit: Emit): void {
  if (typeof text === 'string' && text !== '') addText(draft.content, { type: 'text', text }, emit);
}

function addCallDelta(draft: ChatDraft, delta: CallDelta, emit: Emit): void {
  if (delta.custom) {
    if (delta.custom.name) draft.unanswerable.push(itemName('custom tool call', delta.custom.name));
    return;
  }
  const { part } = findCall(draft, delta) ?? openCall(draft, delta);
  const argumentsDelta = argumentText(delta.function?.arguments);
  if (part.name === '') part.name = delta.function?.name ?? '';
  part.arguments += argumentsDelta;
  Object.assign(part, toFieldSignature(withFields(fromFieldSignature(part.signature), delta)));
  showCall(part, argumentsDelta, emit);
}

/** By index; but some servers send every call with index 0, or without one. */
function findCall(draft: ChatDraft, delta: CallDelta): OpenCall | undefined {
  const last = draft.calls.at(-1);
  const found = delta.index === undefined ? last : draft.calls.findLast((call) => call.index === delta.index);
  if (found === undefined) return undefined;
  if (delta.id && found.wireId && delta.id !== found.wireId) return undefined;
  if (parseObject(found.part.arguments) === undefined) return found;
  // after whole arguments, more of them begin another call, or list this one again
  const beginsAgain =
    delta.id && found.wireId
      ? parseObject(argumentText(delta.function?.arguments)) !== undefined
      : Boolean(delta.function?.name && delta.function.arguments);
  return beginsAgain ? undefined : found;
}

function openCall(draft: ChatDraft, delta: CallDelta): OpenCall {
  const part = beginCall(draft.replyCalls, delta.id, delta.function?.name);
  const call = { part, index: delta.index, wireId: delta.id };
  draft.content.push(part);
  draft.calls.push(call);
  return call;
}

function toUsage(usage: OpenAI.CompletionUsage): Usage {
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = usage.prompt_tokens_details?.cache_write_tokens ?? 0;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    input: Math.max(0, (usage.prompt_tokens ?? 0) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: usage.completion_tokens ?? 0,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
