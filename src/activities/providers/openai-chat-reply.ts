// Chat Completions chunks -> AssistantMessage. Pure accumulation; made for every server that speaks the format,
// so nothing that a chunk may lack is taken for granted.
import type OpenAI from 'openai';
import { noUsage } from '../../core/messages.ts';
import type { AssistantContent, StopReason, ThinkingPart, ToolCallPart, Usage } from '../../core/messages.ts';
import type { ModelDelta, ModelReply, ModelRequest } from '../../core/model.ts';
import { callIdsIn, freshCallId } from './fresh-call-id.ts';

type Chunk = OpenAI.ChatCompletionChunk;
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { [Field in ThinkingField]?: unknown };
type CallDelta = Partial<OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall>;
type Emit = (delta: ModelDelta) => void;

/** Where servers put thinking; what is read goes back under the same name. */
const thinkingFields = ['reasoning_content', 'reasoning'] as const;
type ThinkingField = (typeof thinkingFields)[number];

type OpenCall = { part: ToolCallPart; index: number | undefined; wireId: string | undefined };

/** The reply so far. */
export type ChatDraft = {
  content: AssistantContent[];
  calls: OpenCall[];
  takenIds: Set<string>;
  refused: boolean;
  usage: Usage;
  finishReason: string | undefined;
};

export function startChatDraft(request: ModelRequest): ChatDraft {
  return {
    content: [],
    calls: [],
    takenIds: callIdsIn(request.messages),
    refused: false,
    usage: noUsage,
    finishReason: undefined,
  };
}

export function addChunk(draft: ChatDraft, chunk: Chunk, emit: Emit): void {
  if (chunk.usage) draft.usage = toUsage(chunk.usage);
  const choice = chunk.choices?.[0];
  if (choice === undefined) return;
  addDelta(draft, choice.delta ?? {}, emit);
  if (choice.finish_reason) draft.finishReason = choice.finish_reason;
}

export function finishChat(draft: ChatDraft, request: ModelRequest): ModelReply {
  for (const { part } of draft.calls) part.arguments = part.arguments.trim() === '' ? '{}' : part.arguments;
  const refused = draft.refused || draft.finishReason === 'content_filter';
  return {
    message: {
      role: 'assistant',
      content: draft.content,
      model: request.model,
      usage: draft.usage,
      stopReason: toStopReason(draft),
      ...(refused ? { stopDetail: 'refusal' as const } : {}),
    },
    rawStopReason: draft.finishReason ?? 'none',
  };
}

function addDelta(draft: ChatDraft, delta: Delta, emit: Emit): void {
  for (const field of thinkingFields) {
    const text = delta[field];
    if (typeof text !== 'string' || text === '') continue;
    thinkingPart(draft, field).text += text;
    emit({ type: 'thinking', text });
    break; // some servers send both, with the same text
  }
  for (const text of [delta.content, delta.refusal]) {
    if (!text) continue;
    textPart(draft).text += text;
    emit({ type: 'text', text });
  }
  if (delta.refusal) draft.refused = true;
  for (const call of delta.tool_calls ?? []) addCallDelta(draft, call, emit);
}

function addCallDelta(draft: ChatDraft, delta: CallDelta, emit: Emit): void {
  const { part } = findCall(draft, delta) ?? openCall(draft, delta);
  const argumentsDelta = delta.function?.arguments ?? '';
  if (part.name === '') part.name = delta.function?.name ?? '';
  part.arguments += argumentsDelta;
  emit({ type: 'tool_call', callId: part.callId, name: part.name, argumentsDelta });
}

/** By index; but servers exist that send every call with index 0, or without one. */
function findCall(draft: ChatDraft, delta: CallDelta): OpenCall | undefined {
  const last = draft.calls.at(-1);
  const found = delta.index === undefined ? last : draft.calls.findLast((call) => call.index === delta.index);
  if (found === undefined) return undefined;
  if (delta.id && found.wireId) return delta.id === found.wireId ? found : undefined;
  // without ids, a name and more arguments after whole ones begin the next call
  const beginsAgain =
    Boolean(delta.function?.name && delta.function.arguments) && isJson(found.part.arguments);
  return beginsAgain ? undefined : found;
}

function openCall(draft: ChatDraft, delta: CallDelta): OpenCall {
  const callId = freshCallId(delta.id, draft.takenIds);
  const part: ToolCallPart = { type: 'tool_call', callId, name: '', arguments: '' };
  const call = { part, index: delta.index, wireId: delta.id };
  draft.content.push(part);
  draft.calls.push(call);
  return call;
}

function textPart(draft: ChatDraft): { text: string } {
  const last = draft.content.at(-1);
  if (last?.type === 'text') return last;
  const part = { type: 'text' as const, text: '' };
  draft.content.push(part);
  return part;
}

function thinkingPart(draft: ChatDraft, field: ThinkingField): { text: string } {
  const last = draft.content.at(-1);
  if (last?.type === 'thinking') return last;
  const part: ThinkingPart = { type: 'thinking', text: '', signature: field };
  draft.content.push(part);
  return part;
}

function toStopReason(draft: ChatDraft): StopReason {
  switch (draft.finishReason) {
    case 'length':
      return 'length';
    case 'tool_calls':
    case 'function_call':
      return 'tool_use';
    case 'stop':
    case 'content_filter':
      return 'stop';
    default:
      return draft.calls.length > 0 ? 'tool_use' : 'stop';
  }
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
