// Responses stream events -> AssistantMessage. Pure accumulation: deltas are for people, and the message consists of the
// finished items.
import { isDeepStrictEqual } from 'node:util';
import type OpenAI from 'openai';
import { toUsage } from './usage.ts';
import type { AssistantMessage, ToolCallPart } from '../../../../core/model/messages.ts';
import type { ModelDelta, ModelReply } from '../../../../core/model/model-call.ts';
import type { ModelCallOptions } from '../model-provider.ts';
import { isRefusal, toParts, unanswerableName } from './responses-items.ts';
import type { Decoder } from '../event-stream.ts';
import { ReplyDraft, beginCall, showCall, wholeReply } from '../reply-calls.ts';
import type { WireCall } from '../vendor.ts';
import { errorIn } from '../error-body.ts';
import { ProviderError, ModelFault, assertSoundStop } from '../faults.ts';
import { argumentText, saysNothing, wholeArguments } from '../wire-parts.ts';

type Emit = (delta: ModelDelta) => void;
type Watcher = Pick<ModelCallOptions, 'onDelta' | 'onRestart'>;
type Response = OpenAI.Responses.Response;
/** The response itself: of a server that does not stream. */
type ResponseEvent = OpenAI.Responses.ResponseStreamEvent | (Response & { type?: undefined });
type OutputItem = OpenAI.Responses.ResponseOutputItem;
type FunctionCall = OpenAI.Responses.ResponseFunctionToolCall;

export function startResponses({ request, options }: WireCall): Decoder<ResponseEvent> {
  const draft = new ResponsesDraft(request);
  return {
    add: (event) => addResponseEvent(draft, event, options),
    stage: () => (draft.final === undefined ? 'open' : 'whole'),
    usage: () => draft.usage,
    finish: () => finishResponses(draft, options.onDelta),
  };
}

/** Items by output index. */
class ResponsesDraft extends ReplyDraft {
  items = new Map<number, OutputItem>();
  open = new Map<number, ToolCallPart>();
  /** Calls as they began. */
  added = new Map<number, FunctionCall>();
  /** All text as its own events give it. */
  text = '';
  isCreated = false;
  final: Response | undefined;
}

/** Throws a ProviderError when the response failed. */
function addResponseEvent(
  draft: ResponsesDraft,
  event: ResponseEvent,
  { onDelta: emit, onRestart }: Watcher,
): void {
  switch (event.type) {
    case 'response.created':
      // a second response in one stream replaces the first
      if (draft.isCreated) {
        Object.assign(draft, new ResponsesDraft(draft.request));
        onRestart?.();
      }
      draft.isCreated = true;
      break;
    case 'response.output_item.added':
      if (event.item.type !== 'function_call') break;
      openCall(draft, event.output_index, event.item);
      draft.added.set(event.output_index, event.item);
      break;
    case 'response.output_item.done':
      draft.items.set(event.output_index, event.item);
      break;
    case 'response.completed':
    case 'response.incomplete':
      finish(draft, event.response);
      break;
    case undefined:
      if (event.object !== 'response') break;
      if (event.status === 'queued' || event.status === 'in_progress')
        throw new ModelFault('Model.StreamCut', `The response is ${event.status}: expected a finished one.`);
      finish(draft, event);
      break;
    case 'response.failed':
      draft.usage = toUsage(event.response.usage);
      throw errorIn(event.response) ?? new ProviderError('no reason given', { codes: ['server_error'] });
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      draft.text += event.delta;
      emit({ type: 'text', text: event.delta });
      break;
    case 'response.output_text.done':
      if (!draft.text.endsWith(event.text)) draft.text += event.text;
      break;
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      emit({ type: 'thinking', text: event.delta });
      break;
    case 'response.function_call_arguments.delta':
    case 'response.function_call_arguments.done': {
      const call = draft.open.get(event.output_index);
      if (call === undefined) break;
      call.arguments = 'delta' in event ? call.arguments + event.delta : argumentText(event.arguments);
      if ('delta' in event) showCall(call, event.delta, emit);
      break;
    }
    default: // other events repeat the finished items
  }
}

/** Throws a ModelFault if the reply is not whole. */
function finishResponses(draft: ResponsesDraft, emit: Emit): ModelReply {
  const { final } = draft;
  if (final === undefined)
    throw new ModelFault('Model.StreamCut', 'The stream ended without response.completed.');
  assertSoundStop(final.status ?? 'completed');
  const ordered = [...draft.items].sort(([left], [right]) => left - right);
  const items = ordered.map(([, item]) => item);
  const content = ordered.flatMap(([index, item]) =>
    item.type === 'function_call' ? [finishCall(draft, index, item)] : toParts(item),
  );
  // gateways that translate leave the finished items empty
  const isSaid = content.some((part) => part.type === 'text' && part.text !== '');
  if (!isSaid && draft.text !== '') content.unshift({ type: 'text', text: draft.text });
  const reason =
    final.incomplete_details?.reason ?? (final.status === 'incomplete' ? 'max_output_tokens' : undefined);
  return wholeReply(draft, content, toStop(reason, items), emit, {
    items: items.flatMap(unanswerableName),
    unknownStop: reason && !knownReasons.includes(reason) && reason,
  });
}

const knownReasons: readonly string[] = ['max_output_tokens', 'content_filter'];

function openCall(draft: ResponsesDraft, index: number, item: FunctionCall): ToolCallPart {
  const call = draft.open.get(index) ?? beginCall(draft, item.call_id, item.name);
  draft.open.set(index, call);
  return call;
}

function finishCall(draft: ResponsesDraft, index: number, item: FunctionCall): ToolCallPart {
  const call = openCall(draft, index, item);
  const given = wholeArguments(item.arguments);
  // some servers send them in their own events only
  const text = saysNothing(given) ? wholeArguments(call.arguments) : given;
  return Object.assign(call, { name: item.name, arguments: text });
}

/**
 * Items that were cut short may have had no event of their own; the terminal event lists them, by its own index. Some
 * servers finish no item, and list none.
 */
function finish(draft: ResponsesDraft, response: Response): void {
  for (const listed of [(response.output ?? []).entries(), draft.added]) {
    const known = [...draft.items.values()];
    for (const [index, item] of listed) {
      if (!draft.items.has(index) && !known.some((other) => isSameItem(other, item)))
        draft.items.set(index, item);
    }
  }
  draft.usage = toUsage(response.usage);
  draft.final = response;
}

/** Some servers list a streamed item under another id; a call is known by its call id. */
function isSameItem(left: OutputItem, right: OutputItem): boolean {
  if (left.id !== undefined && left.id === right.id) return true;
  if (left.type === 'function_call' && right.type === 'function_call' && left.call_id)
    return left.call_id === right.call_id;
  return isDeepStrictEqual({ ...left, id: undefined }, { ...right, id: undefined });
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
