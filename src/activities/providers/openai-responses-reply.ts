// Responses stream events -> AssistantMessage. Pure accumulation: deltas are for people, the message is made of
// the finished items.
import type OpenAI from 'openai';
import { noUsage } from '../../core/messages.ts';
import type { AssistantMessage, Usage } from '../../core/messages.ts';
import type { ModelDelta, ModelReply, ModelRequest } from '../../core/model.ts';
import { freshCallId, takenIds } from './fresh-call-id.ts';
import type { TakenIds } from './fresh-call-id.ts';
import { isRefusal, toParts } from './openai-responses-items.ts';
import { StreamFault, assertSoundStop } from './stream-fault.ts';

type Emit = (delta: ModelDelta) => void;
type Event = OpenAI.Responses.ResponseStreamEvent;
type Response = OpenAI.Responses.Response;
type OutputItem = OpenAI.Responses.ResponseOutputItem;

/** The reply so far; items by output index. */
export type ResponsesDraft = {
  items: Map<number, OutputItem>;
  calls: Map<number, { callId: string; name: string }>;
  taken: TakenIds;
  usage: Usage;
  /** The response of the terminal event. */
  final: Response | undefined;
};

export function startResponsesDraft(request: ModelRequest): ResponsesDraft {
  return {
    items: new Map(),
    calls: new Map(),
    taken: takenIds(request),
    usage: noUsage,
    final: undefined,
  };
}

/** Throws a StreamFault when the response failed. */
export function addResponseEvent(draft: ResponsesDraft, event: Event, emit: Emit): void {
  switch (event.type) {
    case 'response.output_item.added':
      openCall(draft, event.output_index, event.item);
      break;
    case 'response.output_item.done':
      draft.items.set(event.output_index, event.item);
      break;
    case 'response.completed':
    case 'response.incomplete':
      finish(draft, event.response);
      break;
    case 'response.failed':
      draft.usage = toUsage(event.response.usage);
      throw failure(event.response);
    default:
      emitDelta(draft, event, emit);
  }
}

/** Throws a StreamFault where the reply is not whole. */
export function finishResponses(draft: ResponsesDraft, request: ModelRequest): ModelReply {
  const { final } = draft;
  if (final === undefined) throw new StreamFault('cut', 'The stream ended without response.completed.');
  assertSoundStop(final.status ?? 'completed');
  const ordered = [...draft.items].sort(([left], [right]) => left - right);
  const reason = final.incomplete_details?.reason;
  const message: AssistantMessage = {
    role: 'assistant',
    content: ordered.flatMap(([index, item]) => toParts(item, draft.calls.get(index)?.callId ?? '')),
    model: request.model,
    usage: draft.usage,
    ...toStop(
      reason,
      ordered.map(([, item]) => item),
    ),
  };
  return { message, ...(reason && !knownReasons.includes(reason) && { unknownStop: reason }) };
}

const knownReasons: readonly string[] = ['max_output_tokens', 'content_filter'];

function openCall(draft: ResponsesDraft, index: number, item: OutputItem): void {
  if (item.type !== 'function_call' || draft.calls.has(index)) return;
  draft.calls.set(index, { callId: freshCallId(item.call_id, item.name, draft.taken), name: item.name });
}

/** Items that were cut short may have had no event of their own; the terminal event lists them, by its own index. */
function finish(draft: ResponsesDraft, response: Response): void {
  const known = new Set([...draft.items.values()].map((item) => item.id));
  for (const [index, item] of (response.output ?? []).entries()) {
    if (!known.has(item.id) && !draft.items.has(index)) draft.items.set(index, item);
  }
  for (const [index, item] of draft.items) openCall(draft, index, item);
  draft.usage = toUsage(response.usage);
  draft.final = response;
}

function failure(response: Response): StreamFault {
  const { code, message } = response.error ?? { code: 'server_error', message: 'no reason given' };
  return new StreamFault('error_event', message, { code });
}

function emitDelta(draft: ResponsesDraft, event: Event, emit: Emit): void {
  switch (event.type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      emit({ type: 'text', text: event.delta });
      break;
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      emit({ type: 'thinking', text: event.delta });
      break;
    case 'response.function_call_arguments.delta': {
      const call = draft.calls.get(event.output_index);
      if (call !== undefined) emit({ type: 'tool_call', ...call, argumentsDelta: event.delta });
      break;
    }
    default: // other events say nothing that the finished items do not
  }
}

function toStop(
  reason: string | undefined,
  items: OutputItem[],
): Pick<AssistantMessage, 'stopReason' | 'stopDetail'> {
  if (reason === 'max_output_tokens') return { stopReason: 'length' };
  if (reason === 'content_filter' || items.some(isRefusal))
    return { stopReason: 'stop', stopDetail: 'refusal' };
  return { stopReason: items.some((item) => item.type === 'function_call') ? 'tool_use' : 'stop' };
}

function toUsage(usage: OpenAI.Responses.ResponseUsage | null | undefined): Usage {
  if (!usage) return noUsage;
  const cacheRead = usage.input_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = usage.input_tokens_details?.cache_write_tokens ?? 0;
  const reasoning = usage.output_tokens_details?.reasoning_tokens ?? 0;
  return {
    input: Math.max(0, (usage.input_tokens ?? 0) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: usage.output_tokens ?? 0,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
