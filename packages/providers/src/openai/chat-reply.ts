// Chat Completions chunks -> AssistantMessage. Pure accumulation; any part of a chunk may be missing.
import type OpenAI from 'openai';
import { defined } from '@holdfast/base/defined';
import { parseJson } from '@holdfast/base/json';
import { type AssistantContent, type StopReason, type ToolCallPart } from '@holdfast/vocabulary/messages';
import type { ModelDelta, ModelReply } from '@holdfast/vocabulary/model-call';
import { errorIn } from '../error-body.ts';
import type { Decoder, Stage } from '../event-stream.ts';
import { ReplyDraft, itemName } from '../reply-calls.ts';
import { ModelFault, assertSoundStop, isBrokenStop } from '../faults.ts';
import { argumentText, parseObject, saysNothing, wholeArguments } from '../wire-parts.ts';
import { type WireUsage, toUsage } from './usage.ts';
import {
  type ThinkingField,
  fromFieldSignature,
  thinkingFields,
  toFieldSignature,
  withFields,
} from './reply-fields.ts';

type Chunk = OpenAI.ChatCompletionChunk;
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { [Field in ThinkingField | ForeignField]?: unknown };
/** `message`: of a server that does not stream; some give their counts inside. The native reason is a gateway's. */
type Choice = Partial<OpenAI.ChatCompletionChunk.Choice> & {
  message?: Delta | null;
  usage?: WireUsage;
  native_finish_reason?: string | null;
};
type CallDelta = Partial<OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall> & { custom?: { name?: string } };

type OpenCall = Pick<CallDelta, 'index' | 'id'> & { part: ToolCallPart; pieces: string[] };

/** Fields with content that is neither text nor a call of our tools. */
const foreignFields = ['audio', 'images', 'function_call'] as const;
type ForeignField = (typeof foreignFields)[number];

export class ChatReply extends ReplyDraft implements Decoder<Chunk> {
  open: OpenCall[] = [];
  /** A piece in the middle of a call had a new id and the name again. */
  hasNewIds = false;
  /** Items that cannot be answered here, by name. */
  unanswerable: string[] = [];
  refused = false;
  finishReason: string | undefined;
  /** The current chunk has said something behind a finish reason. */
  isBehind = false;
  /** More was said behind or with a second finish reason: the server names one in every chunk. */
  isNamedEarly = false;
  /** The chunk after the finish reason came, which holds only the counts. */
  isCounted = false;
  /** Fields of the message that go back as they came. */
  fields: Record<string, unknown> = {};

  add(chunk: Chunk): void {
    this.isBehind = false;
    const choices: (Choice | null)[] = chunk.choices ?? [];
    // one reply was asked for: a choice of another index is none of ours
    const ours = choices.filter((choice) => choice !== null).filter(({ index }) => (index ?? 0) === 0);
    const usage = chunk.usage ?? ours.find((choice) => choice.usage)?.usage;
    if (usage) this.count(toUsage(usage));
    if (choices.length === 0) this.isCounted = this.finishReason !== undefined && Boolean(usage);
    const began = this.content.map(({ type }) => type);
    for (const choice of ours) {
      // gateways report a broken upstream here, after the reply has begun
      const error = errorIn(choice);
      if (error !== undefined) throw error;
      const { delta, message, finish_reason, native_finish_reason } = choice;
      this.#addDelta({ ...unsaid(began, message), ...delta });
      const stop = isBrokenStop(native_finish_reason) ? native_finish_reason : finish_reason;
      // some servers write the value null as a text
      if (!stop || parseJson(stop) === null) continue;
      this.finishReason = stop;
      this.isNamedEarly = false;
    }
    this.isNamedEarly ||= this.isBehind;
  }

  override show(delta: ModelDelta): void {
    this.isBehind ||= this.finishReason !== undefined;
    super.show(delta);
  }

  /** Does not wait for the last line, `[DONE]`: several servers never send it. */
  stage(): Stage {
    if (this.finishReason !== undefined && this.isCounted) return 'whole';
    const isThinking = this.finishReason === 'stop' && this.content.at(-1)?.type === 'thinking';
    return this.finishReason === undefined || this.isNamedEarly || isThinking ? 'open' : 'said';
  }

  /** Throws a fault if the server broke, or ended without a sign of the end. */
  finish(isDone: boolean): ModelReply {
    for (const { part, pieces } of this.open) part.arguments = wholeArguments(joined(pieces));
    // gateways write `[DONE]` even after a broken stream: then the arguments of its last call are not JSON
    const isWhole = this.open.every(({ part }) => parseObject(part.arguments) !== undefined);
    const finishReason = this.finishReason ?? (isDone && isWhole ? 'stop' : undefined);
    if (finishReason === undefined)
      throw new ModelFault('Model.StreamCut', 'The stream ended without a finish reason or [DONE].');
    assertSoundStop(finishReason);
    const isFiltered = filtered.test(finishReason);
    const known = isFiltered ? 'stop' : stopReasons[finishReason.toLowerCase()];
    const stopReason = known ?? (this.open.length > 0 ? 'tool_use' : 'stop');
    return this.whole(
      [...carrierOf(this), ...contentOf(this)],
      defined({ stopReason, stopDetail: this.refused || isFiltered ? 'refusal' : undefined }),
      { items: this.unanswerable, unknownStop: known === undefined && finishReason },
    );
  }

