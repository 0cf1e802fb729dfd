// Messages stream events -> AssistantMessage. Pure accumulation.
import type Anthropic from '@anthropic-ai/sdk';
import { type AssistantMessage, type Usage, noUsage } from '../../../../core/model/messages.ts';
import type { ModelReply, ModelRequest } from '../../../../core/model/model-call.ts';
import { type Blocks, addDelta, emptyText, finishBlock, openBlock, unanswerableBlock } from './blocks.ts';
import type { ModelCallOptions } from '../model-provider.ts';
import { type ReplyCalls, settleCalls, startCalls, assertAnswerable } from '../reply-calls.ts';
import { StreamFault, assertSoundStop } from '../faults.ts';

type Watcher = Pick<ModelCallOptions, 'onDelta' | 'onRestart'>;

/** The message itself: of a server that does not stream. */
export type MessageEvent = Anthropic.RawMessageStreamEvent | Anthropic.Message;

/** The reply so far. */
export class MessagesDraft {
  request: ModelRequest;
  blocks: Blocks = { all: [], open: new Map() };
  calls: ReplyCalls;
  usage: Usage = noUsage;
  /** null: that of a server that names none at the end of its reply. */
  stopReason: string | null | undefined;
  isComplete = false;

  constructor(request: ModelRequest) {
    this.request = request;
    this.calls = startCalls(request);
  }
}

export function addEvent(draft: MessagesDraft, event: MessageEvent, watcher: Watcher): void {
  const { onDelta } = watcher;
  switch (event.type) {
    case 'message_start':
      startMessage(draft, event.message, watcher);
      break;
    case 'content_block_start':
      openBlock(draft, event.index, event.content_block, onDelta);
      break;
    case 'content_block_delta':
      addDelta(
        draft.blocks.open.get(event.index) ?? openBlock(draft, event.index, emptyText, onDelta),
        event.delta,
        onDelta,
      );
      break;
    case 'content_block_stop':
      draft.blocks.open.delete(event.index);
      break;
    case 'message_delta':
      draft.stopReason = event.delta?.stop_reason ?? draft.stopReason ?? null;
      draft.usage = mergeUsage(draft.usage, event.usage);
      break;
    case 'message':
      startMessage(draft, event, watcher);
      draft.stopReason = event.stop_reason ?? null;
      draft.isComplete = true;
      break;
    case 'message_stop':
      draft.isComplete = true;
      break;
    default: // the API may add event types
  }
}

/** Throws a StreamFault if the reply is not whole. */
export function finishMessages(draft: MessagesDraft, onDelta: Watcher['onDelta']): ModelReply {
  if (!draft.isComplete || draft.stopReason === undefined) {
    const missing = draft.isComplete ? 'message_delta' : 'message_stop';
    throw new StreamFault('cut', `The stream ended without its ${missing}.`);
  }
  const raw = draft.stopReason ?? 'none';
  assertSoundStop(raw);
  const blocks = draft.blocks.all;
  const hasCalls = blocks.some(({ part }) => part?.type === 'tool_call');
  const message: AssistantMessage = {
    role: 'assistant',
    content: settleCalls(
      blocks.flatMap((open) => finishBlock(open, onDelta)),
      draft.calls,
      onDelta,
    ),
    model: draft.request.model,
    usage: draft.usage,
    ...(stops[raw] ?? { stopReason: hasCalls ? 'tool_use' : 'stop' }),
  };
  assertAnswerable(message, blocks.flatMap(unanswerableBlock));
  return { message, ...(stops[raw] === undefined && { unknownStop: raw }) };
}

/** A second message in one stream replaces the first; a repeated start withdraws nothing. */
function startMessage(
  draft: MessagesDraft,
  message: Partial<Anthropic.Message> | undefined,
  { onDelta, onRestart }: Watcher,
): void {
  if (draft.blocks.all.length > 0) {
    const { usage } = draft;
    Object.assign(draft, new MessagesDraft(draft.request), { usage });
    onRestart?.();
  }
  // the counts of a withdrawn message are not this one's, but some servers count only once
  if (message?.usage) draft.usage = mergeUsage(noUsage, message.usage);
  for (const [index, block] of (message?.content ?? []).entries()) {
    openBlock(draft, index, block, onDelta);
  }
}

type Stop = Pick<AssistantMessage, 'stopReason' | 'stopDetail'>;

const stops: Partial<Record<string, Stop>> = {
  end_turn: { stopReason: 'stop' },
  stop_sequence: { stopReason: 'stop' },
  tool_use: { stopReason: 'tool_use' },
  max_tokens: { stopReason: 'length' },
  model_context_window_exceeded: { stopReason: 'length', stopDetail: 'context_window' },
  pause_turn: { stopReason: 'stop', stopDetail: 'pause_turn' },
  compaction: { stopReason: 'stop', stopDetail: 'pause_turn' },
  refusal: { stopReason: 'stop', stopDetail: 'refusal' },
};

/** Counts are cumulative: a later event's count replaces an earlier one. Some servers count nothing. */
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
