// What each provider sends. The replay server refuses what the vendor would, so every request here is valid.
import { createVendorProvider } from '../src/vendors.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { userMessage } from '@holdfast/vocabulary/messages';
import type { ImagePart, Message } from '@holdfast/vocabulary/messages';
import type { ModelRequest, ThinkingLevel } from '@holdfast/vocabulary/model-call';
import { callOptions, assistant, modelRequest, toolResult } from '../../../test/support/model-calls.ts';
import { models, providerFor } from '../../../test/support/providers.ts';
import { wires } from '../../../test/support/provider-calls.ts';
import { startReplayServer } from '../../../test/support/replay-server.ts';
import type { CapturedRequest } from '../../../test/support/replay-server.ts';
import { sampleEvents } from '../../../test/support/sample-streams.ts';
import { toSse } from '../../../test/support/sse.ts';
import type { Wire } from '../../../test/support/sse.ts';

const image: ImagePart = { type: 'image', artifactId: 'img', mediaType: 'image/png', sha256: 'ab' };
const png = Uint8Array.from([1, 2, 3]);
const tool = { name: 'grep', description: 'Searches.', parameters: { type: 'object', properties: {} } };
const call = (callId: string, argumentsText = '{"pattern":"pool"}') => ({
  type: 'tool_call' as const,
  callId,
  name: 'grep',
  arguments: argumentsText,
});

/** Families that refuse nothing of the vendor's form. */
const plain = { 'openai-chat': 'xai', 'openai-responses': 'xai', anthropic: 'anthropic' } as const;

