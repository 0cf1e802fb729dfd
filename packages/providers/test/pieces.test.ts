// How servers cut their replies into pieces: calls, texts, choices and counts in shapes of public bug reports. The words are
// our own.
import { describe, expect, test } from 'vitest';
import { type Message, textOf, toolCallsOf, userMessage } from '@holdfast/vocabulary/messages';
import type { ModelDelta } from '@holdfast/vocabulary/model-call';
import { failureOf, replyTo } from '../../../test/support/provider-calls.ts';
import { sampleEvents, sampleText, sampleUsage } from '../../../test/support/sample-streams.ts';
import { toSse } from '../../../test/support/sse.ts';
import type { Wire, WireEvent } from '../../../test/support/sse.ts';

const answer = (wire: Wire, events: WireEvent[]) => ({ chunks: [toSse(wire, events)] });
const chunk = (delta: unknown, finish_reason: string | null = null): WireEvent => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const stop = chunk({}, 'stop');
const calls = (...tool_calls: unknown[]): WireEvent => chunk({ tool_calls });
const messages: Message[] = [userMessage('Go.')];

async function chat(...events: WireEvent[]) {
  const { reply, deltas } = await replyTo('openai-chat', answer('openai-chat', events), { messages });
  return { message: reply.message, calls: toolCallsOf(reply.message), text: textOf(reply.message), deltas };
}

