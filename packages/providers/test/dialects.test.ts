// One row a family: its server takes the first request, although the request has all that the family refuses.
import { describe, expect, test } from 'vitest';
import { assistant, toolResult } from '../../../test/support/model-calls.ts';
import { startReplayServer } from '../../../test/support/replay-server.ts';
import { sampleEvents } from '../../../test/support/sample-streams.ts';
import { toSse } from '../../../test/support/sse.ts';
import { caller, startStrictServer } from '../../../test/support/strict-model-server.ts';
import type { Rule, Sent } from '../../../test/support/strict-model-server.ts';
import type { DialectName } from '../src/dialects.ts';
import { userMessage } from '@holdfast/vocabulary/messages';
import type { Message } from '@holdfast/vocabulary/messages';

const tools = [
  {
    name: 'grep',
    description: 'Searches.',
    parameters: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        const: { type: 'string' },
        lines: { type: 'integer', exclusiveMinimum: 0 },
        kind: { const: 'log' },
      },
    },
  },
];
const call = (callId: string) => ({ type: 'tool_call' as const, callId, name: 'grep', arguments: '{}' });
const elsewhere = { model: { provider: 'elsewhere', id: 'big' } };

/** Two users in a row, calls of another model with the ids of its kind, and a person's word after results. */
const messages: Message[] = [
  userMessage('Go.'),
  userMessage('Look there first.', 'steer'),
  assistant([call('functions.grep:0'), call('call_PTLP8xhu3uwZk4l3nlnrrJha')], elsewhere),
  toolResult('functions.grep:0', 'found'),
  toolResult('call_PTLP8xhu3uwZk4l3nlnrrJha', 'nothing'),
  userMessage('And now?', 'steer'),
];
const answer = { type: 'object', properties: {} };
const whole = { messages, tools, outputSchema: answer };

const roles = ({ messages: sent }: Sent) => sent.map(({ role }) => String(role));
const neighbours = (sent: Sent) => roles(sent).map((role, at) => `${roles(sent)[at - 1]}>${role}`);
const idsOf = ({ messages: sent }: Sent): string[] =>
  sent.flatMap(({ tool_calls = [] }) => (tool_calls as { id: string }[]).map(({ id }) => id));
const answered = ({ messages: sent }: Sent): string[] =>
  sent.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => String(tool_call_id));

/** Each rule refuses one thing, in the words of the family. */
const without =
  (...names: string[]): Rule =>
  ({ body }) => {
    const found = names.find((name) => name in body);
    return found === undefined ? undefined : { body: { error: { message: `no ${found} here` } } };
  };
const turns: Rule = (sent) =>
  neighbours(sent).includes('user>user')
    ? {
        body: { object: 'error', message: 'Conversation roles must alternate user/assistant/user/assistant' },
      }
    : undefined;
const nineIds: Rule = (sent) =>
  idsOf(sent).every((id) => /^[a-zA-Z0-9]{9}$/.test(id))
    ? undefined
    : { body: { message: 'Tool call id was x but must be a-z, A-Z, 0-9, with a length of 9.' } };
const bridged: Rule = (sent) =>
  neighbours(sent).includes('tool>user')
    ? { body: { message: "Unexpected role 'user' after role 'tool'", code: '3230' } }
    : undefined;
const shortIds: Rule = (sent) =>
  idsOf(sent).every((id) => id.length <= 40)
    ? undefined
    : { body: { error: { message: 'string too long' } } };
const plainIds: Rule = (sent) =>
  idsOf(sent).every((id) => /^[\w-]+$/.test(id)) ? undefined : { body: { message: 'toolUseId: pattern' } };
const words =
  (...unknown: string[]): Rule =>
  ({ body }) => {
    const found = unknown.find((word) => JSON.stringify(body['tools']).includes(`"${word}":`));
    const message = `Invalid JSON payload received. Unknown name "${found}" at 'tools[0]': Cannot find field.`;
    return found === undefined ? undefined : { body: [{ error: { code: 400, message } }] };
  };

