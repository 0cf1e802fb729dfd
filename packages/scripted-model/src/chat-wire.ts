// OpenAI's Chat Completions format for the scripted model's server: reads requests, writes replies. Runs in Node.
import { z } from 'zod';
import { defined } from '@holdfast/base/defined';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { type AssistantContent, type Message, textOf, userMessage } from '@holdfast/vocabulary/messages';
import { type ScriptReply, splitPart } from './script-player.ts';
import type { Frame, Wire } from './wire.ts';
import { assistantMessage, textSchema, toolResultMessage } from './wire.ts';

const contentSchema = textSchema.nullish().transform((content) => content ?? '');

const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer', 'user']), content: contentSchema }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content: contentSchema }),
  z.looseObject({
    role: z.literal('assistant'),
    content: contentSchema,
    tool_calls: z
      .array(
        z.looseObject({
          id: z.string(),
          function: z.looseObject({ name: z.string(), arguments: z.string() }),
        }),
      )
      .default([]),
  }),
]);

const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().nullish(),
  messages: z.array(messageSchema).min(1),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
  tool_choice: z.unknown().optional(),
});

const errors: Wire['errors'] = {
  'Model.RateLimit': { status: 429, type: 'requests', code: 'rate_limit_exceeded' },
  'Model.Overloaded': { status: 503, type: 'server_error', code: 'server_overloaded' },
  'Model.ServerError': { status: 500, type: 'server_error', code: 'server_error' },
  'Model.Timeout': { status: 408, type: 'timeout', code: 'timeout' },
  'Model.Auth': { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' },
  'Model.Quota': { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  'Model.ContextOverflow': { status: 400, type: 'invalid_request_error', code: 'context_length_exceeded' },
  'Model.NotFound': { status: 404, type: 'invalid_request_error', code: 'model_not_found' },
};

export const chatEndpoint: Wire = {
  path: '/chat/completions',
  read(value) {
    const { model, stream, messages, tools, tool_choice: choice } = bodySchema.parse(value);
    const system = messages.filter(({ role }) => role === 'system' || role === 'developer');
    return {
      model,
      stream: stream === true,
      request: {
        systemPrompt: system.map(({ content }) => content).join('\n'),
        messages: messages.flatMap(toMessage),
        tools: tools.map((tool) => ({ name: tool.function.name, description: '', parameters: {} })),
        toolChoice: choice === 'none' ? 'none' : 'auto',
      },
    };
  },
  whole: (reply, model) => ({
    ...head(model, 'chat.completion'),
    choices: [{ index: 0, message: wholeMessage(reply), finish_reason: finishReason(reply), logprobs: null }],
    usage: usageOf(reply),
  }),
  frames(reply, model) {
    const frame = (body: object, length = 0): Frame => {
      return { data: JSON.stringify({ ...head(model, 'chat.completion.chunk'), ...body }), length };
    };
    const chunk = (delta: object, length = 0, finish: string | null = null): Frame => {
      const choices = [{ index: 0, delta, finish_reason: finish, logprobs: null }];
      return frame({ choices, usage: null }, length);
    };
    return [
      chunk({ role: 'assistant', content: '' }),
      ...deltas(reply).map(([delta, length]) => chunk(delta, length)),
      chunk({}, 0, finishReason(reply)),
      frame({ choices: [], usage: usageOf(reply) }),
      { data: '[DONE]', length: 0 },
    ];
  },
  errors,
  errorBody: ({ type, code }, message) => ({ error: { message, type, code, param: null } }),
};

function toMessage(message: z.infer<typeof messageSchema>): Message[] {
  if (message.role === 'user') return [userMessage(message.content)];
  if (message.role === 'tool') {
    // this format has no error flag: the prefix is the flag
    const isError = message.content.startsWith('Error: ');
    return [toolResultMessage(message.tool_call_id, message.content.slice(isError ? 7 : 0), isError)];
  }
  if (message.role !== 'assistant') return [];
  const text: AssistantContent[] = message.content === '' ? [] : [{ type: 'text', text: message.content }];
  const calls = message.tool_calls.map(({ id, function: { name, arguments: args } }) => {
    return { type: 'tool_call' as const, callId: id, name, arguments: args };
  });
  return [assistantMessage([...text, ...calls])];
}

function head(model: string, object: string): object {
  return { id: 'chatcmpl-scripted', object, created: 0, model };
}

function wholeMessage({ content }: ScriptReply): object {
  const calls = content.flatMap((part) => {
    if (part.type !== 'tool_call') return [];
    return [{ id: part.callId, type: 'function', function: { name: part.name, arguments: part.arguments } }];
  });
  const text = textOf(assistantMessage(content));
  return defined({ role: 'assistant', content: text === '' ? null : text, tool_calls: unlessEmpty(calls) });
}

function deltas({ content, step }: ScriptReply): [delta: object, length: number][] {
  let calls = 0;
  return content.flatMap((part): [object, number][] => {
    const texts = splitPart(part, step);
    if (part.type === 'text') return texts.map((text) => [{ content: text }, text.length]);
    if (part.type === 'thinking') return texts.map((text) => [{ reasoning_content: text }, text.length]);
    const index = calls++;
    const call = { index, id: part.callId, type: 'function', function: { name: part.name, arguments: '' } };
    const pieces = texts.map((text): [object, number] => [
      { tool_calls: [{ index, function: { arguments: text } }] },
      text.length,
    ]);
    return [[{ tool_calls: [call] }, 0], ...pieces];
  });
}

function finishReason({ stopReason, stopDetail }: ScriptReply): string {
  if (stopDetail === 'refusal') return 'content_filter';
  if (stopReason === 'tool_use') return 'tool_calls';
  return stopReason === 'length' ? 'length' : 'stop';
}

function usageOf({ usage }: ScriptReply): object {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}