async function sentBy(
  wire: Wire,
  overrides: Partial<ModelRequest> & { messages: Message[] },
  apiKey?: string,
): Promise<CapturedRequest> {
  const server = await startReplayServer();
  server.answer({ chunks: [toSse(wire, sampleEvents(wire))] });
  const { provider, model } = providerFor(wire, server.url, { dialect: plain[wire] });
  const options = callOptions({
    loadImage: () => Promise.resolve(png),
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  await provider.call(modelRequest({ model, ...overrides }), options);
  const [sent] = server.requests;
  if (sent === undefined) throw new Error('nothing was sent');
  return sent;
}

/** The list of messages or items of a body. */
const listOf = ({ body }: CapturedRequest): Record<string, unknown>[] =>
  Object(body['messages'] ?? body['input']);

describe.each(wires)('%s', (wire) => {
  const reply = (...content: Parameters<typeof assistant>[0]) => assistant(content, { model: models[wire] });

  test('[LOOP-11f] one call is one HTTP request, also when it fails', async () => {
    const server = await startReplayServer();
    server.answer({
      status: 503,
      chunks: ['{}'],
      headers: { 'content-type': 'application/json', 'x-should-retry': 'true' },
    });
    const { provider, model } = providerFor(wire, server.url);
    const messages = [userMessage('Go.')];
    const failed = provider.call(modelRequest({ model, messages }), callOptions());
    await expect(failed).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(1);
  });

  test("[LOOP-24] the call's key overrides the configured one; an empty one leaves it", async () => {
    const messages = [userMessage('Go.')];
    expect((await sentBy(wire, { messages }, 'fresh-key')).headers.authorization).toBe('Bearer fresh-key');
    expect((await sentBy(wire, { messages }, '')).headers.authorization).toBe('Bearer test-key');
  });

  test('an address may end with a slash and have a query', async () => {
    const server = await startReplayServer();
    server.answer({ chunks: [toSse(wire, sampleEvents(wire))] });
    const { model } = providerFor(wire, server.url);
    const speaks = { 'openai-chat': 'chat', 'openai-responses': 'responses', anthropic: 'messages' }[wire];
    const baseUrl = `${server.url}/team/?version=2`;
    const provider = createVendorProvider('own', { speaks, baseUrl, apiKey: 'k' });
    const asked: unknown[] = [];
    const watched: typeof fetch = (input, init) => (asked.push(input), fetch(input, init));
    await provider.call(
      modelRequest({ model, messages: [userMessage('Go.')] }),
      callOptions({ fetch: watched }),
    );
    const path = { chat: '/chat/completions', responses: '/responses', messages: '/v1/messages' }[speaks];
    expect(asked).toEqual([`${server.url}/team${path}?version=2`]);
  });

  test('[LOOP-25a] temperature, output limit and headers go with the request', async () => {
    const messages = [userMessage('Go.')];
    // models that think unasked get room for it on top
    const model = wire === 'anthropic' ? models[wire] : { ...models[wire], id: 'gpt-4.1' };
    const { body, headers } = await sentBy(wire, {
      model,
      messages,
      temperature: 0.2,
      maxResponseTokens: 77,
      headers: { 'x-team': 'ops' },
    });
    expect(body['temperature']).toBe(0.2);
    expect(headers['x-team']).toBe('ops');
    const limit = body['max_tokens'] ?? body['max_completion_tokens'] ?? body['max_output_tokens'];
    expect(limit).toBe(77);
  });

  test('[MSG-03a] the text stands before the images, in order', async () => {
    const sent = await sentBy(wire, { messages: [userMessage('See:', 'prompt', [image, image])] });
    const content = Object(listOf(sent).at(-1)?.['content']) as { type: string }[];
    expect(content.map(({ type }) => (type.includes('image') ? 'image' : 'text'))).toEqual([
      'text',
      'image',
      'image',
    ]);
    expect(sent.text).toContain(Buffer.from(png).toString('base64'));
  });

  test("[MSG-06a] a result's text and image reach the model, its details do not", async () => {
    const result = toolResult('call_a', 'found it', {
      content: [{ type: 'text', text: 'found it' }, image],
      details: { secretDetail: 1 },
      artifactId: 'full-output',
    });
    const { text } = await sentBy(wire, {
      tools: [tool],
      messages: [userMessage('Go.'), reply(call('call_a')), result],
    });
    expect(text).toContain('found it');
    expect(text).toContain(Buffer.from(png).toString('base64'));
    expect(text).not.toMatch(/secretDetail|full-output|terminate/);
  });

  test("[TOOL-06d] an error result carries the wire's flag, or the prefix exactly once", async () => {
    const results = [
      toolResult('call_a', 'Unknown tool grap', { isError: true }),
      toolResult('call_b', 'Error: gone', { isError: true }),
      toolResult('call_c', 'fine'),
    ];
    const messages = [userMessage('Go.'), reply(call('call_a'), call('call_b'), call('call_c')), ...results];
    const { text } = await sentBy(wire, { tools: [tool], messages });
    const flagged = wire === 'anthropic';
    expect(text.match(/"is_error":true/g)?.length ?? 0).toBe(flagged ? 2 : 0);
    expect(text.includes('Error: Unknown tool grap')).toBe(!flagged);
    expect(text).not.toContain('Error: Error:');
    expect(text).not.toContain('Error: fine');
  });

  test('[TOOL-16d] tools are kept when none may be chosen, so that the prefix stays; without tools there is no such field', async () => {
    const messages = [userMessage('Go.')];
    const none = await sentBy(wire, { messages, tools: [tool], toolChoice: 'none' });
    const auto = await sentBy(wire, { messages, tools: [tool] });
    expect(none.body['tools']).toEqual(auto.body['tools']);
    expect(none.body['tool_choice']).toEqual(wire === 'anthropic' ? { type: 'none' } : 'none');
    expect((await sentBy(wire, { messages })).body).not.toHaveProperty('tools');
  });

  test('[MSG-02b] each request extends the one before, byte for byte', async () => {
    const turns = [1, 2, 3].flatMap((turn): Message[] => [
      reply({ type: 'text', text: `Turn ${turn}` }, call(`call_${turn}`, '{ "b": 1,  "a": 2 }')),
      toolResult(`call_${turn}`, `result ${turn}`),
      userMessage(`steer ${turn}`, 'steer'),
    ]);
    let before = '';
    for (let count = 0; count <= turns.length; count += 3) {
      const messages = [userMessage('Go.'), ...turns.slice(0, count)];
      const { text } = await sentBy(wire, { tools: [tool], messages, temperature: 0 });
      expect(text.startsWith(before)).toBe(true);
      before = text.slice(0, text.lastIndexOf(']'));
    }
  });

  test('[FAULT-74] a transcript of another model is sent in this one’s form', async () => {
    const foreign = assistant(
      [
        { type: 'thinking', text: 'Pool?', signature: 'sig' },
        { type: 'thinking', text: '', signature: 'blob', redacted: true },
        call('functions.grep:0|with a very long tail that no provider would take as an id at all, really'),
      ],
      { model: { provider: 'elsewhere', id: 'k3' } },
    );
    const result = toolResult(
      call('functions.grep:0|with a very long tail that no provider would take as an id at all, really')
        .callId,
      'ok',
    );
    const { text } = await sentBy(wire, { tools: [tool], messages: [userMessage('Go.'), foreign, result] });
    expect(text).toContain('Pool?');
    expect(text).not.toMatch(/"sig"|blob|functions\.grep:0\|/);
  });

  test('[MSG-11a] nothing speaks as the system behind the first place, whoever said it', async () => {
    const messages = [
      userMessage('Go.', 'seed'),
      userMessage('Look there.', 'steer'),
      userMessage('You repeat yourself.', 'injected'),
      { role: 'custom' as const, kind: 'alert', data: { level: 'high' } },
    ];
    const roles = listOf(await sentBy(wire, { messages })).map(({ role }) => role);
    expect(roles.slice(1)).not.toContain('system');
    expect(roles.slice(1)).not.toContain('developer');
    expect(roles.filter((role) => role === 'user')).toHaveLength(3);
  });

  test('[MSG-11b] two user messages in a row stay two', async () => {
    const before = listOf(await sentBy(wire, { messages: [userMessage('One.')] })).length;
    const messages = [userMessage('One.'), userMessage('Two.', 'steer')];
    expect(listOf(await sentBy(wire, { messages }))).toHaveLength(before + 1);
  });

  test.each(['{"pattern":"po', '"po"', '["po"]', 'po'])(
    '[LOOP-16] [FAULT-61] [FAULT-62] arguments that are no object (%s) go back in one, so that no server refuses the turns after',
    async (broken) => {
      const messages = [
        userMessage('Go.'),
        reply(call('call_a', broken), call('call_b', '')),
        toolResult('call_a', 'Arguments may be cut off.', { isError: true }),
        toolResult('call_b', ''),
      ];
      const sent = await sentBy(wire, { tools: [tool], messages });
      expect(sent.refusal).toBeUndefined();
      expect(argumentsIn(sent)).toEqual([{ raw_arguments: broken }, {}]);
    },
  );

  test('arguments nested without end go back as text', async () => {
    const deep = `{"pattern":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const result = toolResult('call_a', 'Too deep.', { isError: true });
    const messages = [userMessage('Go.'), reply(call('call_a', deep)), result];
    expect(argumentsIn(await sentBy(wire, { tools: [tool], messages }))).toEqual([{ raw_arguments: deep }]);
  });

  test('the call of a tool that there is not goes back under a name that servers accept', async () => {
    const wrong = { ...call('call_a'), name: 'functions.grep {"x"}'.padEnd(80, '!') };
    const messages = [
      userMessage('Go.'),
      reply(wrong, { ...call('call_b'), name: '' }),
      toolResult('call_a', 'Unknown tool'),
    ];
    expect((await sentBy(wire, { tools: [tool], messages })).refusal).toBeUndefined();
  });

  test('whole arguments go back byte for byte', async () => {
    const text = '{ "pattern":  "pool" }';
    const messages = [userMessage('Go.'), reply(call('call_a', text)), toolResult('call_a', '')];
    const sent = await sentBy(wire, { tools: [tool], messages });
    if (wire === 'anthropic') expect(argumentsIn(sent)).toEqual([{ pattern: 'pool' }]);
    else expect(sent.text).toContain(JSON.stringify(text));
  });
});

/** Of every call in a body, parsed. */
function argumentsIn(sent: CapturedRequest): unknown[] {
  return listOf(sent).flatMap((message): unknown[] => {
    if (message['type'] === 'function_call') return [JSON.parse(String(message['arguments']))];
    const calls = Object(message['tool_calls'] ?? []) as { function: { arguments: string } }[];
    const blocks = Array.isArray(message['content']) ? message['content'] : [];
    return [
      ...[...calls].map((one) => JSON.parse(one.function.arguments) as unknown),
      ...blocks.flatMap((block) => (block.type === 'tool_use' ? [block.input] : [])),
    ];
  });
}

describe('Anthropic', () => {
  const reply = assistant([call('call_a'), call('call_b')], { model: models.anthropic });
  const batch = [userMessage('Go.'), reply, toolResult('call_b', '2'), toolResult('call_a', '1')];

  test('all results of a batch stand in one user message, in the order of the calls; a steer follows in its own', async () => {
    const sent = listOf(
      await sentBy('anthropic', { tools: [tool], messages: [...batch, userMessage('And?', 'steer')] }),
    );
    expect(sent.map((message) => message['role'])).toEqual(['user', 'assistant', 'user', 'user']);
    expect(sent[2]?.['content']).toMatchObject([
      { type: 'tool_result', tool_use_id: 'call_a' },
      { type: 'tool_result', tool_use_id: 'call_b' },
    ]);
  });

  test('cache breakpoints stand on the system prompt and at request level, never inside messages', async () => {
    const { body } = await sentBy('anthropic', { tools: [tool], messages: batch });
    const marker = { type: 'ephemeral' };
    expect(body['cache_control']).toEqual(marker);
    expect(body['system']).toMatchObject([{ cache_control: marker }]);
    expect(JSON.stringify([body['messages'], body['tools']])).not.toContain('cache_control');
  });

  test('thinking allows no temperature but its own', async () => {
    const { body } = await sentBy('anthropic', { messages: batch, temperature: 0.2, thinkingLevel: 'high' });
    expect(body['thinking']).toBeDefined();
    expect(body).not.toHaveProperty('temperature');
  });
});

test('no SDK reads a key, an address or a header of its own from the environment', async () => {
  const names = [
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'OPENAI_ORG_ID',
    'OPENAI_CUSTOM_HEADERS',
    'ANTHROPIC_CUSTOM_HEADERS',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
  ];
  for (const name of [...names, 'ANTHROPIC_BASE_URL'])
    vi.stubEnv(name, 'http://from-the-environment.invalid');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const wire of wires) {
    const { headers } = await sentBy(wire, { messages: [userMessage('Go.')] });
    expect(JSON.stringify(headers)).not.toContain('from-the-environment');
  }
});

describe('[LOOP-26] thinking levels on the wire', () => {
  const limit = { maxResponseTokens: 1_000 };
  test.each<{ wire: Wire; id: string; level: ThinkingLevel; expected: Record<string, unknown> }>([
    {
      wire: 'anthropic',
      id: 'claude-sonnet-4-5',
      level: 'minimal',
      expected: { thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 2_024 },
    },
    {
      wire: 'anthropic',
      id: 'claude-haiku-4-5',
      level: 'xhigh',
      expected: { thinking: { type: 'enabled', budget_tokens: 16_384 } },
    },
    {
      wire: 'anthropic',
      id: 'claude-sonnet-4-6',
      level: 'xhigh',
      expected: { output_config: { effort: 'high' }, thinking: { type: 'adaptive', display: 'summarized' } },
    },
    {
      wire: 'anthropic',
      id: 'claude-opus-5-5',
      level: 'xhigh',
      expected: { output_config: { effort: 'xhigh' } },
    },
    {
      wire: 'anthropic',
      id: 'claude-opus-5-5',
      level: 'minimal',
      expected: { output_config: { effort: 'low' } },
    },
    {
      wire: 'anthropic',
      id: 'claude-opus-5-5',
      level: 'off',
      expected: { thinking: undefined, output_config: undefined, max_tokens: 1_000 },
    },
    { wire: 'anthropic', id: 'claude-3-5-haiku', level: 'high', expected: { thinking: undefined } },
    { wire: 'openai-chat', id: 'o4-mini', level: 'minimal', expected: { reasoning_effort: 'low' } },
    { wire: 'openai-chat', id: 'gpt-5-mini', level: 'minimal', expected: { reasoning_effort: 'minimal' } },
    { wire: 'openai-chat', id: 'gpt-5-mini', level: 'xhigh', expected: { reasoning_effort: 'high' } },
    { wire: 'openai-chat', id: 'gpt-4o', level: 'high', expected: { reasoning_effort: undefined } },
    { wire: 'openai-chat', id: 'o4-mini', level: 'off', expected: { reasoning_effort: undefined } },
    {
      wire: 'openai-responses',
      id: 'gpt-5.4',
      level: 'xhigh',
      expected: { reasoning: { effort: 'xhigh', summary: 'auto' }, include: ['reasoning.encrypted_content'] },
    },
    {
      wire: 'openai-responses',
      id: 'gpt-5.1',
      level: 'xhigh',
      expected: { reasoning: { effort: 'high', summary: 'auto' } },
    },
    {
      wire: 'openai-responses',
      id: 'gpt-4.1',
      level: 'high',
      expected: { reasoning: undefined, include: undefined },
    },
    { wire: 'openai-responses', id: 'gpt-5.4', level: 'off', expected: { reasoning: undefined } },
    { wire: 'openai-chat', id: 'gpt-oss:20b', level: 'xhigh', expected: { reasoning_effort: 'high' } },
    {
      wire: 'openai-chat',
      id: 'openai/gpt-5',
      level: 'off',
      expected: { max_tokens: 9_192, temperature: undefined },
    },
    { wire: 'openai-chat', id: 'gpt-5.1', level: 'off', expected: { temperature: 0.2 } },
    { wire: 'openai-chat', id: 'gpt-5.1', level: 'low', expected: { temperature: undefined } },
    { wire: 'openai-chat', id: 'qwen3', level: 'low', expected: { temperature: 0.2 } },
    { wire: 'openai-chat', id: 'gpt-3.5-turbo', level: 'off', expected: { max_tokens: 1_000 } },
  ])('[LOOP-26] $wire $id $level', async ({ wire, id, level, expected }) => {
    const model = { ...models[wire], id };
    const { body } = await sentBy(wire, {
      ...limit,
      model,
      thinkingLevel: level,
      temperature: 0.2,
      messages: [userMessage('Go.')],
    });
    for (const [field, value] of Object.entries(expected)) expect(body[field], field).toEqual(value);
  });
});

test('no more output is asked for than the model has', async () => {
  const model = { provider: 'anthropic', id: 'claude-opus-4-1' };
  const { body } = await sentBy('anthropic', {
    model,
    thinkingLevel: 'high',
    maxResponseTokens: 32_000,
    messages: [userMessage('Go.')],
  });
  expect(body).toMatchObject({ max_tokens: 32_000, thinking: { budget_tokens: 16_384 } });
});

test.each([
  [undefined, '/v1/responses', 'max_output_tokens'],
  ['https://api.openai.com/v1', '/v1/responses', 'max_output_tokens'],
  ['https://eu.api.openai.com/v1', '/v1/responses', 'max_output_tokens'],
  ['https://ops.openai.azure.com/openai/v1', '/openai/v1/chat/completions', 'max_completion_tokens'],
  ['https://gateway.example/v1', '/v1/chat/completions', 'max_tokens'],
])('[LOOP-25a] openai at %s speaks what stands there', async (baseUrl, path, limit) => {
  const sent: Request[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    sent.push(new Request(input, init));
    return Promise.reject(new Error('enough'));
  };
  const provider = createVendorProvider('openai', { apiKey: 'k', baseUrl });
  const request = modelRequest({
    model: { provider: 'openai', id: 'gpt-5' },
    messages: [userMessage('Go.')],
  });
  await expect(provider.call(request, { ...callOptions(), fetch })).rejects.toThrow();
  expect(new URL(sent[0]?.url ?? '').pathname).toBe(path);
  expect(await sent[0]?.json()).toHaveProperty(limit);
});

test('[LOOP-26] what the config says of a model goes before what is known', async () => {
  const server = await startReplayServer();
  server.answer({ chunks: [toSse('openai-chat', sampleEvents('openai-chat'))] });
  const own = { thinkingLevels: ['low' as const], maxOutput: 50, images: false };
  const abilitiesOf = (id: string) => (id === 'qwen3' ? own : {});
  const { provider } = providerFor('openai-chat', server.url, { abilitiesOf });
  const messages = [userMessage('See:', 'prompt', [image])];
  const model = { provider: 'openai-chat', id: 'qwen3' };
  await provider.call(modelRequest({ model, messages, thinkingLevel: 'high' }), callOptions());
  expect(server.requests[0]?.body).toMatchObject({ reasoning_effort: 'low', max_tokens: 50 });
  expect(server.requests[0]?.text).not.toContain('image_url');
});

test('[MSG-08d] a text-only model gets a placeholder for an image', async () => {
  const model = { provider: 'openai-chat', id: 'gpt-3.5-turbo' };
  const { text } = await sentBy('openai-chat', { model, messages: [userMessage('See:', 'prompt', [image])] });
  expect(text).toContain('this model cannot see images');
  expect(text).not.toContain('image_url');
});
