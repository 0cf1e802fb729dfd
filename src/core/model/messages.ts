// The messages of a session: the one union that log, view, providers and clients share.
// Pure types and small constructors; nothing here knows a provider's wire format.
import type { Json } from '../base/json.ts';

export type TextPart = {
  /** A piece of text. */
  type: 'text';
  /** The text. */
  text: string;
};
/** Text of a reply. */
export type SaidPart = TextPart & {
  /** As that of a thinking part, e.g. the citations of the text. */
  signature?: string;
};
/** Bytes live in the artifact store; a message only names them. */
export type ImagePart = {
  /** An image. */
  type: 'image';
  /** Its name in the artifact store. */
  artifactId: string;
  /** E.g. `image/png`. */
  mediaType: string;
  /** Hex digits over the bytes. */
  sha256: string;
  /** The bytes themselves in base64, at most 128 KiB of them: from a client that shares no store with the workers. */
  data?: string;
};
/** `signature` goes back byte-equal to the model that made it. A redacted block has no text, only `signature`. */
export type ThinkingPart = {
  /** What the model thought. */
  type: 'thinking';
  /** The words, where the model gives them. */
  text: string;
  /** Goes back byte-equal to the model that made it. */
  signature?: string;
  /** The text is not given: there is only the signature. */
  redacted?: true;
};
/** `arguments` is the JSON text as received from the model; it is never rewritten in the log. `signature`: as above. */
export type ToolCallPart = {
  /** A call of a tool. */
  type: 'tool_call';
  /** Its id, as the model gave it. */
  callId: string;
  /** Name of the tool. */
  name: string;
  /** The JSON text as received from the model; it is never rewritten in the log. */
  arguments: string;
  /** As that of a thinking part. */
  signature?: string;
};

export type UserContent = TextPart | ImagePart;
export type AssistantContent = SaidPart | ThinkingPart | ToolCallPart;

/** Normalised over providers: what the model said, not what follows from it (content decides, LOOP-17). */
export type StopReason = 'stop' | 'length' | 'tool_use' | 'error' | 'aborted';

/** A detail of the stop reason that changes what follows. */
export type StopDetail = 'refusal' | 'pause_turn' | 'context_window';

/** Token counts as the provider reported them. `input` is uncached input; inputTotal is the sum of the first three. */
export type Usage = {
  /** Input that no cache had. */
  input: number;
  /** Input read from the cache of the provider. */
  cacheRead: number;
  /** Input written into that cache. */
  cacheWrite: number;
  /** Output, thinking included. */
  output: number;
  /** Part of `output` spent on thinking, where the provider reports it. */
  reasoning?: number;
};

export type ModelRef = {
  /** Name of the provider: what is before the colon of a model. */
  provider: string;
  /** Its own name there. */
  id: string;
};

/** How a user message came in. `injected` is written by the agent itself (a warning, a reminder). */
export type UserOrigin = 'prompt' | 'steer' | 'follow_up' | 'injected' | 'seed';

/**
 * What the agent itself puts before the words of a run's first message, e.g. what it remembers. Kept apart, so that the
 * record has a person's own words; a request shows it before them.
 */
export type Preface = {
  /** What it is. */
  kind: 'place' | 'memory' | 'skills' | 'plan';
  /** Its words. */
  text: string;
};

export type UserMessage = {
  /** A message to the agent. */
  role: 'user';
  /** Texts and images, in order. */
  content: UserContent[];
  /** How it came in. */
  origin: UserOrigin;
  /** What the agent itself puts before it. */
  preface?: Preface[];
  /** The client's id of a steer or follow-up; used for receipts. */
  messageId?: string;
};
export type AssistantMessage = {
  /** A reply of the model. */
  role: 'assistant';
  /** Texts, thinking and calls, in order. */
  content: AssistantContent[];
  /** The model that answered. */
  model: ModelRef;
  /** Tokens of this reply. */
  usage: Usage;
  /** Why it ended. */
  stopReason: StopReason;
  /** What the reason alone does not say. */
  stopDetail?: StopDetail;
  /** Set when stopReason is error or aborted. */
  errorMessage?: string;
};
export type ToolResultMessage = {
  /** The result of a call. */
  role: 'tool_result';
  /** Id of the call. */
  callId: string;
  /** Name of its tool. */
  toolName: string;
  /** What the model reads. */
  content: UserContent[];
  /** Whether the model reads it as a failure. */
  isError: boolean;
  /** For people and programs, never sent to the model. At most 8 KiB. */
  details?: Json;
  /** The full output in the artifact store, where there is one. */
  artifactId?: string;
  /** The host that the call was for. */
  host?: string;
};
/** For applications; the default projection drops it (MSG-04). */
export type CustomMessage = {
  /** An application's own message. */
  role: 'custom';
  /** Names what it is. */
  kind: string;
  /** Whatever the application keeps in it. */
  data: Json;
};

