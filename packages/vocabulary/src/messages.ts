// The messages of a session and their records in the log. Pure types and small constructors; nothing here knows a
// provider's wire format.
import { defined } from '@holdfast/base/defined';
import type {
  AssistantMessage,
  CustomMessage,
  ImagePart,
  Message,
  SaidPart,
  StopReason,
  TextPart,
  ToolCallPart,
  ToolResultMessage,
  Usage,
  UserContent,
  UserMessage,
  UserOrigin,
} from './messages.schema.ts';
import { alertNewsPrefix } from './outer-names.ts';

export type * from './messages.schema.ts';

/** The messages that a prompt may have. */
export type PromptMessage = UserMessage | CustomMessage;

/** A message's place in the log. `seq` counts from 1 without gaps; `at` is workflow time in ms since the epoch. */
export type RecordHead = {
  /** Place in the log: counts from 1 without gaps. */
  seq: number;
  /** Id of the record. */
  id: string;
  /** Id of the run of the message. */
  runId: string;
  /** Turn of the message, from 1. */
  turn: number;
  /** Workflow time in ms since the epoch. */
  at: number;
  /**
   * First 128 bits (hex) of SHA-256 over the message; set if an activity made it, and the key of the worker's message
   * cache.
   */
  digest?: string;
  /** Effect of the call, in the result of a call that may change something; absent: it only reads. */
  effect?: 'idempotent' | 'once';
  /** Decision of a person or a rule, in the result of a call. */
  decided?: CallDecision;
  /** Outcome of a call that may change something, or that was refused, in its result. */
  outcome?: CallOutcome;
  /** The call's own times, not those of its turn, in its result. */
  ran?: CallTimes;
};
/**
 * Outcome of a call that may change something. `unknown`: it may have taken effect or not. `refused`: a person, a rule or its
 * tool did not let it run; `not_run`: nobody refused it.
 */
export type CallOutcome =
  | 'done'
  | 'done_in_part'
  | 'failed'
  | 'unknown'
  | 'refused'
  | 'not_run'
  | 'simulated'
  | 'timed_out';
/** Times of a call. Waiting for a person, or for a place in the batch, does not count as running. */
export type CallTimes = {
  /** Start: workflow time in ms since the epoch. */
  from: number;
  /** Duration of the call in ms. */
  ms: number;
  /** Wait before the start in ms; absent: less than a second. */
  waitedMs?: number;
};
/** Deciders over a call that are no person. */
export const notPeople = ['policy', 'timer', 'stop', 'limit', 'before'] as const;
export type CallDecision = {
  /** True if the call was allowed. */
  approved: boolean;
  /** Name of the person, or what decided without one: `policy`, `timer`, `stop`, `limit` or `before` (a denial). */
  by: string;
  /** Workflow time in ms since the epoch. */
  at: number;
  /** The reason given with the answer. */
  reason?: string;
};
export type LogRecord = RecordHead & Message;
export type RecordOf<Role extends LogRecord['role']> = Extract<LogRecord, { role: Role }>;

/** True for a reply that the model finished: other replies are in the log, never in a request. */
export function isWholeReply<M extends { role: string; stopReason?: StopReason }>(
  message: M,
): message is Extract<M, { role: 'assistant' }> {
  return message.role === 'assistant' && message.stopReason !== 'error' && message.stopReason !== 'aborted';
}

export type SteeringRecord = RecordOf<'user'> & { origin: 'steer' | 'follow_up' };

/** True for a person's message to a running run. */
export function isSteering(record: LogRecord): record is SteeringRecord {
  return record.role === 'user' && (record.origin === 'steer' || record.origin === 'follow_up');
}

/** The message without its place in the log. */
export function bareMessage(record: LogRecord): Message {
  const { seq: _seq, id: _id, runId: _runId, turn: _turn, at: _at, ...rest } = record;
  const {
    digest: _digest,
    effect: _effect,
    decided: _decided,
    outcome: _outcome,
    ran: _ran,
    ...message
  } = rest;
  return message;
}

