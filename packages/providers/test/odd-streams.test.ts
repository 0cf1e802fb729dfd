// What servers that speak the Anthropic and the Responses wire leave out or write otherwise: read as far as it goes.
import { createVendorProvider } from '../src/vendors.ts';
import { describe, expect, test } from 'vitest';
import { toolCallsOf, userMessage } from '@holdfast/vocabulary/messages';
import type { ModelRef } from '@holdfast/vocabulary/messages';
import { assistant, callOptions, modelRequest } from '../../../test/support/model-calls.ts';
import { failureOf, replyTo } from '../../../test/support/provider-calls.ts';
import { startReplayServer } from '../../../test/support/replay-server.ts';
import { sampleEvents, sampleText, sampleUsage } from '../../../test/support/sample-streams.ts';
import { toSse } from '../../../test/support/sse.ts';
import type { Wire, WireEvent } from '../../../test/support/sse.ts';

const answer = (wire: Wire, events: WireEvent[]) => ({ chunks: [toSse(wire, events)] });
const edited = (wire: Wire, type: string, change: (event: WireEvent) => WireEvent) =>
  answer(
    wire,
    sampleEvents(wire).map((event) => (event['type'] === type ? change(event) : event)),
  );

describe('Anthropic', () => {
  const without = (type: string, field: string) =>
    edited('anthropic', type, ({ [field]: _, ...event }) => event);

  test.each([
    {
      name: 'a message_start without usage',
      stream: edited('anthropic', 'message_start', (event) => ({ ...event, message: { id: 'm' } })),
      usage: sampleUsage,
    },
    {
      name: 'a message_start without message',
      stream: without('message_start', 'message'),
      usage: sampleUsage,
    },
    {
      name: 'a message_delta without usage',
      stream: without('message_delta', 'usage'),
      usage: { ...sampleUsage, output: 1 },
    },
    {
      name: 'a message_delta whose usage is null',
      stream: edited('anthropic', 'message_delta', (event) => ({ ...event, usage: null })),
      usage: { ...sampleUsage, output: 1 },
    },
  ])('$name is read, and what was counted is told', async ({ stream, usage }) => {
    const { reply } = await replyTo('anthropic', stream);
    expect(reply.message).toMatchObject({ stopReason: 'tool_use', usage });
    expect(toolCallsOf(reply.message)).toHaveLength(1);
  });

  test('blocks that begin without their text are read', async () => {
    const { reply } = await replyTo('anthropic', {
      ...edited('anthropic', 'content_block_start', (event) => {
        const { type } = Object(event['content_block']);
        return type === 'text' ? { ...event, content_block: { type } } : event;
      }),
    });
    expect(reply.message.content[0]).toEqual({ type: 'text', text: sampleText });
  });

  test('[FAULT-61] a server tool cut inside its input is left out: it never ran, and could not go back', async () => {
    const start = { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } };
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    const { reply } = await replyTo(
      'anthropic',
      answer('anthropic', [
        start,
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'I look.' } },
        { type: 'content_block_start', index: 1, content_block: search },
        { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"que' } },
        { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ]),
    );
    expect(reply.message).toMatchObject({
      stopReason: 'length',
      content: [{ type: 'text', text: 'I look.' }],
    });
  });
});

describe('Responses', () => {
  const done = (item: WireEvent, usage?: WireEvent): WireEvent[] => [
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    {
      type: 'response.completed',
      response: { status: 'completed', output: [item], ...(usage && { usage }) },
    },
  ];
  const contentOf = async (item: WireEvent) =>
    (await replyTo('openai-responses', answer('openai-responses', done(item)))).reply.message.content;

  test('a reasoning item without a summary', async () => {
    const content = [{ type: 'reasoning_text', text: 'Pool?' }];
    expect(await contentOf({ type: 'reasoning', id: 'rs_1', content })).toEqual([
      { type: 'thinking', text: 'Pool?' },
    ]);
  });

  test('[FAULT-62] arguments sent as an object, or not at all', async () => {
    const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'grep' };
    const read = async (args: unknown) => await contentOf({ ...call, arguments: args });
    expect(await read({ pattern: 'pool' })).toMatchObject([{ arguments: '{"pattern":"pool"}' }]);
    expect(await read(undefined)).toMatchObject([{ arguments: '{}' }]);
    expect(await read('  ')).toMatchObject([{ arguments: '{}' }]);
  });

  test('a message without content', async () => {
    expect(await contentOf({ type: 'message', id: 'msg_1', role: 'assistant' })).toEqual([]);
  });

  test('usage that counts one side only', async () => {
    const message = { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Yes.' }] };
    const usageOf = async (usage: WireEvent) =>
      (await replyTo('openai-responses', answer('openai-responses', done(message, usage)))).reply.message
        .usage;
    expect(await usageOf({ input_tokens: 7 })).toEqual({ input: 7, cacheRead: 0, cacheWrite: 0, output: 0 });
    expect(await usageOf({ output_tokens: 7 })).toEqual({ input: 0, cacheRead: 0, cacheWrite: 0, output: 7 });
  });
});

test.each<{ wire: Wire; event: WireEvent }>([
  { wire: 'openai-chat', event: { choices: [{ index: 0, delta: { tool_calls: 7 } }] } },
  { wire: 'anthropic', event: { type: 'content_block_start', index: 9 } },
  { wire: 'openai-responses', event: { type: 'response.output_item.added', output_index: 9 } },
])('[FAULT-60] $wire: an event of no known shape is a bad response, not a bug', async ({ wire, event }) => {
  const events = sampleEvents(wire);
  const odd = [...events.slice(0, -1), event, ...events.slice(-1)];
  expect(await failureOf(wire, answer(wire, odd))).toMatchObject({
    type: 'Model.BadResponse',
    message: 'The stream held an event that cannot be read (TypeError).',
  });
});

describe('one name of a model, two wires over time', () => {
  const model: ModelRef = { provider: 'openai', id: 'gpt-5.1' };
  const said = { type: 'text' as const, text: 'The pool.' };
  const chatThought = { type: 'thinking' as const, text: 'Pool?', signature: 'reasoning_content' };
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' };
  const sealed = { type: 'thinking' as const, text: 'Pool?', signature: JSON.stringify({ item }) };

  async function sentOver(wire: Wire, thought: typeof chatThought): Promise<string> {
    const server = await startReplayServer();
    server.answer(answer(wire, sampleEvents(wire)));
    const options = { baseUrl: `${server.url}/v1`, apiKey: 'key' };
    const provider =
      wire === 'openai-chat'
        ? createVendorProvider('openai-chat', options)
        : createVendorProvider('openai', { ...options, speaks: 'responses' });
    const messages = [userMessage('Go.'), assistant([thought, said], { model }), userMessage('Sure?')];
    await provider.call(modelRequest({ model, messages }), callOptions());
    expect(server.requests[0]?.refusal).toBeUndefined();
    return server.requests[0]?.text ?? '';
  }

  test('[MSG-08b] thinking of a chat server is not sent to Responses', async () => {
    const text = await sentOver('openai-responses', chatThought);
    expect(text).toContain('The pool.');
    expect(text).not.toContain('reasoning_content');
  });

  test('[MSG-08c] a sealed item is not sent to a chat server, and its own wire still gets it', async () => {
    const text = await sentOver('openai-chat', sealed);
    expect(text).toContain('The pool.');
    expect(text).not.toContain('gAAAA');
    expect(await sentOver('openai-responses', sealed)).toContain('"encrypted_content":"gAAAA"');
  });
});