describe('[LOOP-41] one call is one call', () => {
  const ls = (text: unknown, more: WireEvent = {}) => ({
    index: 0,
    id: 'call_a1',
    type: 'function',
    function: { name: 'ls', arguments: text },
    ...more,
  });
  const piece = (text: unknown, more: WireEvent = {}) => ({
    index: 0,
    function: { arguments: text },
    ...more,
  });

  test.each([
    ['{} and pieces', [ls('{}'), piece('{"path"'), piece(':"/"}')]],
    ['{} and the whole', [ls('{}'), piece('{"path":"/"}')]],
    ['{} and the whole under its id', [ls('{}'), ls('{"path":"/"}')]],
    ['an object and the whole', [ls({}), ls({ path: '/' })]],
    ['{ } and pieces under its id', [ls('{ }'), ls('{"path"'), ls(':"/"}')]],
    ['null and pieces', [ls(null), piece('{"path"'), piece(':"/"}')]],
    ['the word null', [ls('null'), piece('{"path":"/"}')]],
    ['{} without ids', [ls('{}', { id: null }), ls('{"path":"/"}', { id: null })]],
    [
      '{} without ids and indexes',
      [ls('{}', { id: '', index: null }), piece('{"path":"/"}', { index: null })],
    ],
  ])('[LOOP-41a] arguments that say nothing come first: %s', async (_, deltas) => {
    const { calls: found, deltas: shown } = await chat(...deltas.map((delta) => calls(delta)), stop);
    expect(found).toHaveLength(1);
    expect(found).toMatchObject([{ name: 'ls', arguments: '{"path":"/"}' }]);
    expect(argumentsShown(shown)).toBe('{"path":"/"}');
  });

  test('[LOOP-41b] a new id and the name in every piece: the empty ones, first and last, are no calls', async () => {
    const pieces = ['', '{"pa', 'th":"/"}', ''].map((text, at) => calls(ls(text, { id: `x${at}` })));
    const date = { ...ls('{}', { index: 1, id: 'd1' }), function: { name: 'date', arguments: '{}' } };
    expect((await chat(...pieces, calls(date), stop)).calls).toMatchObject([
      { name: 'ls', arguments: '{"path":"/"}' },
      { callId: 'd1', name: 'date', arguments: '{}' },
    ]);
    // a server that gives each call one id means all of them
    const twice = [calls(ls('{"path":"/"}')), calls(ls('', { id: 'call_b1' }))];
    expect((await chat(...twice, stop)).calls).toHaveLength(2);
  });

  test('[LOOP-41a] a call without arguments is still one', async () => {
    const none = { ...ls('{}'), function: { name: 'date', arguments: '{}' }, id: 'call_d1' };
    expect((await chat(calls(none), calls(ls('{"path":"/"}')), stop)).calls).toMatchObject([
      { callId: 'call_d1', name: 'date', arguments: '{}' },
      { callId: 'call_a1', name: 'ls', arguments: '{"path":"/"}' },
    ]);
    const unnamed = [none, ls('{"path":"/"}'), none].map((call) => calls({ ...call, id: undefined }));
    expect((await chat(...unnamed, stop)).calls).toMatchObject([
      { name: 'date', arguments: '{}' },
      { name: 'ls', arguments: '{"path":"/"}' },
      { name: 'date', arguments: '{}' },
    ]);
  });

  test.each([
    ['in every piece', [ls(''), piece('{"pa', { id: 'x2' }), piece('th":"/"}', { id: 'x3' })]],
    ['from the second piece on', [ls('{"pa'), piece('th":', { id: 'x2' }), piece('"/"}', { id: 'x2' })]],
    ['with the name in every piece', [ls('{"pa'), ls('th":', { id: 'x2' }), ls('"/"}', { id: 'x3' })]],
    ['behind the whole', [ls('{"path":"/"}'), piece('', { id: 'x2' })]],
    [
      'with the name in every piece, and an empty one at the end',
      [ls('{"pa'), ls('th":', { id: 'x2' }), ls('"/"}', { id: 'x3' }), ls('', { id: 'x4' })],
    ],
    [
      'with the name in every piece, and an empty one first',
      [
        ls('', { id: 'call_a1' }),
        ls('{"pa', { id: 'call_a1' }),
        ls('th":"/"}', { id: 'x3' }),
        ls('{}', { id: 'x4' }),
      ],
    ],
  ])('[LOOP-41b] another id at one index %s', async (_, deltas) => {
    const { calls: found } = await chat(...deltas.map((delta) => calls(delta)), stop);
    expect(found).toMatchObject([{ callId: 'call_a1', arguments: '{"path":"/"}' }]);
    expect(found).toHaveLength(1);
  });

  test('[LOOP-41b] one id at several indexes, and one id of calls with several names', async () => {
    const pieces = [ls(''), ls('{"pa', { index: 1 }), piece('th":"/"}', { index: 1, id: 'call_a1' })];
    expect((await chat(calls(pieces[0]), calls(pieces[1]), calls(pieces[2]), stop)).calls).toMatchObject([
      { callId: 'call_a1', name: 'ls', arguments: '{"path":"/"}' },
    ]);
    const date = { ...ls(''), function: { name: 'date', arguments: '' } };
    expect((await chat(calls(date), calls(ls('{"path":"/"}')), stop)).calls).toMatchObject([
      { name: 'date', arguments: '{}' },
      { name: 'ls', arguments: '{"path":"/"}' },
    ]);
  });

  test('[LOOP-41b] a piece with neither id nor name is the rest of the last call, whatever its index', async () => {
    const second = ls('', { id: 'call_b2' });
    const rest = (text: string, index: number) => piece(text, { index });
    // https://github.com/agno-agi/agno/pull/8880
    const collided = [ls(''), rest('{"path":"/a"}', 0), second, rest('{"path":', 1), rest('"/b"}', 1)];
    expect((await chat(...collided.map((delta) => calls(delta)), stop)).calls).toMatchObject([
      { callId: 'call_a1', name: 'ls', arguments: '{"path":"/a"}' },
      { callId: 'call_b2', name: 'ls', arguments: '{"path":"/b"}' },
    ]);
    // https://github.com/dirac-run/dirac/pull/215
    const counted = [ls('{"pa'), rest('th":', 1), rest('"/"}', 2)];
    const { calls: found } = await chat(...counted.map((delta) => calls(delta)), stop);
    expect(found).toMatchObject([{ callId: 'call_a1', arguments: '{"path":"/"}' }]);
    expect(found).toHaveLength(1);
  });

  test('[LOOP-41b] whole calls with ids of their own under index 0 stay apart, also in pieces', async () => {
    const second = { ...ls('{"path":"/b"}'), id: 'call_b2' };
    expect((await chat(calls(ls('{"path":"/a"}')), calls(second), stop)).calls).toHaveLength(2);
    const { calls: found } = await chat(
      calls(ls('{"path"')),
      calls({ ...ls('{"path"'), id: 'call_b2' }),
      calls(piece(':"/a"}', { id: 'call_a1' })),
      calls(piece(':"/b"}', { id: 'call_b2' })),
      stop,
    );
    expect(found).toMatchObject([{ arguments: '{"path":"/a"}' }, { arguments: '{"path":"/b"}' }]);
  });

  test.each([
    ['', 0],
    ['', undefined],
    [null, 0],
    [null, undefined],
  ])('[LOOP-41f] a name with an id of its own begins a call, after %j at index %j', async (none, index) => {
    const alpha = { ...ls(none, { index }), function: { name: 'alpha', arguments: none } };
    const beta = { ...alpha, id: 'call_b1', function: { name: 'beta', arguments: none } };
    const deltas = [alpha, piece('{"a":1}', { index }), beta, piece('{"b":2}', { index })];
    expect((await chat(...deltas.map((delta) => calls(delta)), stop)).calls).toMatchObject([
      { callId: 'call_a1', name: 'alpha', arguments: '{"a":1}' },
      { callId: 'call_b1', name: 'beta', arguments: '{"b":2}' },
    ]);
    expect((await chat(calls(alpha), calls(beta), stop)).calls).toMatchObject([
      { name: 'alpha', arguments: '{}' },
      { name: 'beta', arguments: '{}' },
    ]);
  });

  test.each([
    ['all so far in each piece', ['', '{"pa', '{"path"', '{"path":"/"}']],
    ['the whole in each piece', ['{"path":"/"}', '{"path":"/"}', '{"path":"/"}']],
    ['the whole behind its pieces', ['', '{"pa', 'th":"/"}', '{"path":"/"}']],
    ['pieces that look alike', ['{"path":', '"/"', '}', '']],
    ['nothing, again and again, and the whole', ['{}', '{}', '{"path":"/"}']],
  ])('[LOOP-41e] arguments that come as %s', async (_, texts) => {
    for (const more of [{}, { id: 'call_a1' }]) {
      const deltas = texts.map((text, at) => (at === 0 ? ls(text) : piece(text, more)));
      const { calls: found } = await chat(...deltas.map((delta) => calls(delta)), stop);
      expect(found).toMatchObject([{ callId: 'call_a1', name: 'ls', arguments: '{"path":"/"}' }]);
      expect(found).toHaveLength(1);
    }
  });

  test('[LOOP-41e] an object in an object of its own kind is no repetition', async () => {
    const deltas = [ls('{"a":'), piece('{"a":1}'), piece('}')];
    expect((await chat(...deltas.map((delta) => calls(delta)), stop)).calls).toMatchObject([
      { arguments: '{"a":{"a":1}}' },
    ]);
  });

  test('[LOOP-41c] calls of one list are as many as it has, without ids and indexes too', async () => {
    const bare = (args: string) => ({ function: { name: 'ls', arguments: args } });
    for (const list of [
      ['{}', '{}'],
      ['{}', '{"path":"/"}'],
      ['{"path":"/"}', '{"path":"/"}'],
    ]) {
      const { calls: found } = await chat(calls(...list.map(bare), null), stop);
      expect(found.map((call) => call.arguments)).toEqual(list);
    }
  });

  test('[LOOP-41d] Responses: arguments that only their own events give', async () => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'call_a1', name: 'ls', arguments: '' };
    const added = { type: 'response.output_item.added', output_index: 0, item };
    const finished = (args: unknown) => [
      { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: args } },
      { type: 'response.completed', response: { status: 'completed', output: [] } },
    ];
    const delta = (text: string) => ({
      type: 'response.function_call_arguments.delta',
      output_index: 0,
      delta: text,
    });
    const whole = {
      type: 'response.function_call_arguments.done',
      output_index: 0,
      arguments: '{"path":"/"}',
    };
    for (const events of [
      [added, delta('{"path"'), delta(':"/"}'), ...finished('')],
      [added, delta('{"path"'), delta(':"/"}'), whole, ...finished('{}')],
      [added, whole, ...finished(undefined)],
      [added, whole, ...finished('{"path":"/"}')],
    ]) {
      const { reply } = await replyTo('openai-responses', answer('openai-responses', events));
      expect(toolCallsOf(reply.message)).toMatchObject([{ callId: 'call_a1', arguments: '{"path":"/"}' }]);
    }
  });
});