type Family = { name: DialectName; baseUrl?: string; modelId?: string; rules: Rule[] };
const families: Family[] = [
  { name: 'openai', baseUrl: 'https://eu.api.openai.com/v1', rules: [without('max_tokens'), shortIds] },
  { name: 'azure', baseUrl: 'https://house.openai.azure.com/openai/v1', rules: [without('max_tokens')] },
  {
    name: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    rules: [words('$schema', 'exclusiveMinimum'), without('max_completion_tokens')],
  },
  {
    name: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    modelId: 'mistral-large-latest',
    rules: [without('stream_options', 'max_completion_tokens'), nineIds, bridged],
  },
  { name: 'deepseek', baseUrl: 'https://api.deepseek.com/v1', rules: [without('response_format')] },
  { name: 'xai', baseUrl: 'https://api.x.ai/v1', rules: [without('reasoning_effort')] },
  { name: 'groq', baseUrl: 'https://api.groq.com/openai/v1', rules: [without('store')] },
  { name: 'openrouter', baseUrl: 'https://openrouter.ai/api/v1', rules: [turns] },
  { name: 'litellm', rules: [turns] },
  {
    name: 'bedrock',
    baseUrl: 'https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1',
    rules: [turns, plainIds],
  },
  { name: 'vllm', rules: [turns] },
  { name: 'sglang', rules: [turns] },
  { name: 'llama.cpp', rules: [turns] },
  { name: 'ollama', baseUrl: 'http://house:11434/v1', rules: [turns, without('max_completion_tokens')] },
];

const all =
  (rules: Rule[]): Rule =>
  (sent) =>
    rules.map((rule) => rule(sent)).find((refused) => refused !== undefined);

describe('[MODEL-01] the row of a family', () => {
  test.each(families)(
    '[MODEL-01a] $name takes the first request',
    async ({ name, baseUrl, modelId = 'house-model', rules }) => {
      const { url, sent } = await startStrictServer(all(rules));
      const ask = caller(url, 'openai-chat', baseUrl === undefined ? { dialect: name } : { baseUrl });
      await ask({ ...whole, model: { provider: 'openai-chat', id: modelId } });
      expect(sent).toHaveLength(1);
      expect(sent.map(answered)).toEqual(sent.map(idsOf));
      expect(JSON.stringify(sent[0]?.body)).toContain('Look there first.');
    },
  );

  test.each(families.filter(({ baseUrl }) => baseUrl !== undefined))(
    '[MODEL-01b] the key dialect of a provider or a model chooses $name where the host does not',
    async ({ name, modelId = 'house-model', rules }) => {
      const { url, sent } = await startStrictServer(all(rules));
      const request = { ...whole, model: { provider: 'openai-chat', id: modelId } };
      await caller(url, 'openai-chat', { dialect: name })(request);
      await caller(url, 'openai-chat', { dialect: 'xai', abilitiesOf: () => ({ dialect: name }) })(request);
      expect(sent).toHaveLength(2);
    },
  );

  test('[MODEL-01b] a model of Mistral is known by its name behind any host, and the host keeps its own cells', async () => {
    const { url, sent } = await startStrictServer(all([nineIds, bridged, turns]));
    const ask = caller(url, 'openai-chat');
    for (const id of ['mistral', 'mistralai/Devstral-Small-2507', 'mixtral:8x7b'])
      await ask({ ...whole, model: { provider: 'openai-chat', id } });
    expect(sent).toHaveLength(3);
    // vLLM counts tokens only when it is asked to
    expect(sent[0]?.body).toHaveProperty('stream_options');
  });

  test('[MODEL-01c] refuses of a model adds a cell', async () => {
    const { url, sent } = await startStrictServer(without('stream_options', 'response_format', 'max_tokens'));
    const refuses = ['stream_options', 'response_format', 'max_tokens'];
    await caller(url, 'openai-chat', { abilitiesOf: () => ({ refuses }) })(whole);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({ max_completion_tokens: 1_024 });
  });

  test('a word of a schema is left out of schemas, never a parameter of that name; const becomes enum', async () => {
    const { url, sent } = await startStrictServer(words('$schema', 'exclusiveMinimum'));
    await caller(url, 'openai-chat', { dialect: 'gemini' })(whole);
    expect(sent[0]?.body['tools']).toMatchObject([
      {
        function: {
          parameters: {
            properties: { const: { type: 'string' }, lines: { type: 'integer' }, kind: { enum: ['log'] } },
          },
        },
      },
    ]);
  });
});

