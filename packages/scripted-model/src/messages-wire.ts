// Anthropic's Messages format for the scripted model's server: reads requests, writes replies. Runs in Node.
import { parseJson } from '@holdfast/base/json';
import { z } from 'zod';
import { type AssistantContent, type Message, userMessage } from '@holdfast/vocabulary/messages';
import { type ScriptReply, splitPart } from './script-player.ts';
import type { Frame, Wire } from './wire.ts';
import { assistantMessage, textSchema, toolResultMessage } from './wire.ts';

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().optional(),
  content: textSchema.optional(),
});
type Block = z.infer<typeof blockSchema>;

const messageSchema = z.looseObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string().transform((text): Block[] => [{ type: 'text', text }]), z.array(blockSchema)]),
});

const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  system: textSchema.default(''),
  messages: z.array(messageSchema).min(1),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  tool_choice: z.looseObject({ type: z.string() }).optional(),
});

const errors: Wire['errors'] = {
  'Model.RateLimit': { status: 429, type: 'rate_limit_error', code: '' },
  'Model.Overloaded': { status: 529, type: 'overloaded_error', code: '' },
  'Model.ServerError': { status: 500, type: 'api_error', code: '' },
  'Model.Timeout': { status: 504, type: 'timeout_error', code: '' },
  'Model.Auth': { status: 401, type: 'authentication_error', code: '' },
  'Model.Quota': { status: 402, type: 'billing_error', code: '' },
  'Model.ContextOverflow': { status: 413, type: 'request_too_large', code: '' },
  'Model.NotFound': { status: 404, type: 'not_found_error', code: '' },
};

export const messagesEndpoint: Wire = {
  path: '/messages',
  read(value) {
    const { model, stream, system, messages, tools, tool_choice: choice } = bodySchema.parse(value);
    return {
      model,
      stream: stream === true,
      request: {
        systemPrompt: system,
        messages: messages.flatMap(({ role, content }) =>
          role === 'user' ? fromUser(content) : fromModel(content),
        ),
        tools: tools.map(({ name }) => ({ name, description: '', parameters: {} })),
        toolChoice: choice?.type === 'none' ? 'none' : 'auto',
      },
    };
  },
  whole: (reply, model) => ({
    ...head(reply, model),
    content: reply.content.map(toBlock),
    stop_reason: stopReason(reply),
    usage: { ...inputUsage(reply), output_tokens: reply.usage.output },
  }),
  frames: (reply, model) => [
    frame('message_start', { message: head(reply, model) }),
    ...reply.content.flatMap((part, index) => blockFrames(part, index, reply)),
    frame('message_delta', {
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { ...inputUsage(reply), output_tokens: reply.usage.output },
    }),
    frame('message_stop', {}),
  ],
  errors,
  errorBody: ({ type }, message) => ({ type: 'error', error: { type, message }, request_id: 'req_scripted' }),
};

/** Results first, then a person's text: one message on the wire may have both. */
function fromUser(blocks: Block[]): Message[] {
  const results = blocks.flatMap(({ tool_use_id: callId, content, is_error: isError }) =>
    callId === undefined ? [] : [toolResultMessage(callId, content ?? '', isError === true)],
  );
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' ? (text ?? []) : []));
  return texts.length === 0 ? results : [...results, userMessage(texts.join('\n'))];
}

function fromModel(blocks: Block[]): Message[] {
  const content = blocks.flatMap(({ type, text, id, name, input }): AssistantContent[] => {
    if (type === 'text') return [{ type: 'text', text: text ?? '' }];
    if (type !== 'tool_use' || id === undefined || name === undefined) return [];
    return [{ type: 'tool_call', callId: id, name, arguments: JSON.stringify(input ?? {}) }];
  });
  return [assistantMessage(content)];
}

function head(reply: ScriptReply, model: string): object {
  return {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...inputUsage(reply), output_tokens: 0 },
  };
}

function toBlock(part: AssistantContent): object {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'thinking') return { type: 'thinking', thinking: part.text, signature };
  // a whole reply cannot hold arguments that are no JSON; only a stream can
  return { type: 'tool_use', id: part.callId, name: part.name, input: parseJson(part.arguments) ?? {} };
}

const signature = 'c2NyaXB0ZWQ=';

function blockFrames(part: AssistantContent, index: number, reply: ScriptReply): Frame[] {
  const start = (block: object) => frame('content_block_start', { index, content_block: block });
  const delta = (body: object, length: number) =>
    frame('content_block_delta', { index, delta: body }, length);
  const stop = frame('content_block_stop', { index });
  const texts = splitPart(part, reply.step);
  if (part.type === 'text') {
    const pieces = texts.map((text) => delta({ type: 'text_delta', text }, text.length));
    return [start({ type: 'text', text: '' }), ...pieces, stop];
  }
  if (part.type === 'thinking') {
    const pieces = texts.map((thinking) => delta({ type: 'thinking_delta', thinking }, thinking.length));
    const signed = delta({ type: 'signature_delta', signature }, 0);
    return [start({ type: 'thinking', thinking: '', signature: '' }), ...pieces, signed, stop];
  }
  const pieces = texts.map((json) => delta({ type: 'input_json_delta', partial_json: json }, json.length));
  return [start({ type: 'tool_use', id: part.callId, name: part.name, input: {} }), ...pieces, stop];
}

function frame(event: string, body: object, length = 0): Frame {
  return { event, data: JSON.stringify({ type: event, ...body }), length };
}

function stopReason(reply: ScriptReply): string {
  if (reply.stopDetail === 'context_window') return 'model_context_window_exceeded';
  if (reply.stopDetail !== undefined) return reply.stopDetail;
  if (reply.stopReason === 'tool_use') return 'tool_use';
  return reply.stopReason === 'length' ? 'max_tokens' : 'end_turn';
}

function inputUsage({ usage }: ScriptReply): object {
  return {
    input_tokens: usage.input,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
  };
}
