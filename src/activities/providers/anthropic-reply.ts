// Messages stream events -> AssistantMessage. Pure accumulation.
import type Anthropic from '@anthropic-ai/sdk';
import { noUsage } from '../../core/messages.ts';
import type { AssistantContent, AssistantMessage, Usage } from '../../core/messages.ts';
import type { ModelDelta, ModelReply, ModelRequest } from '../../core/model.ts';
import { parseObject } from './wire-arguments.ts';
import { toOpaquePart } from './anthropic-opaque.ts';
import { freshCallId, takenIds } from './fresh-call-id.ts';
import type { TakenIds } from './fresh-call-id.ts';
import { StreamFault, assertSoundStop } from './stream-fault.ts';

type Emit = (delta: ModelDelta) => void;
type BlockStart = Anthropic.RawContentBlockStartEvent['content_block'];
type OpenBlock = {
  /** What the block becomes; a server tool's block only when it is complete. */
  part: AssistantContent | undefined;
  block: BlockStart;
  inputJson: string;
};

/** The reply so far. */
export type MessagesDraft = {
  blocks: Map<number, OpenBlock>;
  taken: TakenIds;
  usage: Usage;
  stopReason: string | undefined;
  isComplete: boolean;
};

export function startMessagesDraft(request: ModelRequest): MessagesDraft {
  return {
    blocks: new Map(),
    taken: takenIds(request),
    usage: noUsage,
    stopReason: undefined,
    isComplete: false,
  };
}

export function addEvent(draft: MessagesDraft, event: Anthropic.RawMessageStreamEvent, emit: Emit): void {
  switch (event.type) {
    case 'message_start':
      draft.usage = mergeUsage(draft.usage, event.message?.usage);
      break;
    case 'content_block_start':
      draft.blocks.set(event.index, startBlock(draft, event.content_block));
      break;
    case 'content_block_delta': {
      const open = draft.blocks.get(event.index);
      if (open !== undefined) addDelta(open, event.delta, emit);
      break;
    }
    case 'message_delta':
      draft.stopReason = event.delta?.stop_reason ?? draft.stopReason;
      draft.usage = mergeUsage(draft.usage, event.usage);
      break;
    case 'message_stop':
      draft.isComplete = true;
      break;
    default: // content_block_stop says nothing new; event types may be added by the API
  }
}

/** Throws a StreamFault where the reply is not whole. */
export function finishMessages(draft: MessagesDraft, request: ModelRequest): ModelReply {
  if (!draft.isComplete) throw new StreamFault('cut', 'The stream ended without its message_stop.');
  const raw = draft.stopReason ?? 'none';
  assertSoundStop(raw);
  const blocks = [...draft.blocks].sort(([left], [right]) => left - right).map(([, open]) => open);
  const hasCalls = blocks.some(({ part }) => part?.type === 'tool_call');
  const message: AssistantMessage = {
    role: 'assistant',
    content: blocks.flatMap(finishBlock),
    model: request.model,
    usage: draft.usage,
    ...(stops[raw] ?? { stopReason: hasCalls ? 'tool_use' : 'stop' }),
  };
  return { message, ...(stops[raw] === undefined && { unknownStop: raw }) };
}

type Stop = Pick<AssistantMessage, 'stopReason' | 'stopDetail'>;

const stops: Partial<Record<string, Stop>> = {
  end_turn: { stopReason: 'stop' },
  stop_sequence: { stopReason: 'stop' },
  tool_use: { stopReason: 'tool_use' },
  max_tokens: { stopReason: 'length' },
  model_context_window_exceeded: { stopReason: 'length', stopDetail: 'context_window' },
  pause_turn: { stopReason: 'stop', stopDetail: 'pause_turn' },
  refusal: { stopReason: 'stop', stopDetail: 'refusal' },
};

function startBlock(draft: MessagesDraft, block: BlockStart): OpenBlock {
  const open = { block, inputJson: '' };
  switch (block.type) {
    case 'text':
      return { ...open, part: { type: 'text', text: block.text ?? '' } };
    case 'thinking':
      return {
        ...open,
        part: { type: 'thinking', text: block.thinking ?? '', signature: block.signature ?? '' },
      };
    case 'tool_use': {
      const callId = freshCallId(block.id, block.name, draft.taken);
      return { ...open, part: { type: 'tool_call', callId, name: block.name, arguments: '' } };
    }
    default:
      return { ...open, part: undefined };
  }
}

function addDelta(open: OpenBlock, delta: Anthropic.RawContentBlockDelta, emit: Emit): void {
  const { part } = open;
  if (delta.type === 'text_delta' && part?.type === 'text') {
    part.text += delta.text;
    emit({ type: 'text', text: delta.text });
  } else if (delta.type === 'thinking_delta' && part?.type === 'thinking') {
    part.text += delta.thinking;
    emit({ type: 'thinking', text: delta.thinking });
  } else if (delta.type === 'signature_delta' && part?.type === 'thinking') {
    part.signature = (part.signature ?? '') + delta.signature;
  } else if (delta.type === 'input_json_delta') {
    open.inputJson += delta.partial_json;
    if (part?.type !== 'tool_call' || delta.partial_json === '') return;
    emit({ type: 'tool_call', callId: part.callId, name: part.name, argumentsDelta: delta.partial_json });
  }
}

function finishBlock({ part, block, inputJson }: OpenBlock): AssistantContent[] {
  if (part === undefined) return toOpaqueParts(block, inputJson);
  if (part.type === 'tool_call') return [{ ...part, arguments: inputJson || startInput(block) }];
  if (part.type !== 'thinking' || part.signature) return [part];
  return [{ type: 'thinking', text: part.text }];
}

/** Some servers put the whole input into the start of the block. */
function startInput(block: BlockStart): string {
  return block.type === 'tool_use' ? JSON.stringify(block.input ?? {}) : '{}';
}

/** A server tool's call that was cut inside its input never ran, and the API would not take it back: it is left out. */
function toOpaqueParts(block: BlockStart, inputJson: string): AssistantContent[] {
  if (inputJson === '' || !('input' in block)) return [toOpaquePart(block)];
  const input = parseObject(inputJson);
  return input === undefined ? [] : [toOpaquePart(Object.assign({}, block, { input }))];
}

/** Counts are cumulative: what a later event names replaces what an earlier one did. Other servers count nothing. */
function mergeUsage(
  before: Usage,
  wire: Partial<Anthropic.MessageDeltaUsage> | Anthropic.Usage | null = {},
): Usage {
  if (wire === null) return before;
  const reasoning = wire.output_tokens_details?.thinking_tokens ?? before.reasoning ?? 0;
  return {
    input: wire.input_tokens ?? before.input,
    cacheRead: wire.cache_read_input_tokens ?? before.cacheRead,
    cacheWrite: wire.cache_creation_input_tokens ?? before.cacheWrite,
    output: wire.output_tokens ?? before.output,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
