// A request beyond the model's window, in every provider's words, through the real SDKs over HTTP.
import { describe, expect, test } from 'vitest';
import { isOverflowReply } from '../../../src/activities/model/complete.ts';
import { overflowPatterns } from '@holdfast/providers/vendors';
import { recoveryOf } from '@holdfast/base/failures';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import { defined } from '@holdfast/base/defined';
import { assistant } from '../../support/model-calls.ts';
import { errorAnswer, errorFrame, failureOf, replyTo, wires } from '../../support/provider-calls.ts';
import { sampleEvents } from '../../support/sample-streams.ts';
import { toFrame, toSse } from '../../support/sse.ts';
import type { Wire } from '../../support/sse.ts';

/** By pattern: what providers say, from their documentation and from issues that quote them. */
const wordings: Record<string, { wire?: Wire; status?: number; message: string }[]> = {
  anthropic: [{ wire: 'anthropic', message: 'prompt is too long: 213462 tokens > 200000 maximum' }],
  anthropicWithReply: [
    {
      wire: 'anthropic',
      message:
        'input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease input length',
    },
  ],
  bedrock: [{ wire: 'anthropic', message: 'Input is too long for requested model.' }],
  openai: [
    {
      wire: 'openai-responses',
      message: 'Your input exceeds the context window of this model. Please adjust it.',
    },
    {
      message:
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
    },
  ],
  google: [
    { message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)' },
  ],
  xai: [{ message: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." }],
  groq: [{ message: 'Please reduce the length of the messages or completion.' }],
  copilot: [{ message: 'prompt token count of 200000 exceeds the limit of 128000' }],
  mistral: [
    { message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length' },
  ],
  kimi: [{ message: 'Your request exceeded model token limit: 131072 (requested: 140000)' }],
  minimax: [{ message: 'invalid params, context window exceeds limit (2013)' }],
  qwen: [{ message: 'Range of input length should be [1, 129024]' }],
  vllm: [
    { message: 'The prompt (total length 9000) is longer than the maximum model length of 8192.' },
    {
      message:
        "You passed 147421 input tokens and requested 20000 output tokens. However, the model's context length is only 163804 tokens, resulting in a maximum input length of 143804 tokens.",
    },
  ],
  sglang: [
    { message: "The input (516368 tokens) is longer than the model's context length (262144 tokens)." },
    { message: "Requested token count exceeds the model's maximum context length of 8192 tokens." },
  ],
  textGeneration: [
    {
      status: 422,
      message:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 512 `max_new_tokens`',
    },
  ],
  inputLength: [
    { message: 'Input length 40960 exceeds the maximum allowed input length 32768' },
    { message: 'Input length (9000 tokens) exceeds the maximum allowed length (8192 tokens).' },
  ],
  glm: [{ message: 'Prompt exceeds max length' }],
  cohere: [
    {
      message:
        'too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 140000.',
    },
  ],
  llamaCpp: [
    {
      status: 500,
      message: 'the request exceeds the available context size (8192 tokens), try increasing it',
    },
  ],
  lmStudio: [
    {
      message:
        'The number of tokens to keep from the initial prompt is greater than the context length (4096).',
    },
    { message: 'Trying to keep the first 5000 tokens when context length of only 4096 is loaded' },
  ],
  ollama: [{ message: 'prompt too long; exceeded max context length by 512 tokens' }],
  anyServer: [{ message: 'Context length exceeded' }, { message: 'Too many tokens in the prompt' }],
};

describe('overflow reported by the provider', () => {
  test('[COND-08a] every pattern has a wording', () => {
    expect(Object.keys(wordings).sort()).toEqual(Object.keys(overflowPatterns).sort());
  });

  test.each(
    Object.entries(wordings).flatMap(([name, rows]) =>
      rows.map((row) => ({ name, wire: 'openai-chat' as Wire, status: 400, ...row })),
    ),
  )('[FAULT-54] [COND-08a] $name: "$message"', async ({ wire, status, message }) => {
    const failure = await failureOf(wire, errorAnswer(wire, status, { message }));
    expect(failure.type).toBe('Model.ContextOverflow');
    expect(recoveryOf(failure.type)).toBe('condense');
  });

  test.each([
    { wire: 'openai-chat' as const, status: 400, code: 'context_length_exceeded' },
    { wire: 'openai-responses' as const, status: 400, code: 'context_length_exceeded' },
    { wire: 'openai-chat' as const, status: 413, code: undefined },
    { wire: 'anthropic' as const, status: 413, code: undefined, type: 'request_too_large' },
    { wire: 'openai-chat' as const, status: 400, code: undefined, type: 'exceed_context_size_error' },
  ])('[FAULT-54] [COND-08a] $wire $status $code $type', async ({ wire, status, code, type }) => {
    const error = { message: 'No.', ...(code && { code }), ...(type && { type }) };
    expect((await failureOf(wire, errorAnswer(wire, status, error))).type).toBe('Model.ContextOverflow');
  });

  test.each(wires)('[FAULT-54] %s: in an error event of the stream', async (wire) => {
    const begin = toFrame(wire, sampleEvents(wire)[0] ?? {});
    const event = errorFrame(wire, {
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      message: 'prompt is too long',
    });
    expect((await failureOf(wire, { chunks: [begin, event] })).type).toBe('Model.ContextOverflow');
  });

  // waiting does not help: https://github.com/continuedev/continue/issues/10218
  test.each([
    {
      status: 413,
      message:
        'Request too large for model `m` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again.',
    },
    {
      status: 429,
      message: 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000.',
    },
  ])(
    '[COND-08a] one request above a limit per minute is an overflow: $message',
    async ({ status, message }) => {
      for (const code of ['rate_limit_exceeded', undefined]) {
        const failure = await failureOf(
          'openai-chat',
          errorAnswer('openai-chat', status, defined({ message, code })),
        );
        expect(failure.type).toBe('Model.ContextOverflow');
      }
    },
  );

  const rateTexts = [
    {
      status: 429,
      message: 'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000.',
      expected: 'Model.RateLimit',
    },
    {
      status: 429,
      message: 'Too many tokens in the request, please wait before trying again.',
      expected: 'Model.RateLimit',
    },
    { status: 429, message: 'Too many tokens in the request', expected: 'Model.RateLimit' },
    {
      status: 400,
      message: 'Throttling: too many tokens in the request, rate limit reached',
      expected: 'Model.InvalidRequest',
    },
  ];

  test.each(rateTexts)(
    '[COND-08b] rate texts about too many tokens are no overflow: $message',
    async ({ status, message, expected }) => {
      for (const wire of wires)
        expect((await failureOf(wire, errorAnswer(wire, status, { message }))).type).toBe(expected);
    },
  );
});

describe('overflow that only the counts show', () => {
  const usage = { input: 100_000, cacheRead: 20_000, cacheWrite: 8_001, output: 10 };

  test.each<[name: string, message: AssistantMessage, expected: boolean, window?: number]>([
    ['more input than the window', assistant([], { usage }), true],
    [
      'more input than the window, and a whole answer',
      assistant([{ type: 'text', text: 'The pool.' }], { usage }),
      false,
    ],
    [
      'more input than the window, and a call',
      assistant([{ type: 'tool_call', callId: 'c1', name: 'grep', arguments: '{}' }], { usage }),
      false,
    ],
    [
      'more input than the window, and a cut answer',
      assistant([{ type: 'text', text: 'The po' }], { usage, stopReason: 'length' }),
      true,
    ],
    [
      'more input than the window, and thinking alone',
      assistant([{ type: 'thinking', text: 'Hm.' }], { usage }),
      true,
    ],
    [
      'more input than the window, counted over the rounds of a paused turn',
      assistant([], { usage, stopDetail: 'pause_turn' }),
      false,
    ],
    ['as much input as the window', assistant([], { usage: { ...usage, cacheWrite: 8_000 } }), false],
    [
      'a length stop at the edge',
      assistant([], { usage: { ...usage, cacheWrite: 7_000, output: 900 }, stopReason: 'length' }),
      true,
    ],
    [
      'a length stop far from the edge',
      assistant([], { usage: { ...usage, cacheWrite: 0 }, stopReason: 'length' }),
      false,
    ],
    [
      'a plain stop at the edge',
      assistant([], { usage: { ...usage, cacheWrite: 7_000, output: 900 } }),
      false,
    ],
    ['an unknown window', assistant([], { usage, stopReason: 'length' }), false, 0],
  ])('[COND-08cd] %s', (_name, message, expected, window = 128_000) => {
    expect(isOverflowReply(message, window)).toBe(expected);
  });

  test('[FAULT-54] [COND-08c] the stop model_context_window_exceeded is told apart from a length stop', async () => {
    const events = sampleEvents('anthropic').map((event) =>
      event['type'] === 'message_delta'
        ? { ...event, delta: { stop_reason: 'model_context_window_exceeded' } }
        : event,
    );
    const { reply } = await replyTo('anthropic', { chunks: [toSse('anthropic', events)] });
    expect(reply.message).toMatchObject({ stopReason: 'length', stopDetail: 'context_window' });
    expect(isOverflowReply(reply.message, 0)).toBe(true);
  });
});
