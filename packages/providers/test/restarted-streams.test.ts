// Streams in which a provider begins its reply anew, or lists a call again: the last message counts, each call once.
import { describe, expect, test } from 'vitest';
import { toolCallsOf } from '@holdfast/vocabulary/messages';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import type { ModelDelta } from '@holdfast/vocabulary/model-call';
import { replyTo } from '../../../test/support/provider-calls.ts';
import { sampleCall, sampleEvents, sampleText, sampleUsage } from '../../../test/support/sample-streams.ts';
import { toSse } from '../../../test/support/sse.ts';
import type { Wire, WireEvent } from '../../../test/support/sse.ts';

const answer = (wire: Wire, events: WireEvent[]) => ({ chunks: [toSse(wire, events)] });

/** The text and the calls that a watcher has at the end. */
function shown(deltas: ModelDelta[]) {
  const calls = new Map<string, string>();
  let text = '';
  for (const delta of deltas) {
    if (delta.type === 'text') text += delta.text;
    else if (delta.type === 'tool_call')
      calls.set(delta.callId, (calls.get(delta.callId) ?? '') + delta.argumentsDelta);
  }
  return { text, calls: Object.fromEntries(calls) };
}

function said(message: AssistantMessage) {
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = toolCallsOf(message).map((call) => [call.callId, call.arguments]);
  return { text, calls: Object.fromEntries(calls) };
}

describe('a second message in one stream replaces the first one whole', () => {
  const withdrawn: Record<'anthropic' | 'openai-responses', WireEvent[]> = {
    anthropic: [
      { type: 'message_start', message: { usage: { input_tokens: 7, output_tokens: 1 } } },
      ...[0, 1, 2].flatMap((index) => [
        { type: 'content_block_start', index, content_block: { type: 'text', text: 'Old.' } },
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'content_block_start',
        index: 3,
        content_block: { type: 'tool_use', id: 'toolu_old', name: 'delete_all', input: { now: true } },
      },
      { type: 'content_block_stop', index: 3 },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 900 } },
    ],
    'openai-responses': [
      { type: 'response.created', response: { id: 'resp_old' } },
      { type: 'response.output_text.delta', output_index: 0, delta: 'Old.' },
      ...[0, 5].map((output_index) => ({
        type: 'response.output_item.done',
        output_index,
        item: {
          type: 'function_call',
          id: `fc_${output_index}`,
          call_id: `call_old_${output_index}`,
          name: 'delete_all',
          arguments: '{}',
        },
      })),
    ],
  };

  test.each(['anthropic', 'openai-responses'] as const)('[LOOP-14] [EVENT-10] %s', async (wire) => {
    const events = [...withdrawn[wire], ...sampleEvents(wire)];
    const { reply, deltas, restarts } = await replyTo(wire, answer(wire, events));
    expect(reply.message).toMatchObject({ stopReason: 'tool_use', usage: sampleUsage });
    expect(reply.message.content).toEqual([
      { type: 'text', text: sampleText },
      { type: 'tool_call', ...sampleCall },
    ]);
    expect(restarts).toHaveLength(1);
    expect(shown(deltas.slice(restarts[0]))).toEqual(said(reply.message));
  });

  test.each(['anthropic', 'openai-responses'] as const)(
    '[LOOP-14c] %s: the second message keeps the ids that it shares with the first one',
    async (wire) => {
      const events = sampleEvents(wire);
      const { reply, deltas, restarts } = await replyTo(
        wire,
        answer(wire, [...events.slice(0, -1), ...events]),
      );
      expect(toolCallsOf(reply.message)).toEqual([{ type: 'tool_call', ...sampleCall }]);
      expect(shown(deltas.slice(restarts[0]))).toEqual(said(reply.message));
    },
  );

  test('[LOOP-14c] a start that is only repeated withdraws nothing', async () => {
    const [start = {}, ...events] = sampleEvents('anthropic');
    const { reply, restarts } = await replyTo('anthropic', answer('anthropic', [start, start, ...events]));
    expect(reply.message.usage).toEqual(sampleUsage);
    expect(restarts).toEqual([]);
  });

  test('[LOOP-14c] a second message without counts keeps those of the first', async () => {
    const bare = { type: 'message_start', message: { id: 'msg_2' } };
    const events = sampleEvents('anthropic');
    const delta = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } };
    const { reply } = await replyTo(
      'anthropic',
      answer('anthropic', [...events.slice(0, 4), bare, ...events.slice(1, 5), delta, ...events.slice(-1)]),
    );
    expect(reply.message.usage).toEqual({ ...sampleUsage, output: 3 });
    expect(said(reply.message)).toEqual({ text: sampleText, calls: {} });
  });
});

