// Fields beside text and calls that a server gave with its reply go back to the same model unchanged, and to no other.
import { describe, expect, test } from 'vitest';
import { errorAnswer, failureOf } from '../../../test/support/provider-calls.ts';
import { assistant, toolResult } from '../../../test/support/model-calls.ts';
import { caller, startStrictServer } from '../../../test/support/strict-model-server.ts';
import type { Rule } from '../../../test/support/strict-model-server.ts';
import { type AssistantMessage, toolCallsOf, userMessage } from '@holdfast/vocabulary/messages';
import type { WireEvent } from '../../../test/support/sse.ts';

const chunk = (delta: WireEvent, finish_reason: string | null = null): WireEvent => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const ls = (id: string | undefined, more: WireEvent = {}, index = 0): WireEvent => ({
  ...(id !== undefined && { id }),
  index,
  type: 'function',
  function: { name: 'ls', arguments: `{"path":"${index}"}` },
  ...more,
});
const end = chunk({}, 'tool_calls');
const said = [chunk({ content: 'Done.' }), chunk({}, 'stop')];

/** The replies of a server one after the other, and what each later request shows of them. */
async function talk(replies: WireEvent[][], rule: Rule = () => undefined) {
  const { url, sent } = await startStrictServer(rule, (count) => replies[count] ?? said);
  const ask = caller(url, 'openai-chat');
  const messages: (ReturnType<typeof userMessage> | AssistantMessage | ReturnType<typeof toolResult>)[] = [
    userMessage('Go.'),
  ];
  for (let count = 0; count < replies.length; count++) {
    const { message } = await ask({ messages: [...messages] });
    messages.push(message, ...toolCallsOf(message).map(({ callId }) => toolResult(callId, 'ok')));
  }
  const model = { provider: 'openai-chat', id: 'another' };
  await ask({ messages: [...messages] });
  const [same] = sent.slice(-1);
  await ask({ messages: [...messages], model });
  const [other] = sent.slice(-1);
  const replyOf = (one: typeof same) => one?.messages.filter(({ role }) => role === 'assistant') ?? [];
  return { same: replyOf(same), other: JSON.stringify(other?.body), sent, messages };
}

