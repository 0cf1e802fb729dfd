// What servers send in place of the rest of a reply, or between its pieces: half an answer is none, and the server's words
// are shown. The shapes are those of public bug reports; the words are our own.
import { describe, expect, test } from 'vitest';
import { failureOf, replyTo, wires } from '../../../test/support/provider-calls.ts';
import { sampleCuts, sampleEvents, sampleText } from '../../../test/support/sample-streams.ts';
import { toFrame, toSse } from '../../../test/support/sse.ts';
import type { Wire, WireEvent } from '../../../test/support/sse.ts';

const begun = (wire: Wire) =>
  sampleEvents(wire)
    .slice(0, sampleCuts[wire].inText)
    .map((event) => toFrame(wire, event))
    .join('');
const data = (event: unknown) => `data: ${JSON.stringify(event)}\n\n`;
const done = 'data: [DONE]\n\n';

describe.each(wires)('%s', (wire) => {
  test.each([
    ['an object', data({ error: { message: 'engine stopped', code: 500 } })],
    ['a text', data({ error: 'engine stopped' })],
    [
      'flat, of older vLLM',
      data({ object: 'error', message: 'engine stopped', type: 'Internal', code: 500 }),
    ],
    ['flat, with a type', data({ type: 'error', message: 'engine stopped' })],
    ['flat, with a type of its own', data({ type: 'InternalServerError', message: 'engine stopped' })],
    ['a list, of Google', data([{ error: { message: 'engine stopped', code: 503, status: 'UNAVAILABLE' } }])],
    ['an event of that name', 'event: error\ndata: {"message":"engine stopped"}\n\n'],
    ['a text under that name', 'event: error\ndata: engine stopped\n\n'],
    ['a field of that name, of llama.cpp', 'error: {"code":500,"message":"engine stopped"}\n\n'],
    ['a line without a field name', '{"error":{"message":"engine stopped"}}\n'],
    ['an exception', 'event: exception\ndata: {"message":"engine stopped"}\n\n'],
    ['an exception of AWS', 'event: throttlingException\ndata: engine stopped\n\n'],
    ['words on several lines', 'event: error\ndata: engine\ndata: stopped\n\n'],
    ['the detail of FastAPI', data({ detail: 'engine stopped' })],
    ['the list of FastAPI', data({ detail: [{ msg: 'engine stopped' }] })],
    ['a message alone', data({ message: 'engine stopped' })],
    ['of no known form', data({ base_resp: { status_msg: 'engine stopped' } })],
  ])('[LOOP-40a] an error in mid stream is the failure: %s', async (_, frame) => {
    for (const end of [done, '', data({ choices: [], usage: { prompt_tokens: 3 } }) + done]) {
      const failure = await failureOf(wire, { chunks: [begun(wire) + frame + end] });
      expect(failure.type).toBe('Model.ServerError');
      expect(failure.message).toMatch(/engine\s+stopped/);
    }
  });

  test('[LOOP-40a] an event of that name without data is an error too', async () => {
    for (const frame of ['event: error\n\n', 'event: exception\ndata:\n\n']) {
      const failure = await failureOf(wire, { chunks: [begun(wire) + frame + done] });
      expect(failure.type).toBe('Model.ServerError');
    }
  });

  test.each([{}, null, '', { code: 0, message: '' }, { message: null }])(
    '[LOOP-40c] an error that says nothing is none, in any event: %j',
    async (error) => {
      const events = sampleEvents(wire).map((event) => ({ ...event, error }));
      const { reply } = await replyTo(wire, {
        chunks: [data({ error }) + toSse(wire, events) + data({ error })],
      });
      expect(reply.message.content[0]).toEqual({ type: 'text', text: sampleText });
      expect(reply.message.content).toHaveLength(2);
    },
  );

  test('[LOOP-40a] the words decide what follows: a refusal of the length is an overflow', async () => {
    const words = "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.";
    for (const event of [{ detail: words }, { object: 'error', message: words }, { error: words }]) {
      const failure = await failureOf(wire, { chunks: [begun(wire) + data(event) + done] });
      expect(failure.type).toBe('Model.ContextOverflow');
    }
  });

  test('[LOOP-40b] other frames of a whole reply are passed over', async () => {
    const others = [
      'event: tool.progress\ndata: {"tool":"terminal","status":"running"}\n\n',
      'event: keepalive\ndata: ok\n\n'.replace('ok', '{}'),
      data({ hook_results: [{ verdict: true }] }),
      data({}),
      'data: null\n\n',
      'data:\n\n',
      'data: \n\n',
      'id: 7\nretry: 100\n\n',
      ': OPENROUTER PROCESSING\n\n',
    ].join('');
    const events = sampleEvents(wire).map((event) => toFrame(wire, event));
    const { reply } = await replyTo(wire, { chunks: [events.join(others) + others] });
    expect(reply.message.content[0]).toEqual({ type: 'text', text: sampleText });
    expect(reply.message.content).toHaveLength(2);
  });

  test.each([
    ['CR LF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['CR', (text: string) => text.replaceAll('\n', '\r')],
    ['no blank behind the colon', (text: string) => text.replaceAll(/^(data|event): /gm, '$1:')],
    ['no names of events', (text: string) => text.replaceAll(/^event: .*\n/gm, '')],
    [
      'no blank line between events',
      (text: string) => text.replaceAll(/^event: .*\n/gm, '').replaceAll('\n\n', '\n'),
    ],
    [
      'lines of JSON alone',
      (text: string) => text.replaceAll(/^event: .*\n/gm, '').replaceAll(/^data: (?=\{)/gm, ''),
    ],
    ['no end of the last line', (text: string) => text.trimEnd()],
  ])('[LOOP-43a] frames with %s are read', async (_, change) => {
    const text = change(toSse(wire, sampleEvents(wire)));
    for (const chunks of [[text], text.match(/.{1,3}/gs) ?? []]) {
      const { reply } = await replyTo(wire, { chunks });
      expect(reply.message.content[0]).toEqual({ type: 'text', text: sampleText });
      expect(reply.message.content).toHaveLength(2);
    }
  });

  test.each([
    ['events', (text: string) => text.replaceAll(/^event: .*\n/gm, '').replaceAll('\n\n', '\n')],
    ['events with their names', (text: string) => text.replaceAll('\n\n', '\n')],
    [
      'lines of JSON',
      (text: string) =>
        text
          .replaceAll(/^event: .*\n\n?/gm, '')
          .replaceAll(/^data: /gm, '')
          .replaceAll('\n\n', '\n'),
    ],
  ])('[LOOP-43a] %s without blank lines are handed on as they come', async (_, change) => {
    const text = change(toSse(wire, sampleEvents(wire)));
    const { reply, deltas } = await replyTo(
      wire,
      { chunks: [text], ending: 'silence' },
      {},
      { idleTimeoutMs: 300 },
    );
    expect(reply.message.content[0]).toEqual({ type: 'text', text: sampleText });
    expect(deltas.length).toBeGreaterThan(3);
  });
});

test('[LOOP-40a] an error behind whole calls runs none of them', async () => {
  const call = {
    index: 0,
    id: 'c1',
    type: 'function',
    function: { name: 'restart', arguments: '{"now":true}' },
  };
  const chunk: WireEvent = { choices: [{ index: 0, delta: { tool_calls: [call] } }] };
  for (const event of [{ detail: 'guard' }, { object: 'error', message: 'guard' }, { error: 'guard' }]) {
    const failure = await failureOf('openai-chat', { chunks: [data(chunk) + data(event) + done] });
    expect(failure.message).toContain('guard');
  }
});

test.each([
  {},
  { type: 'keepalive', sequence_number: 3 },
  { type: 'heartbeat', time: '2026-11-30T08:00:00Z', data: null },
])('[LOOP-40c] %j without words is no error, although only [DONE] ends the reply', async (beat) => {
  const chunk = { choices: [{ index: 0, delta: { content: 'Whole.' } }] };
  const { reply } = await replyTo('openai-chat', { chunks: [data(chunk) + data(beat) + done] });
  expect(reply.message.content).toEqual([{ type: 'text', text: 'Whole.' }]);
});

test.each([
  { type: 'message', message: 'worker died' },
  { code: 500, message: 'worker died', usage: { total_tokens: 0 } },
  { object: 'chat.completion.chunk', code: 500, msg: 'worker died' },
  { choices: [], message: 'worker died' },
])('[LOOP-40d] words in place of the rest are an error in each form: %j', async (event) => {
  const chunk = { choices: [{ index: 0, delta: { content: 'Half' } }] };
  const failure = await failureOf('openai-chat', { chunks: [data(chunk) + data(event) + done] });
  expect(failure.message).toContain('worker died');
});

test('[LOOP-40e] Messages: message_stop without message_delta ends half an answer', async () => {
  const text = begun('anthropic') + toFrame('anthropic', { type: 'message_stop' });
  expect(await failureOf('anthropic', { chunks: [text] })).toMatchObject({ type: 'Model.StreamCut' });
});

test('[LOOP-40b] behind a finish reason nothing is an error any more', async () => {
  const events = sampleEvents('openai-chat').slice(0, -1);
  const text = events.map((event) => toFrame('openai-chat', event)).join('');
  for (const event of [{ detail: 'late' }, { object: 'error', message: 'late' }, { error: 'late' }]) {
    const { reply } = await replyTo('openai-chat', { chunks: [text + data(event) + done] });
    expect(reply.message.content).toHaveLength(2);
  }
});
