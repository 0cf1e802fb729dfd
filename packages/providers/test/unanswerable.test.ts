// Replies that hold only what a client of another kind could answer: one failure, which names the item.
import { describe, expect, test } from 'vitest';
import { recoveryOf } from '@holdfast/base/failures';
import { failureOf, replyTo } from '../../../test/support/provider-calls.ts';
import { startHttpBench, streamed } from '../../../test/support/model-http.ts';
import { models } from '../../../test/support/providers.ts';
import { sampleEvents, sampleText } from '../../../test/support/sample-streams.ts';
import { toSse } from '../../../test/support/sse.ts';
import type { Wire, WireEvent } from '../../../test/support/sse.ts';

const usage = { input_tokens: 5, output_tokens: 9 };
const response = (...items: WireEvent[]): WireEvent[] => [
  ...items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
  { type: 'response.completed', response: { status: 'completed', output: items, usage } },
];
const chat = (delta: WireEvent, finish_reason = 'tool_calls'): WireEvent[] => [
  { choices: [{ index: 0, delta, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason }] },
  { choices: [], usage: { prompt_tokens: 5, completion_tokens: 9 } },
];
const blocks = (...list: WireEvent[]): WireEvent[] => [
  { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
  ...list.map((content_block, index) => ({ type: 'content_block_start', index, content_block })),
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

const rows: { wire: Wire; events: WireEvent[]; item: string }[] = [
  ...[
    { type: 'custom_tool_call', call_id: 'c1', name: 'deploy', input: 'now' },
    { type: 'shell_call', call_id: 'c1', action: { commands: ['ls'] } },
    { type: 'local_shell_call', call_id: 'c1', action: { command: ['ls'] } },
    { type: 'apply_patch_call', call_id: 'c1', operation: {} },
    { type: 'computer_call', call_id: 'c1' },
    { type: 'image_generation_call', result: 'iVBO' },
    { type: 'mcp_approval_request', name: 'delete_repo', arguments: '{}' },
    { type: 'tool_search_call', execution: 'client', call_id: 'c1' },
    { type: 'never_heard_of' },
  ].map((wireItem) => ({
    wire: 'openai-responses' as const,
    events: response({ type: 'reasoning', id: 'rs_1', summary: [] }, { id: 'it_1', ...wireItem }),
    item: 'name' in wireItem ? `${wireItem.type} "${wireItem.name}"` : wireItem.type,
  })),
  {
    wire: 'openai-chat',
    events: chat({
      tool_calls: [{ index: 0, id: 'c1', type: 'custom', custom: { name: 'deploy', input: 'now' } }],
    }),
    item: 'custom tool call "deploy"',
  },
  {
    wire: 'openai-chat',
    events: chat({ function_call: { name: 'f', arguments: '{}' } }),
    item: 'function_call',
  },
  { wire: 'openai-chat', events: chat({ images: [{ type: 'image_url' }] }, 'stop'), item: 'images' },
  { wire: 'openai-chat', events: chat({ audio: { data: 'UklG' } }, 'stop'), item: 'audio' },
  {
    wire: 'anthropic',
    events: blocks({ type: 'container_upload', file_id: 'f1' }),
    item: 'container_upload',
  },
];

describe('a reply of one item that nobody here can answer', () => {
  test.each(rows)('[LOOP-15a] $wire: $item is final and named', async ({ wire, events, item }) => {
    const failure = await failureOf(wire, { chunks: [toSse(wire, events)] });
    expect(failure).toMatchObject({
      type: 'Model.UnansweredItem',
      usage: { input: 5, output: 9 },
      message: expect.stringContaining(`holds only ${item}, which Holdfast cannot answer`),
    });
    expect(recoveryOf(failure.type)).toBe('fail');
  });

  test('[LOOP-15b] it is asked for once, not three times, and was paid for', async () => {
    const bench = await startHttpBench('openai-responses');
    bench.server.answer(streamed('openai-responses', rows[0]?.events ?? []));
    expect(await bench.failure()).toMatchObject({ type: 'Model.UnansweredItem', nonRetryable: true });
    expect(bench.server.requests).toHaveLength(1);
    expect(bench.lastBeat()?.ledger.wasted).toMatchObject({ input: 5, output: 9 });
  });

  test('[LOOP-13] another model is asked instead', async () => {
    const bench = await startHttpBench('openai-responses', {
      context: { fallbacks: [{ model: models.anthropic }] },
    });
    bench.server.answer(
      streamed('openai-responses', rows[0]?.events ?? []),
      streamed('anthropic', sampleEvents('anthropic')),
    );
    expect((await bench.run()).message.model).toEqual(models.anthropic);
  });
});

test.each([
  { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  { type: 'tool_search_call', id: 'ts_1', execution: 'server' },
  { type: 'shell_call_output', id: 'so_1' },
  { type: 'compaction', id: 'cm_1', encrypted_content: 'gAAAA' },
])('[LOOP-15a] a reply of a $type alone is an empty one', async (item) => {
  const { reply } = await replyTo('openai-responses', {
    chunks: [toSse('openai-responses', response(item))],
  });
  expect(reply.message.content).toMatchObject([{ type: 'thinking', redacted: true }]);
});

test('an item that cannot be answered beside an answer goes back with it', async () => {
  const message = { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: sampleText }] };
  const image = { type: 'image_generation_call', id: 'ig_1', result: 'iVBO' };
  const { reply } = await replyTo('openai-responses', {
    chunks: [toSse('openai-responses', response(image, message))],
  });
  expect(reply.message.content).toEqual([
    { type: 'thinking', text: '', redacted: true, signature: JSON.stringify({ item: image }) },
    { type: 'text', text: sampleText },
  ]);
});