describe('[MODEL-04] fields of a reply go back as they came', () => {
  const signature = { google: { thought_signature: 'SIG-1' } };

  test('[MODEL-04a] Gemini: the signature of a call, in the place of its call', async () => {
    const first = ls('function-call-1', { extra_content: signature });
    const { same, other } = await talk([[chunk({ tool_calls: [first, ls('function-call-2', {}, 1)] }), end]]);
    expect(same[0]).toMatchObject({ tool_calls: [{ extra_content: signature }, {}] });
    expect(Object(same[0]?.['tool_calls'])[1]).not.toHaveProperty('extra_content');
    expect(other).not.toContain('SIG-1');
  });

  test('[MODEL-04a] a signature that comes in a later piece of its call, or with the text', async () => {
    const { same } = await talk([
      [
        chunk({ content: 'I look.', extra_content: { google: { thought_signature: 'SIG-0' } } }),
        chunk({ tool_calls: [ls('call_a1')] }),
        chunk({ tool_calls: [{ index: 0, extra_content: signature }] }),
        end,
      ],
    ]);
    expect(same[0]).toMatchObject({
      content: 'I look.',
      extra_content: { google: { thought_signature: 'SIG-0' } },
      tool_calls: [{ extra_content: signature }],
    });
  });

  test('[MODEL-04a] LiteLLM: a signature beside the call, and one inside an id', async () => {
    const id = `call_1__thought__${'Eq+/AbC='.repeat(20)}`;
    const fields = { provider_specific_fields: { thought_signature: 'SIG-2' } };
    const { same, other } = await talk([[chunk({ tool_calls: [ls(id, fields)] }), end]]);
    expect(same[0]).toMatchObject({ tool_calls: [{ id, ...fields }] });
    expect(other).not.toMatch(/SIG-2|Eq\+\/AbC/);
  });

  const detail = (more: WireEvent) => chunk({ reasoning_details: [more] });

  test('[MODEL-04b] OpenRouter: the pieces of reasoning_details are one entry by index, in order', async () => {
    const { same, other } = await talk([
      [
        detail({ type: 'reasoning.text', text: 'The pool ', index: 0, format: 'anthropic-claude-v1' }),
        detail({ type: 'reasoning.text', text: 'is small.', index: 0 }),
        detail({ type: 'reasoning.text', signature: 'SEAL', text: null, index: 0 }),
        detail({ type: 'reasoning.encrypted', data: 'ENC-1', id: 'tool_1', index: 0 }),
        detail({ type: 'reasoning.encrypted', data: 'ENC-2', id: 'tool_2', index: 0 }),
        detail({ type: 'reasoning.summary', summary: 'Pool.', index: 1 }),
        chunk({ tool_calls: [ls('tool_1')] }),
        end,
      ],
    ]);
    expect(same[0]?.['reasoning_details']).toEqual([
      {
        type: 'reasoning.text',
        text: 'The pool is small.',
        index: 0,
        format: 'anthropic-claude-v1',
        signature: 'SEAL',
      },
      { type: 'reasoning.encrypted', data: 'ENC-1', id: 'tool_1', index: 0 },
      { type: 'reasoning.encrypted', data: 'ENC-2', id: 'tool_2', index: 0 },
      { type: 'reasoning.summary', summary: 'Pool.', index: 1 },
    ]);
    expect(other).not.toMatch(/ENC-1|SEAL/);
  });

  test('[MODEL-04e] two entries of one list are never one entry', async () => {
    const sealed = (data: string) => ({ type: 'reasoning.encrypted', data });
    const details = [sealed('ENC-1'), sealed('ENC-2')];
    const { same } = await talk([
      [chunk({ reasoning_details: details }), chunk({ tool_calls: [ls('tool_1')] }), end],
    ]);
    expect(same[0]?.['reasoning_details']).toEqual(details);
  });

  test('[MODEL-04b] LiteLLM: blocks of thinking without an index end with their signature', async () => {
    const block = (thinking: string, sealed = '') =>
      chunk({ thinking_blocks: [{ type: 'thinking', thinking, signature: sealed }] });
    const { same } = await talk([
      [
        block('The '),
        block('pool.'),
        block('', 'S1'),
        block('More.', 'S2'),
        chunk({ tool_calls: [ls('call_a1')] }),
        end,
      ],
    ]);
    expect(same[0]?.['thinking_blocks']).toEqual([
      { type: 'thinking', thinking: 'The pool.', signature: 'S1' },
      { type: 'thinking', thinking: 'More.', signature: 'S2' },
    ]);
  });

  /** DeepSeek in its thinking mode. */
  const wantsReasoning: Rule = ({ messages }) =>
    messages.every((one) => one['role'] !== 'assistant' || typeof one['reasoning_content'] === 'string')
      ? undefined
      : { body: { error: { message: 'no reasoning_content' } } };

  test('[MODEL-04c] DeepSeek: once it has sent reasoning_content every reply has the field, if need be empty', async () => {
    const { same, other } = await talk(
      [
        [chunk({ reasoning_content: 'Look.' }), chunk({ tool_calls: [ls('call_a1')] }), end],
        [chunk({ tool_calls: [ls('call_a2')] }), end],
      ],
      ({ body, ...sent }) => (body['model'] === 'another' ? undefined : wantsReasoning({ body, ...sent })),
    );
    expect(same.map((one) => one['reasoning_content'])).toEqual(['Look.', '']);
    expect(other).not.toContain('reasoning_content');
  });

  test('[MODEL-04c] a field that came empty goes back empty', async () => {
    const { same, messages } = await talk([
      [
        chunk({ role: 'assistant', content: null, reasoning_content: '' }),
        chunk({ tool_calls: [ls('call_a1')] }),
        end,
      ],
    ]);
    expect(same[0]).toMatchObject({ reasoning_content: '', tool_calls: [{ id: 'call_a1' }] });
    expect(messages[1]).toMatchObject({ content: [{ type: 'thinking', text: '' }, { type: 'tool_call' }] });
  });

  test('[MODEL-04d] a server that never sent such a field gets none', async () => {
    const { same } = await talk([
      [chunk({ content: 'I look.' }), chunk({ tool_calls: [ls('call_a1')] }), end],
    ]);
    expect(Object.keys(same[0] ?? {})).toEqual(['role', 'content', 'tool_calls']);
  });

  test('[MODEL-04d] a strict server gets none of the fields that it refuses', async () => {
    const message = "'messages.1' : property 'reasoning_content' is unsupported";
    const { url, sent } = await startStrictServer(({ body }) =>
      JSON.stringify(body).includes('reasoning_content') ? { body: { error: { message } } } : undefined,
    );
    const thought = { type: 'thinking' as const, text: 'Hm.', signature: 'reasoning_content' };
    const call = { type: 'tool_call' as const, callId: 'call_a1', name: 'ls', arguments: '{}' };
    const model = { provider: 'openai-chat', id: 'house-model' };
    const messages = [userMessage('Go.'), assistant([thought, call], { model }), toolResult('call_a1', 'ok')];
    await caller(url, 'openai-chat', { dialect: 'groq' })({ messages });
    expect(sent).toHaveLength(2);
  });
});

