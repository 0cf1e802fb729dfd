// What servers that merely speak Chat Completions do differently: ids, indexes, thinking, usage, arguments.
import { createVendorProvider } from '../src/vendors.ts';
import { describe, expect, test } from 'vitest';
import { noUsage, toolCallsOf, userMessage } from '@holdfast/vocabulary/messages';
import type { Message } from '@holdfast/vocabulary/messages';
import { assistant, callOptions, modelRequest, toolResult } from '../../../test/support/model-calls.ts';
import { replyTo } from '../../../test/support/provider-calls.ts';
import { startReplayServer } from '../../../test/support/replay-server.ts';
import { sampleEvents } from '../../../test/support/sample-streams.ts';
import { toSse } from '../../../test/support/sse.ts';
import type { WireEvent } from '../../../test/support/sse.ts';

const chunk = (delta: WireEvent, finish_reason: string | null = null): WireEvent => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const calls = (...tool_calls: WireEvent[]): WireEvent => chunk({ tool_calls });
const answer = (...events: WireEvent[]) => ({
  chunks: [toSse('openai-chat', [...events, chunk({}, 'stop')])],
});

async function callsOf(events: WireEvent[], messages: Message[] = []) {
  const { reply } = await replyTo('openai-chat', answer(...events), {
    messages: [userMessage('Go.'), ...messages],
  });
  return toolCallsOf(reply.message);
}

describe('tool calls', () => {
  const grep = (id: string | undefined, index: number | undefined, text: string): WireEvent => ({
    ...(id !== undefined && { id }),
    ...(index !== undefined && { index }),
    type: 'function',
    function: { name: 'grep', arguments: text },
  });

  test('[FAULT-63] [MSG-09b] missing ids are made, unique and in order', async () => {
    const found = await callsOf([calls(grep(undefined, 0, '{"n":1}'), grep('', 1, '{"n":2}'))]);
    expect(found.map((call) => call.arguments)).toEqual(['{"n":1}', '{"n":2}']);
    expect(new Set(found.map((call) => call.callId)).size).toBe(2);
    expect(found.every((call) => call.callId.length > 8)).toBe(true);
  });

  test('[FAULT-63] [MSG-09b] ids repeated in a message, or from an earlier turn, are replaced', async () => {
    const earlier = [
      assistant([{ type: 'tool_call', callId: 'call_0', name: 'grep', arguments: '{}' }]),
      toolResult('call_0', 'ok'),
    ];
    const found = await callsOf(
      [calls(grep('call_0', 0, '{"n":1}'), grep('call_1', 1, '{"n":2}'), grep('call_1', 2, '{"n":3}'))],
      earlier,
    );
    const ids = found.map((call) => call.callId);
    expect(new Set(['call_0', ...ids]).size).toBe(4);
    expect(ids[1]).toBe('call_1');
  });

  test('all calls under index 0, each with its own id, stay apart', async () => {
    const found = await callsOf([calls(grep('call_a1', 0, '{"n":1}')), calls(grep('call_b2', 0, '{"n":2}'))]);
    expect(found).toMatchObject([
      { callId: 'call_a1', arguments: '{"n":1}' },
      { callId: 'call_b2', arguments: '{"n":2}' },
    ]);
  });

  test('calls without index and id that come whole stay apart', async () => {
    const found = await callsOf([
      calls(grep(undefined, undefined, '{"n":1}')),
      calls(grep(undefined, undefined, '{"n":2}')),
    ]);
    expect(found.map((call) => call.arguments)).toEqual(['{"n":1}', '{"n":2}']);
  });

  test('id and name repeated in every chunk are one call', async () => {
    const found = await callsOf([
      calls(grep('call_a1', 0, '{"n"')),
      calls(grep('call_a1', 0, ':1')),
      calls(grep('call_a1', 0, '}')),
    ]);
    expect(found).toMatchObject([{ callId: 'call_a1', name: 'grep', arguments: '{"n":1}' }]);
  });

  test('parallel calls whose arguments come interleaved are put together by index', async () => {
    const more = (index: number, text: string): WireEvent => ({ index, function: { arguments: text } });
    const found = await callsOf([
      calls(grep('call_a1', 0, ''), grep('call_b2', 1, '')),
      calls(more(1, '{"b"')),
      calls(more(0, '{"a":1}')),
      calls(more(1, ':2}')),
    ]);
    expect(found.map((call) => call.arguments)).toEqual(['{"a":1}', '{"b":2}']);
  });

  test.each(['', '  '])('empty arguments %j are an empty object', async (text) => {
    expect(await callsOf([calls(grep('call_a1', 0, text))])).toMatchObject([{ arguments: '{}' }]);
  });

  test('[LOOP-17b] calls under the reason stop are there, and the reason is told as it was', async () => {
    const { reply } = await replyTo('openai-chat', answer(calls(grep('call_a1', 0, '{}'))));
    expect(reply.message).toMatchObject({ stopReason: 'stop', content: [{ type: 'tool_call' }] });
  });
});