describe('[MODEL-06] [MODEL-07] a conversation that moves to a stricter server', () => {
  test('[MODEL-06a] ids of another model, missing and repeated ones, are paired and equal in every request', async () => {
    const { url, sent } = await startStrictServer(all([nineIds, bridged, turns]));
    const ask = caller(url, 'house', { speaks: 'chat' });
    const model = { provider: 'house', id: 'mistral' };
    const turn = (id: string) => [assistant([call(id)], elsewhere), toolResult(id, 'ok')];
    const view = ['call_PTLP8xhu3uwZk4l3nlnrrJha', 'call_0', 'call_0', ''].flatMap(turn);
    for (const length of [2, 4, 8])
      await ask({ messages: [userMessage('Go.'), ...view.slice(0, length)], model });
    const [first = [], , last = []] = sent.map(idsOf);
    expect(sent).toHaveLength(3);
    expect(last.slice(0, 1)).toEqual(first);
    expect(new Set(last).size).toBe(4);
    expect(sent.map(answered)).toEqual(sent.map(idsOf));
  });

  test('[MODEL-07a] two steers in a row, and the pictures of tools before them, are one message of the user', async () => {
    const { url, sent } = await startStrictServer(turns);
    const image = { type: 'image' as const, artifactId: 'i', mediaType: 'image/png', sha256: 'ab' };
    const seen = toolResult('call_a1', 'seen', { content: [{ type: 'text', text: 'seen' }, image] });
    await caller(
      url,
      'openai-chat',
    )({
      messages: [
        userMessage('Go.'),
        assistant([call('call_a1')]),
        seen,
        userMessage('Look at the pool.', 'steer'),
        userMessage('And at the disk.', 'steer'),
      ],
    });
    expect(sent[0]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [
        { text: 'Images from the tool results above:' },
        { type: 'image_url' },
        { text: 'Look at the pool.' },
        { text: 'And at the disk.' },
      ],
    });
    await caller(url, 'openai-chat')({ messages: [userMessage('Go.'), userMessage('Now.', 'steer')] });
    expect(sent[1]?.messages.at(-1)).toEqual({ role: 'user', content: 'Go.\nNow.' });
  });

  test('[MODEL-07a] on Messages they are one message too, with the results before them', async () => {
    const { url, sent } = await startStrictServer(turns);
    await caller(url, 'anthropic')(whole);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.messages).toMatchObject([
      { role: 'user', content: [{ text: 'Go.' }, { text: 'Look there first.' }] },
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'tool_result' }, { type: 'tool_result' }, { text: 'And now?' }] },
    ]);
  });

  test.each([
    ['OpenAI', 'https://api.openai.com/v1', 1],
    ['a gateway before it', 'https://gateway.example/v1', 2],
  ])(
    '[MODEL-06b] Responses: %s gets no own id that is too long for it, paired and equal in every request',
    async (_, baseUrl, requests) => {
      const server = await startReplayServer();
      const reply = { chunks: [toSse('openai-responses', sampleEvents('openai-responses'))] };
      const words =
        "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 69 instead.";
      const error = { message: words, type: 'invalid_request_error', code: 'string_above_max_length' };
      const refused = { status: 400, chunks: [JSON.stringify({ error })], unchecked: true };
      if (requests === 2) server.answer({ ...refused, headers: { 'content-type': 'application/json' } });
      server.answer(reply, reply);
      const ask = caller(server.url, 'openai', { baseUrl, speaks: 'responses' });
      const model = { provider: 'openai', id: 'gpt-5.1' };
      const long = `call_${'a1'.repeat(32)}`;
      const turn = (id: string) => [assistant([call(id)], { model }), toolResult(id, 'ok')];
      const view = [userMessage('Go.'), ...turn(long), ...turn('call_b2')];
      await ask({ messages: view.slice(0, 3), model });
      await ask({ messages: view, model });
      const ids = server.requests
        .slice(requests - 1)
        .map(({ body }) => Object(body['input']).flatMap(({ call_id = [] }) => call_id));
      const [[first]] = ids;
      expect(first).toMatch(/^call_[\w-]{1,59}$/);
      expect(ids).toEqual([
        [first, first],
        [first, first, 'call_b2', 'call_b2'],
      ]);
    },
  );

  test('[MODEL-07b] the words of a person never enter the result of a tool', async () => {
    const { url, sent } = await startStrictServer(bridged);
    await caller(url, 'openai-chat', { dialect: 'mistral' })(whole);
    expect(sent[0]?.messages.slice(-3)).toMatchObject([
      { role: 'tool', content: 'nothing' },
      { role: 'assistant' },
      { role: 'user', content: 'And now?' },
    ]);
  });
});