/** What a prompt may consist of. */
export type PromptMessage = UserMessage | CustomMessage;

export type Message = UserMessage | AssistantMessage | ToolResultMessage | CustomMessage;

/** A message's place in the log. `seq` counts from 1 without gaps; `at` is workflow time in ms since the epoch. */
export type RecordHead = {
  /** Its place: counts from 1 without gaps. */
  seq: number;
  /** Its id. */
  id: string;
  /** The run that it belongs to. */
  runId: string;
  /** The turn that it belongs to, from 1. */
  turn: number;
  /** Workflow time in ms since the epoch. */
  at: number;
  /** SHA-256 (hex) over the message; set where an activity made it, and the key of the worker's message cache. */
  digest?: string;
  /** Of the result of a call that may change something; absent: it only reads. */
  effect?: 'idempotent' | 'once';
  /** Of the result of a call that somebody, or a rule, has decided on. */
  decided?: CallDecision;
  /** Of the result of a call that may change something, or that was refused. */
  outcome?: CallOutcome;
  /** Of the result of a call: its own times, not those of its turn. */
  ran?: CallTimes;
};
/** What became of a call that may change something. `unknown`: nobody knows whether it took effect. */
export type CallOutcome = 'done' | 'done_in_part' | 'failed' | 'unknown' | 'refused' | 'timed_out';
/** When a call ran: waiting for a person, or for its place in the batch, is no work. */
export type CallTimes = {
  /** When it began: workflow time in ms since the epoch. */
  from: number;
  /** How long it ran. */
  ms: number;
  /** How long it had waited before; absent: less than a second. */
  waitedMs?: number;
};
/** `by` is a person, `timer`, or `policy` for a rule. `at` as above. */
export type CallDecision = {
  /** Whether the call ran. */
  approved: boolean;
  /** A person, `timer`, or `policy` for a rule. */
  by: string;
  /** Workflow time in ms since the epoch. */
  at: number;
  /** Why, in the words of the answer. */
  reason?: string;
};
export type LogRecord = RecordHead & Message;

/** A reply that the model made to its end: others are in the log, never in a request. */
export function isWholeReply<M extends { role: string; stopReason?: StopReason }>(
  message: M,
): message is Extract<M, { role: 'assistant' }> {
  return message.role === 'assistant' && message.stopReason !== 'error' && message.stopReason !== 'aborted';
}

export type SteeringRecord = Extract<LogRecord, { role: 'user' }> & { origin: 'steer' | 'follow_up' };

/** What a person says to a run that has begun. */
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

/** The tool calls of an assistant message, in the model's order. */
export function toolCallsOf(message: AssistantMessage): ToolCallPart[] {
  return message.content.filter((part) => part.type === 'tool_call');
}

/** The part as any model can read it. */
export function withoutSignature(part: SaidPart | ToolCallPart): SaidPart | ToolCallPart {
  const { signature: _, ...plain } = part;
  return plain;
}

/** Text or a call; thinking alone says nothing (LOOP-15). A refusal says something by its stop reason alone. */
export function isFilled(message: AssistantMessage): boolean {
  if (message.stopDetail === 'refusal') return true;
  return toolCallsOf(message).length > 0 || textOf(message).trim() !== '';
}

export function inputTotal(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite;
}

export function addUsage(left: Usage, right: Usage): Usage {
  const reasoning = (left.reasoning ?? 0) + (right.reasoning ?? 0);
  return {
    input: left.input + right.input,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    output: left.output + right.output,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}

/** Of all purposes together. */
export function totalUsage(usages: Record<string, Usage>): Usage {
  return Object.values(usages).reduce<Usage>(addUsage, noUsage);
}

/** A message as the default projection sends it: no application data, no details for people, prefaces in its content. */
export type LlmMessage = Omit<UserMessage, 'preface'> | AssistantMessage | Omit<ToolResultMessage, 'details'>;

/** Undefined for a custom message, which only a projection of the worker's own can show to a model. */
export function toLLM(message: Message): LlmMessage | undefined {
  if (message.role === 'custom') return undefined;
  if (message.role === 'user') return withPreface(message);
  if (message.role !== 'tool_result' || message.details === undefined) return message;
  const { details: _, ...rest } = message;
  return rest;
}

function withPreface(message: UserMessage): LlmMessage {
  const { preface, ...rest } = message;
  if (preface === undefined) return message;
  return {
    ...rest,
    content: [...preface.map(({ text }): TextPart => ({ type: 'text', text })), ...rest.content],
  };
}

/** Inverse of `toLLM`: what a model got, as a message of a log, e.g. to seed a session with it. */
export function fromLLM(message: LlmMessage): Message {
  return message;
}