describe('thinking', () => {
  test.each(['reasoning_content', 'reasoning'])(
    '[MSG-08a] %s is thinking, and goes back under its name to the same model only',
    async (field) => {
      const thought = answer(
        chunk({ [field]: 'The pool ' }),
        chunk({ [field]: 'is small.' }),
        chunk({ content: 'It is the pool.' }),
      );
      const { reply, deltas } = await replyTo('openai-chat', thought);
      expect(reply.message.content).toEqual([
        { type: 'thinking', text: 'The pool is small.', signature: field },
        { type: 'text', text: 'It is the pool.' },
      ]);
      expect(deltas.map(({ type }) => type)).toEqual(['thinking', 'thinking', 'text']);
      const messages = [userMessage('Go.'), reply.message, userMessage('Sure?')];
      const same = await replyTo('openai-chat', answer(chunk({ content: 'Yes.' })), { messages });
      expect(same.sent.body['messages']).toMatchObject([
        {},
        {},
        { [field]: 'The pool is small.', content: 'It is the pool.' },
        {},
      ]);
      const other = await replyTo('openai-chat', answer(chunk({ content: 'Yes.' })), {
        messages,
        model: { provider: 'openai-chat', id: 'other' },
      });
      expect(other.sent.text).not.toContain(`"${field}"`);
      expect(other.sent.text).toContain('The pool is small.It is the pool.');
    },
  );
});

describe('content in parts, as Mistral sends it', () => {
  const parts = (...content: unknown[]): WireEvent => chunk({ content });

  test('texts and thinking are read, other parts passed over', async () => {
    const { reply, deltas } = await replyTo(
      'openai-chat',
      answer(
        parts({
          type: 'thinking',
          thinking: [
            { type: 'text', text: 'Pool? ' },
            { type: 'text', text: 'Yes.' },
          ],
        }),
        parts({ type: 'text', text: 'The ' }, { type: 'reference', reference_ids: [1] }),
        parts({ type: 'text', text: 'pool.' }, null, { type: 'thinking' }, { type: 'text' }),
        chunk({ content: ' Sure.' }),
      ),
    );
    expect(reply.message.content).toEqual([
      { type: 'thinking', text: 'Pool? Yes.' },
      { type: 'text', text: 'The pool. Sure.' },
    ]);
    expect(deltas.map(({ type }) => type)).toEqual(['thinking', 'text', 'text', 'text']);
    // it has no field to go back under
    const messages = [userMessage('Go.'), reply.message, userMessage('Sure?')];
    const { sent } = await replyTo('openai-chat', answer(chunk({ content: 'Yes.' })), { messages });
    expect(sent.refusal).toBeUndefined();
    expect(sent.text).not.toContain('Pool?');
  });
});

test('[FAULT-62] arguments sent as an object are read as one', async () => {
  const grep = { name: 'grep', arguments: { pattern: 'pool' } };
  const found = await callsOf([calls({ index: 0, id: 'call_a1', type: 'function', function: grep })]);
  expect(found).toMatchObject([{ name: 'grep', arguments: '{"pattern":"pool"}' }]);
});

test('missing usage is no usage, and no failure', async () => {
  const { reply } = await replyTo('openai-chat', answer(chunk({ content: 'Fine.' })));
  expect(reply.message.usage).toEqual(noUsage);
});

test('chunks without choices, delta or finish reason are passed over', async () => {
  const odd = [
    {},
    { choices: [] },
    { choices: [{ index: 0 }] },
    { choices: [{ delta: { content: 'Fine.' } }] },
  ];
  const { reply } = await replyTo('openai-chat', answer(...odd));
  expect(reply.message.content).toEqual([{ type: 'text', text: 'Fine.' }]);
});

describe('which API the name openai means', () => {
  test.each([
    { api: undefined, path: '/v1/chat/completions', wire: 'openai-chat' as const },
    { api: 'responses' as const, path: '/v1/responses', wire: 'openai-responses' as const },
    { api: 'chat' as const, path: '/v1/chat/completions', wire: 'openai-chat' as const },
  ])('at another base URL with api $api: $path', async ({ api, path, wire }) => {
    const server = await startReplayServer();
    server.answer({ chunks: [toSse(wire, sampleEvents(wire))] });
    const provider = createVendorProvider('openai', {
      baseUrl: `${server.url}/v1`,
      ...(api && { speaks: api }),
    });
    expect(provider.name).toBe('openai');
    const model = { provider: 'openai', id: 'gpt-4.1' };
    await provider.call(modelRequest({ model, messages: [userMessage('Go.')] }), callOptions());
    expect(server.requests[0]?.path).toBe(path);
    // no key is configured, and none of the environment is used
    expect(server.requests[0]?.headers.authorization).toBe('Bearer no-key');
  });
});
