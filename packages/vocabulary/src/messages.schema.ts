// The messages of a session: the one union that log, view, providers and clients share, stated once. The schemas check
// messages where they enter (start input, prompt). Not for the workflow bundle, which has the types from messages.ts.
import { z } from 'zod';
import type { Json } from '@holdfast/base/json';
import { type Infer, named } from '@holdfast/base/schema-output';
import { inlineImageBytes } from '@holdfast/base/sizes';

const count = z.int().min(0);

const textSchema = z.strictObject({
  /** Marks a piece of text. */
  type: z.literal('text'),
  /** Text of the part. */
  text: z.string(),
});
export type TextPart = Infer<typeof textSchema>;

const saidSchema = textSchema.extend({
  /** Like that of a thinking part, e.g. the citations of the text. */
  signature: z.string().exactOptional(),
});
/** Text of a reply. */
export type SaidPart = Infer<typeof saidSchema>;

const imageSchema = z.strictObject({
  /** Marks the part as an image. */
  type: z.literal('image'),
  /** Name of the image in the artifact store. */
  artifactId: z.string().min(1),
  /** MIME type, e.g. `image/png`. */
  mediaType: z.string().regex(/^image\//, 'expected image/...'),
  /** SHA-256 of the bytes as hex digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits'),
  /** The bytes in base64, at most 128 KiB of them: from a client that shares no store with the workers. */
  data: z
    .base64()
    .max(4 * Math.ceil(inlineImageBytes / 3), 'is over 128 KiB: store the image, and name it')
    .exactOptional(),
});
/** An image: the artifact store has the bytes, the message only names them. */
export type ImagePart = Infer<typeof imageSchema>;

const thinkingSchema = z.strictObject({
  /** Marks thinking of the model. */
  type: z.literal('thinking'),
  /** Text of the thinking, if the model gives it. */
  text: z.string(),
  /** Sent back byte-equal to the model that made it. */
  signature: z.string().exactOptional(),
  /** The model gave no text: there is only the signature. */
  redacted: z.literal(true).exactOptional(),
});
/** `signature` goes back byte-equal to the model that made it. A redacted block has no text, only `signature`. */
export type ThinkingPart = Infer<typeof thinkingSchema>;

const toolCallSchema = z.strictObject({
  /** Marks a call of a tool. */
  type: z.literal('tool_call'),
  /** Id that the model gave the call. */
  callId: z.string().min(1),
  /** Name of the called tool. */
  name: z.string().min(1),
  /** JSON text as received from the model; the log never changes it. */
  arguments: z.string(),
  /** Like that of a thinking part. */
  signature: z.string().exactOptional(),
});
/** `arguments` is the JSON text as received from the model; the log never changes it. `signature`: as above. */
export type ToolCallPart = Infer<typeof toolCallSchema>;

export type UserContent = TextPart | ImagePart;
export type AssistantContent = SaidPart | ThinkingPart | ToolCallPart;
export const userContentSchema = z.array(
  named<UserContent>(z.discriminatedUnion('type', [textSchema, imageSchema])),
);
const assistantContentSchema = z.array(
  named<AssistantContent>(z.discriminatedUnion('type', [saidSchema, thinkingSchema, toolCallSchema])),
);

/** The same values for all providers. Records only the model's word: content decides what follows (LOOP-17). */
export type StopReason = 'stop' | 'length' | 'tool_use' | 'error' | 'aborted';
export const stopReasonSchema = named<StopReason>(z.enum(['stop', 'length', 'tool_use', 'error', 'aborted']));

/** A detail of the stop reason that changes what follows. */
export type StopDetail = 'refusal' | 'pause_turn' | 'context_window';

const usageFields = z.strictObject({
  /** Input that came from no cache. */
  input: count,
  /** Input read from the provider's cache. */
  cacheRead: count,
  /** Input written into the provider's cache. */
  cacheWrite: count,
  /** Output tokens, thinking included. */
  output: count,
  /** Part of `output` spent on thinking, if the provider reports it. */
  reasoning: count.exactOptional(),
  /** The provider has sent no counts: they are an estimate, or have one among them. */
  estimated: z.literal(true).exactOptional(),
});
/** Token counts as the provider reported them. `input` is uncached input; inputTotal is the sum of the first three. */
export type Usage = Infer<typeof usageFields>;
export const usageSchema = named<Usage>(usageFields);

const modelRefSchema = z.strictObject({
  /** Name of the provider: the part of a model's name before the colon. */
  provider: z.string().min(1),
  /** Name of the model at its provider. */
  id: z.string().min(1),
});
export type ModelRef = Infer<typeof modelRefSchema>;

/** The way a user message came in. `injected`: written by the agent itself (a warning, a reminder). */
export type UserOrigin = 'prompt' | 'steer' | 'follow_up' | 'injected' | 'seed';

const prefaceSchema = z.strictObject({
  /** Kind of the text. */
  kind: z.enum(['place', 'memory', 'skills', 'plan']),
  /** Text for the model. */
  text: z.string(),
});
/**
 * Text that the agent itself puts before a run's first message, e.g. from its memory. Kept apart, so that the record
 * has a person's own words; a request shows it before them.
 */
export type Preface = Infer<typeof prefaceSchema>;

const sentSchema = z.strictObject({
  /** Workflow time in ms since the epoch. */
  at: z.number(),
  /** Name of the person, or of the program; absent: the sender gave none. */
  by: z.string().exactOptional(),
});
/** The sender of a message; the time of its record is that of its reading. */
export type Sent = Infer<typeof sentSchema>;

const userSchema = z.strictObject({
  /** Marks a message to the agent. */
  role: z.literal('user'),
  /** Texts and images, in order. */
  content: userContentSchema,
  /** The way the message came in. */
  origin: named<UserOrigin>(z.enum(['prompt', 'steer', 'follow_up', 'injected', 'seed'])),
  /** The client's id of a steer or follow-up; used for receipts. */
  messageId: z.string().exactOptional(),
  /** Its sender, and when it reached the session; only of a steer or follow-up. */
  sent: named<Sent>(sentSchema).exactOptional(),
  /** Texts that the agent itself puts before the message. */
  preface: z.array(named<Preface>(prefaceSchema)).exactOptional(),
});
export type UserMessage = Infer<typeof userSchema>;

const assistantSchema = z.strictObject({
  /** Marks a reply of the model. */
  role: z.literal('assistant'),
  /** Texts, thinking and calls, in order. */
  content: assistantContentSchema,
  /** The model that answered. */
  model: named<ModelRef>(modelRefSchema),
  /** Tokens of this reply. */
  usage: usageSchema,
  /** Reason for the reply's end. */
  stopReason: stopReasonSchema,
  /** Detail of that reason. */
  stopDetail: named<StopDetail>(z.enum(['refusal', 'pause_turn', 'context_window'])).exactOptional(),
  /** Set when stopReason is error or aborted. */
  errorMessage: z.string().exactOptional(),
});
export type AssistantMessage = Infer<typeof assistantSchema>;

const toolResultSchema = z.strictObject({
  /** Marks the result of a call. */
  role: z.literal('tool_result'),
  /** Id of the call. */
  callId: z.string().min(1),
  /** Name of the called tool. */
  toolName: z.string().min(1),
  /** Texts and images for the model. */
  content: userContentSchema,
  /** True if the model reads the result as a failure. */
  isError: z.boolean(),
  /** Data for people and programs, never sent to the model. At most 8 KiB. */
  details: named<Json>(z.json()).exactOptional(),
  /** Name of the full output in the artifact store, if it is stored. */
  artifactId: z.string().exactOptional(),
  /** The stored output has more than the text here, or another text. */
  isPart: z.literal(true).exactOptional(),
  /** The host that the call named. */
  host: z.string().exactOptional(),
});
export type ToolResultMessage = Infer<typeof toolResultSchema>;

const customSchema = z.strictObject({
  /** Marks an application's own message. */
  role: z.literal('custom'),
  /** Kind of the message, named by the application. */
  kind: z.string().min(1),
  /** Data of the application. */
  data: named<Json>(z.json()),
});
/** A message for applications; the default projection drops it (MSG-04). */
export type CustomMessage = Infer<typeof customSchema>;

export type Message = UserMessage | AssistantMessage | ToolResultMessage | CustomMessage;
/** Schema of one message from a caller. */
export const messageSchema: z.ZodType<Message> = z.discriminatedUnion('role', [
  userSchema,
  assistantSchema,
  toolResultSchema,
  customSchema,
]);