describe('[MODEL-03] words of schemas', () => {
  const parameters = {
    type: 'object',
    title: 'Query',
    properties: {
      title: { type: 'string', format: 'date', enum: ['a'] },
      place: { enum: [{ title: 'x', format: 'y' }], default: { title: 'x' } },
    },
    dependentRequired: { title: ['place'] },
    required: ['title'],
  };
  const { title: _, ...rest } = parameters;
  const fitted = { ...rest, properties: { ...rest.properties, title: { type: 'string', enum: ['a'] } } };
  const abilitiesOf = () => ({ refuses: ['title', 'format'] });
  const request = {
    tools: [{ name: 'grep', description: 'Searches.', parameters }],
    outputSchema: parameters,
  };

  test('[MODEL-03i] go out of schemas only: not out of their values, and not with the form of answers', async () => {
    const { url, sent } = await startStrictServer(() => undefined);
    await caller(url, 'openai-chat', { dialect: 'xai', abilitiesOf })(request);
    await caller(url, 'anthropic', { abilitiesOf })(request);
    const answers = () => caller(url, 'openai', { speaks: 'responses', abilitiesOf })(request);
    // the server speaks another wire, but has seen the request
    await answers().catch(() => undefined);
    const [chat, messages, responses] = sent.map(({ body }) => body);
    expect(chat).toMatchObject({ tools: [{ function: { parameters: fitted } }] });
    expect(chat).toHaveProperty('response_format.json_schema.schema', fitted);
    expect(messages).toHaveProperty('tools.0.input_schema', fitted);
    expect(messages).toHaveProperty('output_config.format.type', 'json_schema');
    expect(responses).toHaveProperty('tools.0.parameters', fitted);
    expect(responses).toHaveProperty('text.format.schema', fitted);
  });
});

test('[MODEL-03i] without alternatives their properties stay, and one without a type stays itself', async () => {
  const nothing = { type: 'null' };
  const parameters = {
    type: 'object',
    anyOf: [
      {
        required: ['url'],
        properties: { url: { oneOf: [{ type: 'string' }, nothing] }, anyOf: { type: 'string' } },
      },
      { required: ['text'], properties: { text: { type: 'string', oneOf: [{ maxLength: 9 }] } } },
    ],
    properties: { name: { type: 'string' } },
  };
  const { url, sent } = await startStrictServer(() => undefined);
  const abilitiesOf = () => ({ refuses: ['anyOf', 'oneOf'] });
  const request = { tools: [{ name: 'grep', description: 'Searches.', parameters }] };
  await caller(url, 'openai-chat', { dialect: 'xai', abilitiesOf })(request);
  expect(sent[0]?.body).toHaveProperty('tools.0.function.parameters', {
    type: 'object',
    properties: {
      url: { anyOf: [{ type: 'string' }, nothing] },
      anyOf: { type: 'string' },
      text: { type: 'string' },
      name: { type: 'string' },
    },
  });
});

describe('[MODEL-02] relatives of Anthropic', () => {
  const strict: Rule = ({ body, headers }) => {
    if (headers['anthropic-version'] !== '2023-06-01') return { body: { message: 'anthropic-version' } };
    if (!('cache_control' in body)) return undefined;
    const message = 'cache_control: Extra inputs are not permitted';
    return { body: { type: 'error', error: { type: 'invalid_request_error', message } } };
  };

  test.each<[string, { dialect?: DialectName }]>([
    ['LiteLLM before Bedrock', { dialect: 'litellm' }],
    ['a server that nobody knows', {}],
  ])('[MODEL-02a] %s gets the older version, and cache marks on blocks only', async (_, options) => {
    const { url, sent } = await startStrictServer(strict);
    await caller(url, 'anthropic', options)({ messages: [userMessage('Go.')] });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body['system']).toMatchObject([{ cache_control: { type: 'ephemeral' } }]);
    expect(sent[0]?.messages).toMatchObject([
      { content: [{ text: 'Go.', cache_control: { type: 'ephemeral' } }] },
    ]);
  });

  test('[MODEL-02b] Anthropic itself gets one mark for the whole request, and the newest version', async () => {
    const { url, sent } = await startStrictServer(() => undefined);
    await caller(url, 'anthropic', { baseUrl: 'https://api.anthropic.com' })();
    expect(sent[0]?.body).toMatchObject({ cache_control: { type: 'ephemeral' } });
    expect(sent[0]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }]);
    expect(sent[0]?.headers['anthropic-version']).not.toBe('2023-06-01');
  });

  test('[MODEL-02c] a server that refuses marks on blocks too gets none', async () => {
    const { url, sent } = await startStrictServer(({ body }) =>
      JSON.stringify(body).includes('cache_control')
        ? { body: { error: { message: 'system.0.cache_control: Extra inputs are not permitted' } } }
        : undefined,
    );
    await caller(url, 'anthropic')();
    expect(sent).toHaveLength(2);
  });
});
