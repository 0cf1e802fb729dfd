// Thinking, and what else only one model can read, comes back to it byte-equal.
import { describe, expect, test } from 'vitest';
import { userMessage } from '@holdfast/vocabulary/messages';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import { toolResult } from '../../../test/support/model-calls.ts';
import { replyTo } from '../../../test/support/provider-calls.ts';
import { models } from '../../../test/support/providers.ts';
import { loadStream } from '../../../test/support/recordings.ts';
import { sharedMissing, sharedPath } from '../../../test/support/shared.ts';
import { sampleEvents } from '../../../test/support/sample-streams.ts';
import { toSse } from '../../../test/support/sse.ts';
import type { Wire, WireEvent } from '../../../test/support/sse.ts';

const done: WireEvent[] = [
  { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];
const block = (index: number, content_block: WireEvent, ...deltas: WireEvent[]): WireEvent[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];

/** What is sent of this reply when the conversation goes on. */
async function sentBack(
  wire: Wire,
  message: AssistantMessage,
  model = message.model,
): Promise<Record<string, unknown>[]> {
  const results = message.content.flatMap((part) =>
    part.type === 'tool_call' ? [toolResult(part.callId, 'ok')] : [],
  );
  const messages = [userMessage('Go.'), message, ...results];
  const { sent } = await replyTo(wire, { chunks: [toSse(wire, sampleEvents(wire))] }, { model, messages });
  return Object(sent.body['messages'] ?? sent.body['input']);
}

describe('Anthropic', () => {
  const signature = 'EpQBCkYI+/=='.repeat(20);
  const searchUse = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
  const searchResult = {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', encrypted_content: 'Eq/+' }],
  };
  const events = [
    { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: ' First\n' },
      { type: 'thinking_delta', thinking: 'then. ' },
      { type: 'signature_delta', signature: signature.slice(0, 100) },
      { type: 'signature_delta', signature: signature.slice(100) },
    ),
    ...block(1, { type: 'redacted_thinking', data: 'EmwKAhgBIgz+/=' }),
    ...block(
      2,
      searchUse,
      { type: 'input_json_delta', partial_json: '{"query":' },
      { type: 'input_json_delta', partial_json: '"pool"}' },
    ),
    ...block(3, searchResult),
    ...block(4, { type: 'text', text: '' }, { type: 'text_delta', text: 'It is' }),
    ...done,
  ];
  const wireBlocks = [
    { type: 'thinking', thinking: ' First\nthen. ', signature },
    { type: 'redacted_thinking', data: 'EmwKAhgBIgz+/=' },
    { ...searchUse, input: { query: 'pool' } },
    searchResult,
    { type: 'text', text: 'It is' },
  ];

  test('[MSG-08a] [FAULT-67] [FAULT-68] thinking, redacted thinking and server tool blocks go back as they came', async () => {
    const { reply } = await replyTo('anthropic', { chunks: [toSse('anthropic', events)] });
    expect(reply.message.stopDetail).toBe('pause_turn');
    const sent = await sentBack('anthropic', reply.message);
    expect(sent[1]).toEqual({ role: 'assistant', content: wireBlocks });
  });

  test('[MSG-08bc] [FAULT-68] [FAULT-74] another model gets the thinking as text, and nothing sealed', async () => {
    const { reply } = await replyTo('anthropic', { chunks: [toSse('anthropic', events)] });
    const [, message] = await sentBack('anthropic', reply.message, {
      provider: 'anthropic',
      id: 'claude-opus-5',
    });
    expect(message).toEqual({
      role: 'assistant',
      content: [
        { type: 'text', text: ' First\nthen. ' },
        { type: 'text', text: 'It is' },
      ],
    });
    const chat = await sentBack('openai-chat', reply.message, { provider: 'openai-chat', id: 'gpt-4o' });
    expect(chat[2]).toEqual({ role: 'assistant', content: ' First\nthen. It is' });
  });

  test('thinking without a signature goes back as text, because the API would refuse it', async () => {
    const unsigned = [
      ...block(0, { type: 'thinking', thinking: 'Hm.', signature: '' }),
      ...block(1, { type: 'text', text: 'Yes.' }),
      ...done,
    ];
    const { reply } = await replyTo('anthropic', { chunks: [toSse('anthropic', unsigned)] });
    const [, message] = await sentBack('anthropic', reply.message);
    expect(message).toEqual({
      role: 'assistant',
      content: [
        { type: 'text', text: 'Hm.' },
        { type: 'text', text: 'Yes.' },
      ],
    });
  });
});