test('[LOOP-41g] Responses: a call that no finished item lists is there', async () => {
  const item = (name: string, id: string, args = '') => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: args,
  });
  const events = [
    { type: 'response.output_item.added', output_index: 0, item: item('ls', 'call_a1') },
    { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"path":"/"}' },
    { type: 'response.output_item.added', output_index: 1, item: item('date', 'call_b1') },
  ];
  for (const output of [[], [item('ls', 'call_a1', '{"path":"/"}'), item('date', 'call_b1', '{}')]]) {
    const last = { type: 'response.completed', response: { status: 'completed', output } };
    const { reply } = await replyTo('openai-responses', answer('openai-responses', [...events, last]));
    const found = toolCallsOf(reply.message);
    expect(found).toHaveLength(2);
    expect(found).toMatchObject([
      { callId: 'call_a1', name: 'ls', arguments: '{"path":"/"}' },
      { callId: 'call_b1', name: 'date', arguments: '{}' },
    ]);
    expect(reply.message.stopReason).toBe('tool_use');
  }
});

function argumentsShown(deltas: ModelDelta[]): string {
  return deltas.flatMap((delta) => (delta.type === 'tool_call' ? [delta.argumentsDelta] : [])).join('');
}

describe('[LOOP-42] a server that does not stream', () => {
  const call = { id: 'call_a1', type: 'function', function: { name: 'ls', arguments: '{"path":"/"}' } };
  const bodies: Record<Wire, unknown> = {
    'openai-chat': {
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'I look.', tool_calls: [call] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 3 },
    },
    'openai-responses': {
      object: 'response',
      status: 'completed',
      error: null,
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', call_id: 'call_a1', name: 'ls', arguments: '{"path":"/"}' },
      ],
      usage: { input_tokens: 10, output_tokens: 3 },
    },
    anthropic: {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'call_a1', name: 'ls', input: { path: '/' } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 3 },
    },
  };
  const json = { 'content-type': 'application/json; charset=utf-8' };

  describe.each(Object.entries(bodies) as [Wire, unknown][])('%s', (wire, body) => {
    const text = JSON.stringify(body);
    test.each([
      ['labelled as JSON', json, text],
      ['on several lines', json, JSON.stringify(body, null, 2)],
      ['labelled as a stream', {}, text],
      ['with [DONE] behind it', {}, `${text}\n\ndata: [DONE]\n\n`],
      ['as one event', {}, `data: ${text}\n\n`],
    ])('[LOOP-42a] its body is the reply: %s', async (_, headers, chunks) => {
      const { reply, deltas } = await replyTo(wire, { headers, chunks: [chunks] });
      expect(textOf(reply.message)).toBe('I look.');
      expect(toolCallsOf(reply.message)).toMatchObject([
        { callId: 'call_a1', name: 'ls', arguments: '{"path":"/"}' },
      ]);
      expect(reply.message).toMatchObject({ stopReason: 'tool_use', usage: { input: 10, output: 3 } });
      expect(deltas.length).toBeGreaterThanOrEqual(wire === 'openai-responses' ? 0 : 2);
    });

    test('[LOOP-42a] a stream labelled as JSON is read as what it is', async () => {
      const { reply } = await replyTo(wire, { headers: json, ...answer(wire, sampleEvents(wire)) });
      expect(textOf(reply.message)).toBe(sampleText);
    });

    test('[LOOP-42b] a body that breaks off, or is no reply, is none', async () => {
      const half = text.slice(0, -20);
      expect(await failureOf(wire, { headers: json, chunks: [half] })).toMatchObject({
        type: 'Model.BadResponse',
      });
      expect(await failureOf(wire, { headers: json, chunks: ['{"status":"queued"}'] })).toMatchObject({
        message: expect.stringContaining('queued'),
      });
    });
  });

  test('[LOOP-42a] Chat Completions: several choices without an index are one reply, as gateways of Claude send it', async () => {
    const choices = [{ message: { content: 'I look.' } }, { message: { content: null, tool_calls: [call] } }];
    const body = { choices: choices.map((choice) => ({ ...choice, finish_reason: 'tool_calls' })) };
    const { reply } = await replyTo('openai-chat', { headers: json, chunks: [JSON.stringify(body)] });
    expect(textOf(reply.message)).toBe('I look.');
    expect(toolCallsOf(reply.message)).toMatchObject([{ callId: 'call_a1', name: 'ls' }]);
  });

  test('[LOOP-42c] Responses: a body that is not finished is no reply, and one that is cut is', async () => {
    const whole = bodies['openai-responses'] as object;
    for (const status of ['queued', 'in_progress']) {
      const chunks = [JSON.stringify({ ...whole, status })];
      expect(await failureOf('openai-responses', { headers: json, chunks })).toMatchObject({
        type: 'Model.StreamCut',
        message: expect.stringContaining(status),
      });
    }
    const chunks = [JSON.stringify({ ...whole, status: 'incomplete', incomplete_details: null })];
    const { reply } = await replyTo('openai-responses', { headers: json, chunks });
    expect(reply.message.stopReason).toBe('length');
  });

  test('[LOOP-42a] a reply that the limit cut says so, whatever the wire', async () => {
    const cut = { choices: [{ message: { content: 'I' }, finish_reason: 'length' }] };
    const { reply } = await replyTo('openai-chat', { headers: json, chunks: [JSON.stringify(cut)] });
    expect(reply.message.stopReason).toBe('length');
    const incomplete = {
      ...(bodies['openai-responses'] as object),
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    };
    const other = await replyTo('openai-responses', { headers: json, chunks: [JSON.stringify(incomplete)] });
    expect(other.reply.message.stopReason).toBe('length');
  });
});