  #addDelta(delta: Delta): void {
    // of several with the same text the first counts; an empty one is kept, because its server wants it back
    const signature = thinkingFields.find((name) => delta[name]) ?? 'reasoning_content';
    const text = delta[signature];
    if (typeof text === 'string' && (text !== '' || this.content.length === 0))
      this.addText({ type: 'thinking', text, signature });
    this.fields = withFields(this.fields, delta);
    this.#addContent(delta.content);
    this.#addSaid(delta.refusal);
    if (delta.refusal) this.refused = true;
    const calls: (CallDelta | null)[] = delta.tool_calls ?? [];
    for (const [at, call] of calls.entries())
      if (call !== null) this.#addCallDelta({ ...call, index: call.index ?? at });
    this.unanswerable.push(...foreignFields.filter((field) => Object.keys(Object(delta[field])).length > 0));
  }

  /** Mistral sends its content in parts, with thinking among them, which has no field to go back under. */
  #addContent(content: unknown): void {
    if (!Array.isArray(content)) return this.#addSaid(textIn(content));
    const parts: unknown[] = content;
    for (const part of parts) {
      const text = textIn(part);
      if (Object(part).type !== 'thinking') this.#addSaid(text);
      else if (text !== '') this.addText({ type: 'thinking', text });
    }
  }

  #addSaid(text: unknown): void {
    if (typeof text === 'string' && text !== '') this.addText({ type: 'text', text });
  }

  #addCallDelta(delta: CallDelta): void {
    if (delta.custom) {
      if (delta.custom.name) this.unanswerable.push(itemName('custom tool call', delta.custom.name));
      return;
    }
    const found = findCall(this.open, delta);
    const { part, pieces } = found ?? this.#openCall(delta);
    if (found?.id && delta.id && delta.id !== found.id && delta.function?.name) this.hasNewIds = true;
    if (part.name === '') part.name = delta.function?.name ?? '';
    const piece = argumentText(delta.function?.arguments);
    const text = part.arguments === '' && saysNothing(piece) ? '' : piece;
    part.arguments += text;
    pieces.push(text);
    Object.assign(part, toFieldSignature(withFields(fromFieldSignature(part.signature), delta)));
    this.showCall(part, text);
  }

  #openCall(delta: CallDelta): OpenCall {
    const part = this.beginCall(delta.id, delta.function?.name);
    const call = { ...delta, part, pieces: [] };
    this.content.push(part);
    this.open.push(call);
    return call;
  }
}

/** Some streams end with the message whole once more: of it counts all that has not come in pieces. */
function unsaid(began: AssistantContent['type'][], message: Delta | null | undefined): Delta {
  const rest = { ...message };
  if (began.includes('thinking')) for (const name of thinkingFields) delete rest[name];
  if (began.includes('text')) delete rest.content;
  if (began.includes('tool_call')) delete rest.tool_calls;
  return rest;
}

/** Without the empty piece with which a server that names a call in each of its pieces begins or ends it. */
function contentOf({ content, open, hasNewIds }: ChatReply): AssistantContent[] {
  const isEmpty = ({ part }: OpenCall) => part.arguments === '{}';
  const filled = hasNewIds ? open.filter((call) => !isEmpty(call)).map(({ part }) => part.name) : [];
  const empty = open.filter((call) => isEmpty(call) && filled.includes(call.part.name));
  return content.filter((one) => !empty.some(({ part }) => part === one));
}

/** The last piece alone where it repeats those before it: some servers send all arguments so far, or at the end. */
function joined(pieces: string[]): string {
  const all = pieces.join('');
  const before = pieces.slice(0, -1);
  const last = pieces.at(-1) ?? '';
  const repeats = before.every((piece) => last.startsWith(piece)) || last === before.join('');
  return repeats && parseObject(all) === undefined ? last : all;
}

/** A part that only carries the fields of the message. */
function carrierOf({ fields }: ChatReply): AssistantContent[] {
  const signed = toFieldSignature(fields);
  return signed.signature === undefined ? [] : [{ type: 'thinking', text: '', redacted: true, ...signed }];
}

const stopReasons: Partial<Record<string, StopReason>> = {
  stop: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
};

/** Stop reasons of a filter: OpenAI, Gemini, Bedrock and GLM, as gateways pass them on. */
const filtered = /content_filter|prohibited_content|safety|recitation|guardrail|blocklist|spii|^sensitive$/i;

/** `text`, `output_text` and `thinking`: their text, or their list of texts. Other parts have none. */
function textIn(part: unknown): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return part.map(textIn).join('');
  const { type = 'text', text, thinking } = Object(part);
  return /^((output_)?text|thinking)$/.test(type) ? textIn(thinking ?? text ?? '') : '';
}

/**
 * By index, then by id. But some servers send every call with index 0, some each piece with another, some send no ids, and
 * some a new one with every piece: a piece without a name, or in the middle of an object, begins no call. One with neither
 * id nor name is the rest of the last call.
 */
function findCall(calls: OpenCall[], { id, index, function: piece }: CallDelta): OpenCall | undefined {
  const here = calls.filter((call) => call.index === index);
  const isBare = !id && !piece?.name;
  const named = isBare ? calls.slice(-1) : calls.filter((call) => id && call.id === id);
  const open = named.findLast(({ part }) => parseObject(part.arguments) === undefined);
  const found = here.findLast((call) => named.includes(call)) ?? here.at(-1) ?? open;
  if (found === undefined) return undefined;
  const { name, arguments: begun } = found.part;
  const text = argumentText(piece?.arguments).trim();
  const isOther = id && found.id ? id !== found.id : undefined;
  if (begun === '') return piece?.name && (isOther || (name && name !== piece.name)) ? undefined : found;
  if (piece?.name && isOther && (text === '' || text.startsWith('{'))) return undefined;
  if (parseObject(begun) === undefined) return found;
  // after whole arguments, more of them begin another call, or list this one again
  if (isOther === false) return piece?.name && parseObject(text) !== undefined ? undefined : found;
  return text !== '' && (isOther || piece?.name) ? undefined : found;
}
