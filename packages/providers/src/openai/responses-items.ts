// Output items of the Responses API <-> parts of an assistant message. Items that core does not know (encrypted
// reasoning, items of server tools, a message's phase) travel in the signature of a thinking part, so that they go back
// to the same model byte-equal and never reach another.
import type OpenAI from 'openai';
import type { AssistantContent, ThinkingPart } from '@holdfast/vocabulary/messages';
import { itemName } from '../reply-calls.ts';
import { parseObject } from '../wire-parts.ts';

type OutputItem = OpenAI.Responses.ResponseOutputItem;
type MessagePart = OpenAI.Responses.ResponseOutputMessage['content'][number];
type Phase = 'commentary' | 'final_answer';

/** The content of a signature. */
type Carried = { item: OpenAI.Responses.ResponseInputItem } | { phase: Phase };

/** A function call becomes a part when it begins, so that watchers see its id. */
export function toParts(item: Exclude<OutputItem, { type: 'function_call' }>): AssistantContent[] {
  switch (item.type) {
    case 'message':
      return [...toPhaseMark(item.phase), ...[item.content ?? []].flat().map(toTextPart)];
    case 'reasoning':
      return [toThinkingPart(item)];
    default:
      return [{ type: 'thinking', text: '', redacted: true, signature: JSON.stringify({ item }) }];
  }
}

/**
 * Wire data enters here: the API takes an output item back as an input item. Undefined for a signature of another wire,
 * from a time when the model's name meant another server.
 */
export function readItemSignature(signature: string): Carried | undefined {
  const carried = parseObject(signature);
  return carried !== undefined && ('item' in carried || 'phase' in carried)
    ? (carried as Carried)
    : undefined;
}

/** Items that the vendor answers itself, or that need no answer. */
const settledItems =
  /^(message|reasoning|function_call|compaction|(file_search|web_search|code_interpreter|mcp)_call|mcp_list_tools|mcp_approval_response|program|additional_tools)$|_output$/;

/** The item's name if a client would have to answer it, or show more than text; Holdfast asks for no such tool. */
export function unanswerableName(item: OutputItem): string[] {
  const isServers = item.type === 'tool_search_call' && item.execution === 'server';
  if (isServers || settledItems.test(item.type)) return [];
  return [itemName(item.type, 'name' in item ? item.name : undefined)];
}

export function isRefusal(item: OutputItem): boolean {
  return item.type === 'message' && [item.content ?? []].flat().some(({ type }) => type === 'refusal');
}

/** Some servers send a text in place of the list of parts. */
function toTextPart(part: MessagePart | string): AssistantContent {
  if (typeof part === 'string') return { type: 'text', text: part };
  return { type: 'text', text: (part.type === 'refusal' ? part.refusal : part.text) ?? '' };
}

function toPhaseMark(phase: Phase | null | undefined): ThinkingPart[] {
  if (phase === null || phase === undefined) return [];
  return [{ type: 'thinking', text: '', redacted: true, signature: JSON.stringify({ phase }) }];
}

/** Without encrypted content the API could not read a reasoning item back, so only its text is kept. */
function toThinkingPart(item: OpenAI.Responses.ResponseReasoningItem): ThinkingPart {
  const { status: _, ...kept } = item;
  const text = [item.summary ?? [], item.content ?? []]
    .flat()
    .map((part) => part.text)
    .join('\n\n');
  if (!item.encrypted_content) return { type: 'thinking', text };
  return { type: 'thinking', text, signature: JSON.stringify({ item: kept }) };
}
