// Messages stream events -> AssistantMessage. Pure accumulation.
import type Anthropic from '@anthropic-ai/sdk';
import { type AssistantMessage, type Usage, noUsage } from '../../../../core/model/messages.ts';
import type { ModelReply } from '../../../../core/model/model-call.ts';
import { type Blocks, addDelta, emptyText, finishBlock, openBlock, unanswerableBlock } from './blocks.ts';
import type { ModelCallOptions } from '../model-provider.ts';
import type { Decoder } from '../event-stream.ts';
import { ReplyDraft, wholeReply } from '../reply-calls.ts';
import type { WireCall } from '../vendor.ts';
import { ModelFault, assertSoundStop } from '../faults.ts';

type Watcher = Pick<ModelCallOptions, 'onDelta' | 'onRestart'>;

/** The message itself: of a server that does not stream. */
type MessageEvent = Anthropic.RawMessageStreamEvent | Anthropic.Message;

export function startMessages({ request, options }: WireCall): Decoder<MessageEvent> {
  const draft = new MessagesDraft(request);
  return {
    add: (event) => addEvent(draft, event, options),
    stage: () => (draft.isComplete ? 'whole' : 'open'),
    usage: () => draft.usage,
    finish: () => finishMessages(draft, options.onDelta),
  };
}

class MessagesDraft extends ReplyDraft {
  blocks: Blocks = { all: [], open: new Map() };
  /** null: that of a server that names none at the end of its reply. */
  stopReason: string | null | undefined;
  isComplete = false;
}

function addEvent(draft: MessagesDraft, event: MessageEvent, watcher: Watcher): void {
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

/** Throws a ModelFault if the reply is not whole. */
function finishMessages(draft: MessagesDraft, onDelta: Watcher['onDelta']): ModelReply {
  if (!draft.isComplete || draft.stopReason === undefined) {
    const missing = draft.isComplete ? 'message_delta' : 'message_stop';
    throw new ModelFault('Model.StreamCut', `The stream ended without its ${missing}.`);
  }
  const raw = draft.stopReason ?? 'none';
  assertSoundStop(raw);
  const blocks = draft.blocks.all;
  const hasCalls = blocks.some(({ part }) => part?.type === 'tool_call');
  return wholeReply(
    draft,
    blocks.flatMap((open) => finishBlock(open, onDelta)),
    stops[raw] ?? { stopReason: hasCalls ? 'tool_use' : 'stop' },
    onDelta,
    { items: blocks.flatMap(unanswerableBlock), unknownStop: stops[raw] === undefined && raw },
  );
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