describe('Anthropic: fields and blocks that core has no word for', () => {
  const start = (...content: WireEvent[]): WireEvent => ({
    type: 'message_start',
    message: { content, usage: { input_tokens: 5, output_tokens: 1 } },
  });
  const cited = (cited_text: string): WireEvent => ({
    type: 'web_search_result_location',
    url: 'https://example.test/pool',
    title: 'Pool',
    encrypted_index: 'Eo8B',
    cited_text,
  });
  const caller = { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' };
  const call = { type: 'tool_use', id: 'toolu_0a1b2c3d', name: 'grep', caller };
  const events = [
    start(),
    ...block(
      0,
      { type: 'text', text: '', citations: [cited('a')] },
      { type: 'text_delta', text: 'The pool ' },
      { type: 'citations_delta', citation: cited('b') },
      { type: 'text_delta', text: 'is small.' },
      { type: 'citations_delta', citation: cited('c') },
    ),
    ...block(1, { ...call, input: {} }, { type: 'input_json_delta', partial_json: '{"n":1}' }),
    ...done,
  ];
  const reply = async (list: WireEvent[]) =>
    (await replyTo('anthropic', { chunks: [toSse('anthropic', list)] })).reply.message;

  test('[MSG-08a] citations and the caller of a call go back as they came', async () => {
    const [, message] = await sentBack('anthropic', await reply(events));
    expect(message?.['content']).toEqual([
      { type: 'text', text: 'The pool is small.', citations: [cited('a'), cited('b'), cited('c')] },
      { ...call, input: { n: 1 } },
    ]);
  });

  test('[MSG-08b] and reach no other model', async () => {
    const message = await reply(events);
    const others = [
      await sentBack('anthropic', message, { provider: 'anthropic', id: 'claude-opus-5' }),
      await sentBack('openai-chat', message, { provider: 'openai-chat', id: 'gpt-4o' }),
      // one name of a model, another wire
      await sentBack('openai-responses', { ...message, model: models['openai-responses'] }),
    ];
    for (const other of others) {
      expect(JSON.stringify(other)).toContain('The pool is small.');
      expect(JSON.stringify(other)).not.toMatch(/citations|caller|anthropic-fields|Eo8B/);
    }
  });

  test('text and calls without such fields have no signature', async () => {
    const plain = [start(), ...block(0, { type: 'text', text: 'Yes.', citations: null }), ...done];
    expect((await reply(plain)).content).toEqual([{ type: 'text', text: 'Yes.' }]);
  });

  test('[MSG-08a] a compaction goes back with the content of its delta', async () => {
    const delta = { type: 'compaction_delta', content: 'So far: the pool.', encrypted_content: 'gAAAA' };
    const list = [
      start(),
      ...block(0, { type: 'compaction', content: null }, delta),
      ...block(1, { type: 'text', text: 'Yes.' }),
      ...done,
    ];
    const [, message] = await sentBack('anthropic', await reply(list));
    expect(message?.['content']).toEqual([
      { type: 'compaction', content: 'So far: the pool.', encrypted_content: 'gAAAA' },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  test('[MSG-08a] blocks that stand in the start of the message are its first ones, and are shown', async () => {
    const first = [
      { type: 'redacted_thinking', data: 'EmwKAhgBIgz+/=' },
      { type: 'text', text: 'I look' },
    ];
    const list = [
      start(...first),
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: ' there.' } },
      ...block(2, { ...call, input: { n: 1 } }),
      ...done,
    ];
    const { reply: read, deltas } = await replyTo('anthropic', { chunks: [toSse('anthropic', list)] });
    const [, message] = await sentBack('anthropic', read.message);
    expect(message?.['content']).toEqual([
      first[0],
      { type: 'text', text: 'I look there.' },
      { ...call, input: { n: 1 } },
    ]);
    expect(deltas).toEqual([
      { type: 'text', text: 'I look' },
      { type: 'text', text: ' there.' },
      { type: 'tool_call', callId: call.id, name: 'grep', argumentsDelta: '{"n":1}' },
    ]);
  });
});

const responses = 'data/model-streams/openai-responses';
const missing = sharedPath(responses) === undefined;

describe.skipIf(missing)(missing ? sharedMissing(responses) : 'OpenAI Responses, recorded', () => {
  test('[MSG-08a] [FAULT-68] encrypted reasoning goes back as the finished item had it, before its call', async () => {
    const [events = []] = loadStream('openai-responses', 'openai-reasoning-encrypted-content.1');
    const { reply } = await replyTo('openai-responses', { chunks: [toSse('openai-responses', events)] });
    const finished = events.find((event) => event['type'] === 'response.output_item.done')?.['item'];
    const sent = await sentBack('openai-responses', reply.message);
    expect(sent.map((item) => item['type'])).toEqual([
      'message',
      'reasoning',
      'function_call',
      'function_call_output',
    ]);
    expect(sent[1]).toEqual(finished);
    const other = await sentBack('openai-responses', reply.message, { provider: 'openai', id: 'gpt-5.4' });
    expect(JSON.stringify(other)).not.toContain('gAAAA');
  });

  test("a message's phase goes back with it", async () => {
    const [events = []] = loadStream('openai-responses', 'openai-phase.1');
    const { reply } = await replyTo('openai-responses', { chunks: [toSse('openai-responses', events)] });
    expect(reply.message.content.filter((part) => part.type === 'text')).toHaveLength(2);
    const sent = await sentBack('openai-responses', reply.message);
    expect(sent.slice(1).map((item) => item['phase'])).toEqual(['commentary', 'final_answer']);
    // https://github.com/Kilo-Org/kilocode/issues/5700: a server of these items wants the type that OpenAI fills in
    expect(sent.map((item) => item['type'])).toEqual(['message', 'message', 'message']);
  });
});