describe('[LOOP-43] chunks that are not as documented', () => {
  test('[LOOP-43b] another choice is none of ours', async () => {
    const other = (delta: unknown, finish_reason: string | null = null) => ({
      choices: [{ index: 1, delta, finish_reason }],
    });
    const { text, message } = await chat(
      other({ content: 'No. ' }),
      chunk({ content: 'Yes.' }),
      other({ content: 'Never.' }, 'length'),
      {
        choices: [other({ content: 'No.' }), chunk({ content: ' Sure.' })].flatMap(({ choices }) => choices),
      },
      stop,
    );
    expect(text).toBe('Yes. Sure.');
    expect(message.stopReason).toBe('stop');
  });

  test('[LOOP-43c] null, also as a word, is nothing', async () => {
    const nothing = { role: null, content: null, refusal: null, reasoning_content: null, tool_calls: null };
    const { text, message } = await chat(
      chunk(nothing),
      chunk(null),
      { choices: null, usage: null },
      { choices: [null] },
      chunk({ content: 'The value ' }, 'null'),
      chunk({ content: 'is null.' }, ''),
      { choices: [{ index: null, delta: { content: ' Yes.' }, finish_reason: null }] },
      stop,
    );
    expect(text).toBe('The value is null. Yes.');
    expect(message.stopReason).toBe('stop');
  });

  test.each([
    ['a text part', { type: 'text', text: 'Yes.' }],
    ['output_text', [{ type: 'output_text', text: 'Yes.', annotations: [] }]],
    ['texts', ['Ye', 's.']],
    ['parts without a type', [{ text: 'Yes.' }]],
    ['parts of several types', [null, { type: 'image_url', image_url: {} }, { type: 'text', text: 'Yes.' }]],
  ])('[LOOP-43d] content as %s', async (_, content) => {
    expect((await chat(chunk({ content }), stop)).text).toBe('Yes.');
  });

  test('[LOOP-43d] thinking as a text is thinking, and a text for content is one on Responses too', async () => {
    const { message } = await chat(chunk({ content: [{ type: 'thinking', thinking: 'Pool?' }] }), stop);
    expect(message.content).toEqual([{ type: 'thinking', text: 'Pool?' }]);
    const item = { type: 'message', role: 'assistant', content: 'Yes.' };
    const { reply } = await replyTo(
      'openai-responses',
      answer('openai-responses', [
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { status: 'completed', output: [item] } },
      ]),
    );
    expect(textOf(reply.message)).toBe('Yes.');
  });

  test('[LOOP-43d] a message that the last chunk repeats is not said twice', async () => {
    const last = {
      choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
    };
    expect((await chat(chunk({ content: 'Yes.' }), last)).text).toBe('Yes.');
    expect((await chat(last)).text).toBe('Yes.');
  });

  test('[LOOP-43d] of a whole message behind pieces counts what they did not say', async () => {
    const call = { id: 'call_a1', type: 'function', function: { name: 'ls', arguments: '{"path":"/"}' } };
    const message = { role: 'assistant', reasoning_content: 'Pool?', content: 'Yes.', tool_calls: [call] };
    const thought = { type: 'thinking', text: 'Pool?', signature: 'reasoning_content' };
    const said = { type: 'text', text: 'Yes.' };
    const called = { type: 'tool_call', callId: 'call_a1', name: 'ls', arguments: '{"path":"/"}' };
    for (const begun of [
      [],
      [chunk({ reasoning_content: 'Pool?' })],
      [chunk({ reasoning_content: 'Po' }), chunk({ reasoning_content: 'ol?' }), chunk({ content: 'Yes.' })],
      [chunk({ reasoning_content: 'Pool?' }), chunk({ content: 'Yes.' }), calls({ index: 0, ...call })],
    ]) {
      for (const delta of [undefined, null, {}]) {
        const last = { choices: [{ index: 0, delta, message, finish_reason: 'tool_calls' }] };
        expect((await chat(...begun, last)).message.content).toEqual([thought, said, called]);
      }
    }
  });
});

