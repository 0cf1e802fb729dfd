// Content blocks of the Messages API while they stream -> parts of a reply. Pure accumulation.
import type Anthropic from '@anthropic-ai/sdk';
import { defined } from '@holdfast/base/defined';
import type { AssistantContent, ThinkingPart, ToolCallPart } from '@holdfast/vocabulary/messages';
import { type ReplyDraft, itemName } from '../reply-calls.ts';
import { parseObject } from '../wire-parts.ts';

type BlockStart = Anthropic.RawContentBlockStartEvent['content_block'];

export type OpenBlock = {
  /** The block so far. */
  block: BlockStart;
  /** For a call of our tools. */
  call?: ToolCallPart;
  inputJson: string;
};

/** `open`: those that have not ended, by index. */
export type Blocks = { all: OpenBlock[]; open: Map<number, OpenBlock> };
type Draft = ReplyDraft & { blocks: Blocks };

/** Gateways that translate leave out the start of a text. */
export const emptyText: BlockStart = { type: 'text', text: '', citations: null };

/** Ends a block of its index that has not: some servers give the next one the same. A call may only begin once more. */
export function openBlock(draft: Draft, index: number, start: BlockStart): OpenBlock {
  const { all, open } = draft.blocks;
  const before = open.get(index);
  const isAgain =
    start.type === 'tool_use' && before?.block.type === start.type && before.block.id === start.id;
  if (isAgain && before?.inputJson === '') return Object.assign(before, { block: start });
  const block: OpenBlock = { block: { ...start }, inputJson: '' };
  if (start.type === 'tool_use') block.call = draft.beginCall(start.id, start.name);
  // text at a block's start is shown like any other
  if (start.type === 'text' && start.text) draft.show({ type: 'text', text: start.text });
  if (start.type === 'thinking' && start.thinking) draft.show({ type: 'thinking', text: start.thinking });
  all.push(block);
  open.set(index, block);
  return block;
}

export function addDelta(draft: Draft, open: OpenBlock, delta: Anthropic.RawContentBlockDelta): void {
  const { block, call } = open;
  if (delta.type === 'input_json_delta') {
    open.inputJson += delta.partial_json;
    if (call && delta.partial_json !== '') draft.showCall(call, delta.partial_json);
  } else if (delta.type === 'text_delta' && block.type === 'text') {
    block.text = (block.text ?? '') + delta.text;
    draft.show({ type: 'text', text: delta.text });
  } else if (delta.type === 'citations_delta' && block.type === 'text') {
    block.citations = [...(block.citations ?? []), delta.citation];
  } else if (delta.type === 'thinking_delta' && block.type === 'thinking') {
    block.thinking = (block.thinking ?? '') + delta.thinking;
    draft.show({ type: 'thinking', text: delta.thinking });
  } else if (delta.type === 'signature_delta' && block.type === 'thinking') {
    block.signature = (block.signature ?? '') + delta.signature;
  } else if (!partBlocks.test(block.type)) {
    // such as a compaction: the delta carries the fields' final values
    const { type: _, ...fields } = delta;
    Object.assign(block, fields);
  }
}

/** Blocks that become a part of their own; others are opaque. */
const partBlocks = /^(text|thinking|tool_use)$/;

export function finishBlock(draft: Draft, { block, call, inputJson }: OpenBlock): AssistantContent[] {
  if (block.type === 'tool_use' && call) {
    // some servers put the whole input into the start of the block, where it was not shown
    call.arguments = inputJson || JSON.stringify(block.input ?? {});
    if (inputJson === '') draft.showCall(call, call.arguments);
    return [Object.assign(call, toBlockSignature(block))];
  }
  if (block.type === 'text') return [{ type: 'text', text: block.text ?? '', ...toBlockSignature(block) }];
  if (block.type !== 'thinking') return toOpaqueParts(block, inputJson);
  const { thinking, signature } = block;
  return [defined({ type: 'thinking', text: thinking ?? '', signature: signature || undefined })];
}

/** Blocks that the vendor answers itself, or that need no answer. */
const settledBlocks =
  /^(text|thinking|redacted_thinking|tool_use|server_tool_use|mcp_tool_use|mcp_tool_listing|compaction|fallback)$|_result$/;

/** The block's name if nothing here can answer it. */
export function unanswerableBlock({ block }: OpenBlock): string[] {
  return settledBlocks.test(block.type) ? [] : [itemName(block.type)];
}

/** A server tool's call that was cut inside its input never ran, and the API would refuse it, so it is dropped. */
function toOpaqueParts(block: BlockStart, inputJson: string): AssistantContent[] {
  if (inputJson === '' || !('input' in block)) return [toOpaquePart(block)];
  const input = parseObject(inputJson);
  return input === undefined ? [] : [toOpaquePart(Object.assign({}, block, { input }))];
}

// Blocks and fields of the Messages API that core does not know. Redacted thinking and blocks of the vendor's server
// tools travel as a redacted thinking part, in its signature alone. Single fields of texts and calls (citations, a
// caller) are their part's signature. They go back to the same model byte-equal and reach no other.
const blockPrefix = 'anthropic-block:';
const fieldsPrefix = 'anthropic-fields:';

function toOpaquePart(block: Anthropic.ContentBlock): ThinkingPart {
  const signature = block.type === 'redacted_thinking' ? block.data : blockPrefix + JSON.stringify(block);
  return { type: 'thinking', text: '', signature, redacted: true };
}

/** Wire data enters here: the API takes a block back as it sent it. */
export function fromOpaqueSignature(signature: string): Anthropic.ContentBlockParam {
  if (!signature.startsWith(blockPrefix)) return { type: 'redacted_thinking', data: signature };
  return JSON.parse(signature.slice(blockPrefix.length)) as Anthropic.ContentBlockParam;
}

/** Fields that a part holds itself. */
const ownFields = ['type', 'text', 'id', 'name', 'input'];

/** The signature of a part: its block's other fields; absent without any. */
function toBlockSignature(block: object): { signature?: string } {
  const fields = Object.entries(block).filter(
    ([name, value]) => !ownFields.includes(name) && isTelling(value),
  );
  return fields.length === 0 ? {} : { signature: fieldsPrefix + JSON.stringify(Object.fromEntries(fields)) };
}

/** Empty for a signature of another wire. */
export function fromBlockSignature(signature = ''): object {
  return signature.startsWith(fieldsPrefix) ? (parseObject(signature.slice(fieldsPrefix.length)) ?? {}) : {};
}

function isTelling(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}
