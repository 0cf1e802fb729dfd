// Content blocks of the Messages API while they stream -> parts of a reply. Pure accumulation.
import type Anthropic from '@anthropic-ai/sdk';
import type {
  AssistantContent,
  SaidPart,
  ThinkingPart,
  ToolCallPart,
} from '../../../../core/model/messages.ts';
import { type ReplyDraft, itemName } from '../reply-calls.ts';
import { parseObject } from '../wire-parts.ts';

type BlockStart = Anthropic.RawContentBlockStartEvent['content_block'];

export type OpenBlock = {
  /** The block as a part; undefined until complete for a block that core does not know. */
  part: SaidPart | ThinkingPart | ToolCallPart | undefined;
  block: BlockStart;
  inputJson: string;
  citations: Anthropic.TextCitation[];
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
  const block = startBlock(draft, start);
  all.push(block);
  open.set(index, block);
  return block;
}

/** Text at a block's start is shown like any other. */
function startBlock(draft: Draft, block: BlockStart): OpenBlock {
  const open = { block, inputJson: '', citations: [] };
  if (block.type === 'tool_use') return { ...open, part: draft.beginCall(block.id, block.name) };
  if (block.type !== 'text' && block.type !== 'thinking')
    return { ...open, block: { ...block }, part: undefined };
  const text = (block.type === 'text' ? block.text : block.thinking) ?? '';
  if (text !== '') draft.show({ type: block.type, text });
  if (block.type === 'text') return { ...open, part: { type: 'text', text } };
  return { ...open, part: { type: 'thinking', text, signature: block.signature ?? '' } };
}

export function addDelta(draft: Draft, open: OpenBlock, delta: Anthropic.RawContentBlockDelta): void {
  const { part } = open;
  if (delta.type === 'input_json_delta') {
    open.inputJson += delta.partial_json;
    if (part?.type === 'tool_call' && delta.partial_json !== '') draft.showCall(part, delta.partial_json);
  } else if (part === undefined) {
    // such as a compaction: the delta carries the fields' final values
    const { type: _, ...fields } = delta;
    Object.assign(open.block, fields);
  } else if (delta.type === 'text_delta' && part.type === 'text') {
    part.text += delta.text;
    draft.show({ type: 'text', text: delta.text });
  } else if (delta.type === 'citations_delta' && part.type === 'text') {
    open.citations.push(delta.citation);
  } else if (delta.type === 'thinking_delta' && part.type === 'thinking') {
    part.text += delta.thinking;
    draft.show({ type: 'thinking', text: delta.thinking });
  } else if (delta.type === 'signature_delta' && part.type === 'thinking') {
    part.signature = (part.signature ?? '') + delta.signature;
  }
}

export function finishBlock(draft: Draft, open: OpenBlock): AssistantContent[] {
  const { part, block, inputJson, citations } = open;
  switch (part?.type) {
    case undefined:
      return toOpaqueParts(block, inputJson);
    case 'tool_call':
      part.arguments = inputJson || startInput(block);
      // an input that came whole with the block's start was not shown yet
      if (inputJson === '') draft.showCall(part, part.arguments);
      return [Object.assign(part, toFieldSignature(block, knownFields))];
    case 'text': {
      const started = block.type === 'text' ? (block.citations ?? []) : [];
      const cited = { ...block, citations: [...started, ...citations] };
      return [{ ...part, ...toFieldSignature(cited, knownFields) }];
    }
    case 'thinking':
      return [part.signature ? part : { type: 'thinking', text: part.text }];
  }
}

/** Fields that a part holds itself. */
const knownFields = ['type', 'text', 'id', 'name', 'input'];

/** Blocks that the vendor answers itself, or that need no answer. */
const settledBlocks =
  /^(text|thinking|redacted_thinking|tool_use|server_tool_use|mcp_tool_use|mcp_tool_listing|compaction|fallback)$|_result$/;

/** The block's name if nothing here can answer it. */
export function unanswerableBlock({ block }: OpenBlock): string[] {
  return settledBlocks.test(block.type) ? [] : [itemName(block.type)];
}

/** Some servers put the whole input into the start of the block. */
function startInput(block: BlockStart): string {
  return block.type === 'tool_use' ? JSON.stringify(block.input ?? {}) : '{}';
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

/** The signature of a part: its block's fields that the part does not hold itself; absent without any. */
function toFieldSignature(block: object, known: readonly string[]): { signature?: string } {
  const fields = Object.entries(block).filter(([name, value]) => !known.includes(name) && isTelling(value));
  return fields.length === 0 ? {} : { signature: fieldsPrefix + JSON.stringify(Object.fromEntries(fields)) };
}

/** Empty for a signature of another wire. */
export function fromFieldSignature(signature = ''): object {
  return signature.startsWith(fieldsPrefix) ? (parseObject(signature.slice(fieldsPrefix.length)) ?? {}) : {};
}

function isTelling(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}
