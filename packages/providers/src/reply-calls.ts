// The texts and tool calls of one reply while it streams. A call that the stream lists again under its id is one call.
// Different calls stay two, even if a server gives both one id: the second gets its own (MSG-09).
import { isDeepStrictEqual } from 'node:util';
import type { AssistantContent, ToolCallPart, AssistantMessage, Usage } from '@holdfast/vocabulary/messages';
import type { ModelDelta, ModelReply, ModelRequest } from '@holdfast/vocabulary/model-call';
import type { ModelCallOptions } from './model-provider.ts';
import { defined } from '@holdfast/base/defined';
import { parseObject } from './wire-parts.ts';
import { randomUUID } from 'node:crypto';
import { noUsage, toolCallsOf, isFilled } from '@holdfast/vocabulary/messages';
import { readCallId } from '@holdfast/scripted-model/script-place';
import { ModelFault } from './faults.ts';

type Stop = Pick<AssistantMessage, 'stopReason' | 'stopDetail'>;

type TextPiece = { type: 'text' | 'thinking'; text: string; signature?: string | undefined };

/** The reply so far, of every wire. */
export class ReplyDraft {
  readonly request: ModelRequest;
  readonly watcher: Pick<ModelCallOptions, 'onDelta' | 'onRestart' | 'onUsage'>;
  content: AssistantContent[] = [];
  /** The provider's counts so far. */
  usage: Usage = noUsage;
  readonly taken: TakenIds;
  /** The provider's id of each call that has begun, by part. */
  readonly wireIds = new Map<AssistantContent, string | null | undefined>();

  constructor(request: ModelRequest, watcher: ReplyDraft['watcher']) {
    this.request = request;
    this.watcher = watcher;
    this.taken = takenIds(request);
  }

  /** Shows watchers a piece of the reply. */
  show(delta: ModelDelta): void {
    this.watcher.onDelta(delta);
  }

  count(usage: Usage): void {
    if (usage !== this.usage) this.watcher.onUsage?.(usage);
    this.usage = usage;
  }

  /** Adds a piece of text to the last part, or begins one: after another type, and after a part with another signature. */
  addText({ type, text, signature }: TextPiece): void {
    const signed = defined({ signature });
    const last = this.content.at(-1);
    const isSame = last?.type === type && (last.signature === undefined || last.signature === signature);
    if (isSame) this.content.splice(-1, 1, { ...last, text: last.text + text, ...signed });
    else this.content.push({ type, text, ...signed });
    if (text !== '') this.show({ type, text });
  }

  /** A call with an id that the reply already has is held back: it has no id until `whole`, and is not shown before. */
  beginCall(wireId: string | null | undefined, name: string | null | undefined): ToolCallPart {
    const isHeld = Boolean(wireId) && [...this.wireIds.values()].includes(wireId);
    const callId = isHeld ? '' : freshCallId(wireId, name, this.taken);
    const part: ToolCallPart = { type: 'tool_call', callId, name: name ?? '', arguments: '' };
    this.wireIds.set(part, wireId);
    return part;
  }

  showCall({ callId, name }: ToolCallPart, argumentsDelta: string): void {
    if (callId !== '') this.show({ type: 'tool_call', callId, name, argumentsDelta });
  }

  /** `items`: those that cannot be answered here, by name. `unknownStop`: the stop reason where it is not known. */
  whole(
    content: AssistantContent[],
    stop: Stop,
    { items = [], unknownStop }: { items?: readonly string[]; unknownStop?: string | false | undefined } = {},
  ): ModelReply {
    const { request, usage } = this;
    const settled = this.#settled(content);
    const message = { role: 'assistant' as const, content: settled, model: request.model, usage, ...stop };
    assertAnswerable(message, items);
    return defined({ message, unknownStop: unknownStop || undefined });
  }

  /** The content with each call once. The arguments must be whole. */
  #settled(content: AssistantContent[]): AssistantContent[] {
    const settled: AssistantContent[] = [];
    for (const part of content) {
      if (part.type === 'tool_call' && part.callId === '') {
        const wireId = this.wireIds.get(part);
        if (settled.some((other) => this.wireIds.get(other) === wireId && isSameCall(other, part))) continue;
        part.callId = freshCallId(undefined, part.name, this.taken);
        this.showCall(part, part.arguments);
      }
      settled.push(part);
    }
    return settled;
  }
}

function isSameCall(other: AssistantContent, part: ToolCallPart): boolean {
  if (other.type !== 'tool_call' || other.name !== part.name) return false;
  return (
    other.arguments === part.arguments ||
    (parseObject(part.arguments) !== undefined &&
      isDeepStrictEqual(parseObject(other.arguments), parseObject(part.arguments)))
  );
}

/** The ids that a reply must not use again. `some`: others exist that are not known here. */
export type TakenIds = { ids: Set<string>; some: boolean };

export function takenIds({ messages, metadata }: ModelRequest): TakenIds {
  const replies = messages.filter((message) => message.role === 'assistant');
  const ids = replies.flatMap((reply) => toolCallsOf(reply).map(({ callId }) => callId));
  return { ids: new Set(ids), some: metadata.viewIsCut === true };
}

/**
 * An id that is unique in the session, because evidence and idempotency keys use it. Some servers send none, or count
 * from call_0 in every reply. Keeps the model's id if it is new. Adds to the caller's set.
 */
export function freshCallId(
  id: string | null | undefined,
  tool: string | null | undefined,
  { ids, some }: TakenIds,
): string {
  const isNew = id && !ids.has(id) && (!some || isUnique(id, tool ?? ''));
  const fresh = isNew ? id : `call_${randomUUID().replaceAll('-', '')}`;
  ids.add(fresh);
  return fresh;
}

/** By its form: random ids have digits among their letters, names and counters do not. A script counts its replies. */
function isUnique(id: string, tool: string): boolean {
  const own = tool === '' ? id : id.replaceAll(tool, '');
  const words = own.match(/[a-z\d]{8,}/gi) ?? [];
  return words.some((word) => /\d/.test(word) && /[a-z]/i.test(word)) || readCallId(id) !== undefined;
}

const longestName = 64;

/** E.g. `custom_tool_call "deploy"`. */
export function itemName(type: unknown, name?: unknown): string {
  const kind = typeof type === 'string' ? type : 'an item without a type';
  return typeof name === 'string' ? `${kind} "${name.slice(0, longestName)}"` : kind;
}

/**
 * Throws if a reply holds only items for another kind of client: a shell, a patch, an approval, an image. Asked again,
 * the model would only repeat them, for money.
 */
function assertAnswerable(message: AssistantMessage, items: readonly string[]): void {
  if (items.length === 0 || isFilled(message)) return;
  throw new ModelFault(
    'Model.UnansweredItem',
    `The model's reply holds only ${[...new Set(items)].join(', ')}, which Holdfast cannot answer: expected text, or calls of the agent's tools. Take that tool out of the request (modelHooks.rewriteRequest), or name another model.`,
  );
}