describe('[LOOP-44] counts', () => {
  const counts = { prompt_tokens: 100, completion_tokens: 7 };
  const usage = { input: 100, cacheRead: 0, cacheWrite: 0, output: 7 };
  const said = chunk({ content: 'Yes.' });

  test.each([
    ['behind the finish reason', [said, stop, { choices: [], usage: counts }]],
    ['behind it, with a choice', [said, stop, { choices: [{ index: 0, delta: {} }], usage: counts }]],
    ['behind it, without choices', [said, stop, { usage: counts }]],
    ['in the choice', [said, { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: counts }] }]],
    [
      'in every chunk',
      [
        { ...said, usage: { prompt_tokens: 100 } },
        { ...stop, usage: counts },
      ],
    ],
  ])('[LOOP-44a] that come %s', async (_, events) => {
    expect((await chat(...events)).message.usage).toEqual(usage);
  });

  test.each([
    ['prompt_tokens_details', { prompt_tokens_details: { cached_tokens: 60 } }],
    ['prompt_cache_hit_tokens', { prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 }],
    ['cached_tokens', { cached_tokens: 60 }],
  ])('[LOOP-44a] cached tokens as %s', async (_, cached) => {
    const { message } = await chat(said, { ...stop, usage: { ...counts, ...cached } });
    expect(message.usage).toEqual({ ...usage, input: 40, cacheRead: 60 });
  });

  test('[LOOP-44a] thinking that is left out of the output is counted', async () => {
    const details = { completion_tokens: 0, completion_tokens_details: { reasoning_tokens: 90 } };
    const { message } = await chat(said, { ...stop, usage: { ...counts, ...details } });
    expect(message.usage).toEqual({ ...usage, output: 90, reasoning: 90 });
  });
});