describe('a call that the stream lists again is one call', () => {
  const callId = 'call_JlTjvVBvUYa7CKiR2UXFvM1p';
  const item = (id: string, args: string) => ({
    type: 'function_call',
    id,
    call_id: callId,
    name: 'grep',
    arguments: args,
  });
  const listed = (index: number, wireItem: WireEvent): WireEvent[] => [
    { type: 'response.output_item.added', output_index: index, item: { ...wireItem, arguments: '' } },
    { type: 'response.function_call_arguments.delta', output_index: index, delta: wireItem['arguments'] },
    { type: 'response.output_item.done', output_index: index, item: wireItem },
  ];
  const completed = (...output: WireEvent[]) => ({
    type: 'response.completed',
    response: { status: 'completed', output },
  });
  const block = (index: number, input: string): WireEvent[] => [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: callId, name: 'grep', input: {} },
    },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: input } },
    { type: 'content_block_stop', index },
  ];
  const messages = (...blocks: WireEvent[]) => [
    { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ];
  const chunk = (index: number, text: string, name = 'grep'): WireEvent => ({
    choices: [
      { index: 0, delta: { tool_calls: [{ index, id: callId, function: { name, arguments: text } }] } },
    ],
  });
  const ended = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };

  test.each<{ name: string; wire: Wire; events: WireEvent[] }>([
    {
      name: 'in the terminal response, under another item id and index',
      wire: 'openai-responses',
      events: [
        ...listed(0, item('fc_1', '{"n":1}')),
        completed({ type: 'reasoning', id: 'rs_1', summary: [] }, item('fc_9', '{"n": 1}')),
      ],
    },
    {
      name: 'in the terminal response, without an item id',
      wire: 'openai-responses',
      events: [...listed(3, item('fc_1', '{"n":1}')), completed({ ...item('', '{"n":1}'), id: undefined })],
    },
    {
      name: 'as another item of the stream',
      wire: 'openai-responses',
      events: [...listed(0, item('fc_1', '{"n":1}')), ...listed(2, item('fc_2', '{ "n": 1 }')), completed()],
    },
    {
      name: 'as another block',
      wire: 'anthropic',
      events: messages(...block(0, '{"n":1}'), ...block(1, '{"n":1}')),
    },
    {
      name: 'under another index',
      wire: 'openai-chat',
      events: [chunk(0, '{"n"'), chunk(0, ':1}'), chunk(1, '{"n"'), chunk(1, ':1}'), ended],
    },
    {
      name: 'whole, behind its pieces',
      wire: 'openai-chat',
      events: [chunk(0, '{"n"'), chunk(0, ':1}'), chunk(0, '{"n":1}'), ended],
    },
  ])('[LOOP-14c] $wire: $name', async ({ wire, events }) => {
    const { reply, deltas } = await replyTo(wire, answer(wire, events));
    expect(toolCallsOf(reply.message)).toEqual([
      { type: 'tool_call', callId, name: 'grep', arguments: '{"n":1}' },
    ]);
    expect(shown(deltas)).toEqual(said(reply.message));
  });

  test.each<{ wire: Wire; events: WireEvent[] }>([
    {
      wire: 'openai-responses',
      events: [...listed(0, item('fc_1', '{"n":1}')), ...listed(1, item('fc_2', '{"n":2}')), completed()],
    },
    { wire: 'anthropic', events: messages(...block(0, '{"n":1}'), ...block(1, '{"n":2}')) },
    { wire: 'openai-chat', events: [chunk(0, '{"n":1}'), chunk(1, '{"n":2}'), ended] },
  ])(
    '[MSG-09b] $wire: calls that differ are two, though the server gives both one id',
    async ({ wire, events }) => {
      const { reply, deltas } = await replyTo(wire, answer(wire, events));
      const calls = toolCallsOf(reply.message);
      expect(calls.map((call) => call.arguments)).toEqual(['{"n":1}', '{"n":2}']);
      expect(calls[0]?.callId).toBe(callId);
      expect(calls[1]?.callId).toMatch(/^call_[0-9a-f]{32}$/);
      expect(shown(deltas)).toEqual(said(reply.message));
    },
  );

  test('[LOOP-14c] a message that the terminal response lists under another id is not said twice', async () => {
    const message = (id: string) => ({
      type: 'message',
      id,
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Yes.', annotations: [] }],
    });
    const events = [
      { type: 'response.output_item.done', output_index: 1, item: message('msg_1') },
      completed(message('msg_2')),
    ];
    const { reply } = await replyTo('openai-responses', answer('openai-responses', events));
    expect(said(reply.message).text).toBe('Yes.');
  });
});