describe('[MODEL-05] the words of the server behind a gateway', () => {
  const raws: [string, unknown, RegExp][] = [
    [
      'a text in metadata.raw',
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: 'reasoning details have to be preserved' },
        },
      },
      /Provider returned error: reasoning details have to be preserved/,
    ],
    [
      'JSON in metadata.raw',
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"error":{"message":"at most 1 image per prompt"}}', provider_name: 'x' },
        },
      },
      /Provider returned error: at most 1 image per prompt/,
    ],
    ['detail', { detail: 'the adapter is not loaded' }, /the adapter is not loaded/],
    [
      'a list of FastAPI',
      { detail: [{ loc: ['body', 'n'], msg: 'Input should be 1' }] },
      /body\.n: Input should be 1/,
    ],
    ['a bare message', { message: 'Malformed input request' }, /Malformed input request/],
    ['an error that is a text', { code: 'x', error: 'Incorrect image' }, /Incorrect image/],
    [
      'a list of Google',
      [{ error: { code: 400, message: 'Bad image', status: 'INVALID_ARGUMENT' } }],
      /\(invalid_argument\): Bad image/,
    ],
    [
      'an inner error of Azure',
      { error: { message: 'Filtered', innererror: { code: 'X', message: 'hate: high' } } },
      /Filtered: hate: high/,
    ],
  ];

  test.each(raws)('[MODEL-05a] %s is shown', async (_, body, words) => {
    const answer = {
      status: 400,
      headers: { 'content-type': 'application/json' },
      chunks: [JSON.stringify(body)],
    };
    for (const wire of ['openai-chat', 'openai-responses', 'anthropic'] as const)
      expect((await failureOf(wire, answer)).message).toMatch(words);
  });

  test('[MODEL-05a] in the middle of a stream too', async () => {
    const error = { code: 502, message: 'Provider returned error', metadata: { raw: 'upstream reset' } };
    const broken = { choices: [{ index: 0, delta: {}, finish_reason: 'error', error }] };
    const answer = { chunks: [`data: ${JSON.stringify(broken)}\n\n`] };
    expect((await failureOf('openai-chat', answer)).message).toContain(
      'Provider returned error: upstream reset',
    );
  });

  test('[MODEL-05b] a window that the inner words name is full', async () => {
    const raw = '{"error":{"message":"This endpoint\'s maximum context length is 8192 tokens."}}';
    const body = { error: { message: 'Provider returned error', code: 400, metadata: { raw } } };
    const answer = {
      status: 400,
      headers: { 'content-type': 'application/json' },
      chunks: [JSON.stringify(body)],
    };
    expect((await failureOf('openai-chat', answer)).type).toBe('Model.ContextOverflow');
  });

  const words = "This model's maximum context length is 8192 tokens.";
  test.each([
    [{ error: 'Bad Request', message: words, statusCode: 400 }, 'Model.ContextOverflow'],
    [{ error: { code: 400, message: 'Bad Request' }, message: words }, 'Model.ContextOverflow'],
    [{ error: true, message: words }, 'Model.ContextOverflow'],
    [{ error: 'You are out of money.', code: 'insufficient_quota' }, 'Model.Quota'],
    [{ error: { message: 'You are out of money.' }, code: 'insufficient_quota' }, 'Model.Quota'],
  ])('[MODEL-05c] words and codes beside the error count too, with every status: %j', async (body, type) => {
    for (const wire of ['openai-chat', 'openai-responses', 'anthropic'] as const) {
      for (const status of [400, 200]) {
        const headers = { 'content-type': 'application/json' };
        const failure = await failureOf(wire, { status, headers, chunks: [JSON.stringify(body)] });
        expect(failure.type, `${wire} ${status}`).toBe(type);
      }
    }
  });

  test('[MODEL-05d] a body without an end of its levels is a failure like another', async () => {
    const deep = `{"error":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
    const headers = { 'content-type': 'application/json' };
    for (const wire of ['openai-chat', 'openai-responses', 'anthropic'] as const) {
      const refused = await failureOf(wire, { status: 400, headers, chunks: [deep] });
      expect(refused.type).toBe('Model.InvalidRequest');
      const inStream = await failureOf(wire, { headers, chunks: [deep] });
      expect(inStream.type).toBe('Model.BadResponse');
      const inText = JSON.stringify({ error: { message: deep } });
      const worded = await failureOf(wire, { status: 400, headers, chunks: [inText] });
      expect(worded.type).toBe('Model.InvalidRequest');
      const plain = await failureOf(wire, { status: 400, chunks: ['no such adapter'] });
      expect(plain.message).toContain('no such adapter');
    }
  });

  test('an ordinary refusal keeps its words once', async () => {
    const failure = await failureOf(
      'openai-chat',
      errorAnswer('openai-chat', 400, { message: 'Bad image.' }),
    );
    expect(failure.message.match(/Bad image/g)).toHaveLength(1);
  });
});