export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** A user message with its text first and its images after it, in order (MSG-03). */
export function userMessage(
  text: string,
  origin: UserOrigin = 'prompt',
  images: ImagePart[] = [],
): UserMessage {
  const parts: UserContent[] = text === '' ? [] : [{ type: 'text', text }];
  return { role: 'user', content: [...parts, ...images], origin };
}

/** The text parts of a message, joined by newlines. */
export function textOf(message: Message): string {
  if (message.role === 'custom') return '';
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Its text with a mark for each picture, for places that show none. */
export function describedText(message: Message): string {
  const marks = picturesOf(message).map(() => '[picture, not shown here]');
  return [textOf(message), ...marks].filter(Boolean).join('\n');
}

export function picturesOf(message: Message): ImagePart[] {
  return message.role === 'custom' ? [] : message.content.filter((part) => part.type === 'image');
}

/** In place of a picture that the model is not shown. */
export function pictureNote(part: UserContent, why: string): UserContent {
  if (part.type !== 'image') return part;
  return { type: 'text', text: `[image ${part.artifactId} (${part.mediaType}): ${why}]` };
}

/** The tool calls of an assistant message, in the model's order. */
export function toolCallsOf(message: AssistantMessage): ToolCallPart[] {
  return message.content.filter((part) => part.type === 'tool_call');
}

/** Drops the signature, which only one model can read. */
export function withoutSignature(part: SaidPart | ToolCallPart): SaidPart | ToolCallPart {
  const { signature: _, ...plain } = part;
  return plain;
}

/** True if there is text or a call; thinking alone does not count (LOOP-15), a refusal does by its stop reason. */
export function isFilled(message: AssistantMessage): boolean {
  if (message.stopDetail === 'refusal') return true;
  return toolCallsOf(message).length > 0 || textOf(message).trim() !== '';
}

/** False for words of code, of a delegating model, and for news of alerts. */
export function isOfPerson({ origin, messageId = '' }: UserMessage): boolean {
  return origin !== 'injected' && origin !== 'seed' && !messageId.startsWith(alertNewsPrefix);
}

/** True for a reply without calls that the output limit has cut. */
export function isCutAnswer(message: AssistantMessage): boolean {
  return message.stopReason === 'length' && toolCallsOf(message).length === 0;
}

export function inputTotal(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite;
}

export function addUsage(left: Usage, right: Usage): Usage {
  const reasoning = (left.reasoning ?? 0) + (right.reasoning ?? 0);
  return defined({
    input: left.input + right.input,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    output: left.output + right.output,
    reasoning: reasoning > 0 ? reasoning : undefined,
    estimated: left.estimated || right.estimated || undefined,
  });
}

/** The usage of all purposes together. */
export function totalUsage(usages: Record<string, Usage>): Usage {
  return Object.values(usages).reduce<Usage>(addUsage, noUsage);
}

export function tokensOf(usages: Record<string, Usage>): number {
  const total = totalUsage(usages);
  return inputTotal(total) + total.output;
}

/** A message as sent by the default projection: no application data, no details for people, prefaces in its content. */
export type LlmMessage =
  | Omit<UserMessage, 'preface' | 'sent'>
  | AssistantMessage
  | Omit<ToolResultMessage, 'details'>;

/** Undefined for a custom message, which only a worker's own projection can show to a model. */
export function toLLM(message: Message): LlmMessage | undefined {
  if (message.role === 'custom') return undefined;
  if (message.role === 'user') return withPreface(message);
  if (message.role !== 'tool_result' || message.details === undefined) return message;
  const { details: _, ...rest } = message;
  return rest;
}

function withPreface(message: UserMessage): LlmMessage {
  const { preface, sent, ...rest } = message;
  if (preface === undefined) return sent === undefined ? message : rest;
  return {
    ...rest,
    content: [...preface.map(({ text }): TextPart => ({ type: 'text', text })), ...rest.content],
  };
}

/** Inverse of `toLLM`: makes a log message from a model's message, e.g. to seed a session. */
export function fromLLM(message: LlmMessage): Message {
  return message;
}

/** The text of the newest reply that has any, for a reader who needs all that there is. */
export function lastWordsOf(records: readonly LogRecord[]): string {
  const last = records.findLast((record) => record.role === 'assistant' && textOf(record).trim() !== '');
  return last ? textOf(last) : '';
}
