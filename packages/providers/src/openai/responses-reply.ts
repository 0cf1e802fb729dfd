// Responses stream events -> AssistantMessage. Pure accumulation: deltas are for people, and the message consists of the
// finished items.
import { isDeepStrictEqual } from 'node:util';
import type OpenAI from 'openai';
import { toUsage } from './usage.ts';
import type { AssistantMessage, ToolCallPart } from '@holdfast/vocabulary/messages';
import type { ModelReply } from '@holdfast/vocabulary/model-call';
import { isRefusal, toParts, unanswerableName } from './responses-items.ts';
import type { Decoder, Stage } from '../event-stream.ts';
import { ReplyDraft } from '../reply-calls.ts';
import { errorIn } from '../error-body.ts';
import { ProviderError, ModelFault, assertSoundStop } from '../faults.ts';
import { argumentText, saysNothing, wholeArguments } from '../wire-parts.ts';

type Response = OpenAI.Responses.Response;
/** The response itself: of a server that does not stream. */
type ResponseEvent = OpenAI.Responses.ResponseStreamEvent | (Response & { type?: undefined });
type OutputItem = OpenAI.Responses.ResponseOutputItem;
type FunctionCall = OpenAI.Responses.ResponseFunctionToolCall;

/** Items by output index. */
export class ResponsesReply extends ReplyDraft implements Decoder<ResponseEvent> {
  items = new Map<number, OutputItem>();
  open = new Map<number, ToolCallPart>();
  /** Calls as they began. */
  added = new Map<number, FunctionCall>();
  /** All text as its own events give it. */
  text = '';
  isCreated = false;
  final: Response | undefined;

  /** Throws a ProviderError when the response failed. */
  add(event: ResponseEvent): void {
    switch (event.type) {
      case 'response.created':
        this.#create();
        break;
      case 'response.output_item.added':
        if (event.item.type !== 'function_call') break;
        this.#openCall(event.output_index, event.item);
        this.added.set(event.output_index, event.item);
        break;
      case 'response.output_item.done':
        this.items.set(event.output_index, event.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
        this.#end(event.response);
        break;
      case undefined:
        if (event.object !== 'response') break;
        if (event.status === 'queued' || event.status === 'in_progress')
          throw new ModelFault(
            'Model.StreamCut',
            `The response is ${event.status}: expected a finished one.`,
          );
        this.#end(event);
        break;
      case 'response.failed':
        this.count(toUsage(event.response.usage));
        throw errorIn(event.response) ?? new ProviderError('no reason given', { codes: ['server_error'] });
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.text += event.delta;
        this.show({ type: 'text', text: event.delta });
        break;
      case 'response.output_text.done':
        if (!this.text.endsWith(event.text)) this.text += event.text;
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.show({ type: 'thinking', text: event.delta });
        break;
      case 'response.function_call_arguments.delta':
      case 'response.function_call_arguments.done': {
        const call = this.open.get(event.output_index);
        if (call === undefined) break;
        call.arguments = 'delta' in event ? call.arguments + event.delta : argumentText(event.arguments);
        if ('delta' in event) this.showCall(call, event.delta);
        break;
      }
      default: // other events repeat the finished items
    }
  }

  stage(): Stage {
    return this.final === undefined ? 'open' : 'whole';
  }

  finish(): ModelReply {
    const { final } = this;
    if (final === undefined)
      throw new ModelFault('Model.StreamCut', 'The stream ended without response.completed.');
    assertSoundStop(final.status ?? 'completed');
    const ordered = [...this.items].sort(([left], [right]) => left - right);
    const items = ordered.map(([, item]) => item);
    const content = ordered.flatMap(([index, item]) =>
      item.type === 'function_call' ? [this.#finishCall(index, item)] : toParts(item),
    );
    // gateways that translate leave the finished items empty
    const isSaid = content.some((part) => part.type === 'text' && part.text !== '');
    if (!isSaid && this.text !== '') content.unshift({ type: 'text', text: this.text });
    const reason =
      final.incomplete_details?.reason ?? (final.status === 'incomplete' ? 'max_output_tokens' : undefined);
    return this.whole(content, toStop(reason, items), {
      items: items.flatMap(unanswerableName),
      unknownStop: reason && !knownReasons.includes(reason) && reason,
    });
  }

  /** A second response in one stream replaces the first. */
  #create(): void {
    const { request, watcher, isCreated } = this;
    if (isCreated) {
      Object.assign(this, new ResponsesReply(request, watcher));
      watcher.onRestart?.();
    }
    this.isCreated = true;
  }

  #openCall(index: number, item: FunctionCall): ToolCallPart {
    const call = this.open.get(index) ?? this.beginCall(item.call_id, item.name);
    this.open.set(index, call);
    return call;
  }

  #finishCall(index: number, item: FunctionCall): ToolCallPart {
    const call = this.#openCall(index, item);
    const given = wholeArguments(item.arguments);
    // some servers send them in their own events only
    const text = saysNothing(given) ? wholeArguments(call.arguments) : given;
    return Object.assign(call, { name: item.name, arguments: text });
  }

  /**
   * Items that were cut short may have had no event of their own; the terminal event lists them, by its own index. Some
   * servers finish no item, and list none.
   */
  #end(response: Response): void {
    for (const listed of [(response.output ?? []).entries(), this.added]) {
      const known = [...this.items.values()];
      for (const [index, item] of listed) {
        if (!this.items.has(index) && !known.some((other) => isSameItem(other, item)))
          this.items.set(index, item);
      }
    }
    this.count(toUsage(response.usage));
    this.final = response;
  }
}

const knownReasons: readonly string[] = ['max_output_tokens', 'content_filter'];

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
