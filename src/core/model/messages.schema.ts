// Checks messages where they enter (start input, prompt). Not for the workflow bundle.
import { z } from 'zod';
import type { Message, StopReason, Usage } from './messages.ts';
import { inlineImageBytes } from '../base/sizes.ts';

const count = z.int().min(0);
const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const image = z.strictObject({
  type: z.literal('image'),
  artifactId: z.string().min(1),
  mediaType: z.string().regex(/^image\//, 'expected image/...'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits'),
  data: z
    .base64()
    .max(4 * Math.ceil(inlineImageBytes / 3), 'is over 128 KiB: store the image, and name it')
    .exactOptional(),
});
const thinking = z.strictObject({
  type: z.literal('thinking'),
  text: z.string(),
  signature: z.string().exactOptional(),
  redacted: z.literal(true).exactOptional(),
});
const toolCall = z.strictObject({
  type: z.literal('tool_call'),
  callId: z.string().min(1),
  name: z.string().min(1),
  arguments: z.string(),
  signature: z.string().exactOptional(),
});
export const userContentSchema = z.array(z.discriminatedUnion('type', [text, image]));

const modelRefSchema = z.strictObject({ provider: z.string().min(1), id: z.string().min(1) });
export const usageSchema: z.ZodType<Usage> = z.strictObject({
  input: count,
  cacheRead: count,
  cacheWrite: count,
  output: count,
  reasoning: count.exactOptional(),
  estimated: z.literal(true).exactOptional(),
});
export const stopReasonSchema: z.ZodType<StopReason> = z.enum([
  'stop',
  'length',
  'tool_use',
  'error',
  'aborted',
]);
const said = text.extend({ signature: z.string().exactOptional() });
const assistantContentSchema = z.array(z.discriminatedUnion('type', [said, thinking, toolCall]));

/** Schema of one message from a caller. */
export const messageSchema: z.ZodType<Message> = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: userContentSchema,
    origin: z.enum(['prompt', 'steer', 'follow_up', 'injected', 'seed']),
    messageId: z.string().exactOptional(),
    preface: z
      .array(z.strictObject({ kind: z.enum(['place', 'memory', 'skills', 'plan']), text: z.string() }))
      .exactOptional(),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: assistantContentSchema,
    model: modelRefSchema,
    usage: usageSchema,
    stopReason: stopReasonSchema,
    stopDetail: z.enum(['refusal', 'pause_turn', 'context_window']).exactOptional(),
    errorMessage: z.string().exactOptional(),
  }),
  z.strictObject({
    role: z.literal('tool_result'),
    callId: z.string().min(1),
    toolName: z.string().min(1),
    content: userContentSchema,
    isError: z.boolean(),
    details: z.json().exactOptional(),
    artifactId: z.string().exactOptional(),
    isPart: z.literal(true).exactOptional(),
    host: z.string().exactOptional(),
  }),
  z.strictObject({ role: z.literal('custom'), kind: z.string().min(1), data: z.json() }),
]);