describe('[LOOP-45] gateways that translate', () => {
  const start = { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } };
  const block = (index: number, content_block: WireEvent) => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const delta = (index: number, text: string) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'text_delta', text },
  });
  const stopped = (index: number) => ({ type: 'content_block_stop', index });
  const end = [
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  const ls = { type: 'tool_use', id: 'toolu_1', name: 'ls', input: { path: '/' } };
  const text = { type: 'text', text: '' };
  const json = {
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json: '{"path":"/"}' },
  };

  test('[LOOP-45a] Messages: blocks that all have one index, or none, are all there', async () => {
    for (const at of [0, undefined as unknown as number]) {
      const { reply } = await replyTo(
        'anthropic',
        answer('anthropic', [
          start,
          block(at, text),
          delta(at, 'I '),
          delta(at, 'look.'),
          stopped(at),
          block(at, ls),
          stopped(at),
          ...end,
        ]),
      );
      expect(textOf(reply.message)).toBe('I look.');
      expect(toolCallsOf(reply.message)).toMatchObject([{ callId: 'toolu_1', arguments: '{"path":"/"}' }]);
    }
  });

  test('[LOOP-45a] Messages: a block at the index of one that never stopped takes nothing from it', async () => {
    const { reply } = await replyTo(
      'anthropic',
      answer('anthropic', [
        start,
        block(0, text),
        delta(0, 'I '),
        delta(0, 'look.'),
        block(0, { ...ls, input: {} }),
        { ...json, index: 0 },
        block(0, { ...ls, id: 'toolu_2', input: { path: '/b' } }),
        block(0, { ...text, text: 'Then on.' }),
        ...end,
      ]),
    );
    expect(textOf(reply.message)).toBe('I look.\nThen on.');
    expect(toolCallsOf(reply.message)).toMatchObject([
      { callId: 'toolu_1', arguments: '{"path":"/"}' },
      { callId: 'toolu_2', arguments: '{"path":"/b"}' },
    ]);
  });

  test('[LOOP-45a] Messages: the start of a call, said again, is one call', async () => {
    for (const input of [{}, { path: '/' }]) {
      const { reply, deltas } = await replyTo(
        'anthropic',
        answer('anthropic', [
          start,
          block(1, { ...ls, input: {} }),
          block(1, { ...ls, input }),
          json,
          ...end,
        ]),
      );
      expect(toolCallsOf(reply.message)).toEqual([
        { type: 'tool_call', callId: 'toolu_1', name: 'ls', arguments: '{"path":"/"}' },
      ]);
      expect(argumentsShown(deltas)).toBe('{"path":"/"}');
    }
  });

  test('[LOOP-45a] Messages: a text without a start is a text', async () => {
    const { reply } = await replyTo(
      'anthropic',
      answer('anthropic', [start, delta(0, 'I '), delta(0, 'look.'), stopped(0), block(1, ls), ...end]),
    );
    expect(textOf(reply.message)).toBe('I look.');
  });

  test('[LOOP-45b] Responses: text in pieces only, with finished items that are empty', async () => {
    const piece = (type: string, more: WireEvent) => ({
      type: `response.output_text.${type}`,
      output_index: 0,
      content_index: 0,
      ...more,
    });
    const empty = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
    const last = { type: 'response.completed', response: { status: 'completed', output: [] } };
    const finished = { type: 'response.output_item.done', output_index: 0, item: empty };
    for (const events of [
      [piece('delta', { delta: 'I ' }), piece('delta', { delta: 'look.' }), finished, last],
      [
        piece('delta', { delta: 'I ' }),
        piece('delta', { delta: 'look.' }),
        piece('done', { text: 'I look.' }),
        last,
      ],
      [piece('done', { text: 'I look.' }), { type: 'response.completed', response: { status: 'completed' } }],
    ]) {
      const { reply } = await replyTo('openai-responses', answer('openai-responses', events));
      expect(textOf(reply.message)).toBe('I look.');
    }
  });

  test('[LOOP-45b] Responses: what the finished items say is said once', async () => {
    const { reply } = await replyTo(
      'openai-responses',
      answer('openai-responses', sampleEvents('openai-responses')),
    );
    expect(textOf(reply.message)).toBe(sampleText);
    expect(reply.message.usage).toEqual(sampleUsage);
  });
});
