// Messages stream events -> AssistantMessage. Pure accumulation.
import type Anthropic from '@anthropic-ai/sdk';
import { defined } from '@holdfast/base/defined';
import { type AssistantMessage, type Usage, noUsage } from '@holdfast/vocabulary/messages';
import type { ModelReply } from '@holdfast/vocabulary/model-call';
import { type Blocks, addDelta, emptyText, finishBlock, openBlock, unanswerableBlock } from './blocks.ts';
import type { Decoder, Stage } from '../event-stream.ts';
import { ReplyDraft } from '../reply-calls.ts';
import { ModelFault, assertSoundStop } from '../faults.ts';

/** The message itself: of a server that does not stream. */
type MessageEvent = Anthropic.RawMessageStreamEvent | Anthropic.Message;

export class MessagesReply extends ReplyDraft implements Decoder<MessageEvent> {
  blocks: Blocks = { all: [], open: new Map() };
  /** null: that of a server that names none at the end of its reply. */
  stopReason: string | null | undefined;
  isComplete = false;

  add(event: MessageEvent): void {
    const { open } = this.blocks;
    switch (event.type) {
      case 'message_start':
        this.#start(event.message);
        break;
      case 'content_block_start':
        openBlock(this, event.index, event.content_block);
        break;
      case 'content_block_delta':
        addDelta(this, open.get(event.index) ?? openBlock(this, event.index, emptyText), event.delta);
        break;
      case 'content_block_stop':
        open.delete(event.index);
        break;
      case 'message_delta':
        this.stopReason = event.delta?.stop_reason ?? this.stopReason ?? null;
        this.count(mergeUsage(this.usage, event.usage));
        break;
      case 'message':
        this.#start(event);
        this.stopReason = event.stop_reason ?? null;
        this.isComplete = true;
        break;
      case 'message_stop':
        this.isComplete = true;
        break;
      default: // the API may add event types
    }
  }

  stage(): Stage {
    return this.isComplete ? 'whole' : 'open';
  }

  finish(): ModelReply {
    if (!this.isComplete || this.stopReason === undefined) {
      const missing = this.isComplete ? 'message_delta' : 'message_stop';
      throw new ModelFault('Model.StreamCut', `The stream ended without its ${missing}.`);
    }
    const raw = this.stopReason ?? 'none';
    assertSoundStop(raw);
    const blocks = this.blocks.all;
    const hasCalls = blocks.some(({ call }) => call !== undefined);
    return this.whole(
      blocks.flatMap((open) => finishBlock(this, open)),
      stops[raw] ?? { stopReason: hasCalls ? 'tool_use' : 'stop' },
      { items: blocks.flatMap(unanswerableBlock), unknownStop: stops[raw] === undefined && raw },
    );
  }

  /** A second message in one stream replaces the first; a repeated start withdraws nothing. */
  #start(message: Partial<Anthropic.Message> | undefined): void {
    const { request, watcher, usage } = this;
    if (this.blocks.all.length > 0) {
      Object.assign(this, new MessagesReply(request, watcher), { usage });
      watcher.onRestart?.();
    }
    // the counts of a withdrawn message are not this one's, but some servers count only once
    if (message?.usage) this.count(mergeUsage(noUsage, message.usage));
    for (const [index, block] of (message?.content ?? []).entries()) openBlock(this, index, block);
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
  return defined({
    input: wire.input_tokens ?? before.input,
    cacheRead: wire.cache_read_input_tokens ?? before.cacheRead,
    cacheWrite: wire.cache_creation_input_tokens ?? before.cacheWrite,
    output: wire.output_tokens ?? before.output,
    reasoning: reasoning > 0 ? reasoning : undefined,
  });
}
