// A server that no row knows: its refusal names what it does not take, and the next request is without it.
import { describe, expect, test } from 'vitest';
import { assistant, callOptions, modelRequest, toolResult } from '../../../test/support/model-calls.ts';
import { providerFor } from '../../../test/support/providers.ts';
import { startReplayServer } from '../../../test/support/replay-server.ts';
import { sampleEvents } from '../../../test/support/sample-streams.ts';
import { toSse } from '../../../test/support/sse.ts';
import { caller, startStrictServer } from '../../../test/support/strict-model-server.ts';
import type { Refused, Sent } from '../../../test/support/strict-model-server.ts';
import { userMessage } from '@holdfast/vocabulary/messages';
import type { ModelAbilities } from '../src/vendor.ts';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';

const error = (message: string, more: object = {}): Refused => ({
  body: { error: { message, type: 'invalid_request_error', ...more } },
});
const extra = (...loc: string[]) => ({ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted' });
const has =
  (name: string) =>
  ({ body }: Sent) =>
    name in body;

/** True while the schema of a tool has one of these words at its top. */
const topOf =
  (...words: string[]) =>
  ({ body }: Sent) =>
    Object(body['tools'] ?? []).some((tool: Sent['body']) => {
      const schema = Object(tool['input_schema'] ?? Object(tool['function'])['parameters']);
      return words.some((word) => word in schema);
    });

type Case = { refused: (sent: Sent) => boolean; answer: Refused; learned: string[]; wire?: string };
/** After public reports; each server refuses as long as `refused` holds. */
const cases: Record<string, Case> = {
  'a gateway before GPT-5': {
    refused: has('max_tokens'),
    answer: error(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    ),
    learned: ['max_tokens'],
  },
  'FastAPI with its place, under message': {
    refused: has('stream_options'),
    answer: {
      status: 422,
      body: {
        object: 'error',
        message: { detail: [extra('body', 'stream_options', 'include_usage')] },
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    },
    learned: ['stream_options'],
  },
  'FastAPI with its place, as the whole body': {
    refused: has('stream_options'),
    answer: { status: 422, body: { detail: [extra('body', 'stream_options')] } },
    learned: ['stream_options'],
  },
  'an error that is JSON in a text': {
    refused: has('stream_options'),
    answer: {
      status: 422,
      body: { object: 'error', message: JSON.stringify({ detail: [extra('body', 'stream_options')] }) },
    },
    learned: ['stream_options'],
  },
  'the field behind the words': {
    refused: has('stream_options'),
    answer: error("Extra inputs are not permitted, field: 'stream_options'"),
    learned: ['stream_options'],
  },
  'a JSON pointer': {
    refused: has('stream_options'),
    answer: error('Validation error at #/stream_options: Extra inputs are not permitted'),
    learned: ['stream_options'],
  },
  'an older server of OpenAI': {
    refused: has('stream_options'),
    answer: error('Unrecognized request argument supplied: stream_options'),
    learned: ['stream_options'],
  },
  'problem details with an arrow': {
    refused: has('temperature'),
    answer: {
      status: 422,
      body: {
        type: 'urn:inference-service:problem-details:unprocessable-entity',
        detail: 'body -> temperature\n  Extra inputs are not permitted (type=extra_forbidden)',
      },
    },
    learned: ['temperature'],
  },
  'an error that is a text, in camel case': {
    refused: has('reasoning_effort'),
    answer: {
      body: {
        code: 'Client specified an invalid argument',
        error: 'Model grok-4-1-fast does not support parameter reasoningEffort.',
      },
    },
    learned: ['reasoning_effort'],
  },
  'LiteLLM with a list': {
    refused: has('temperature'),
    answer: error(
      "litellm.UnsupportedParamsError: bedrock does not support parameters: ['temperature'], for model=deepseek.r1-v1:0.",
      { code: '400', param: null },
    ),
    learned: ['temperature'],
  },
  'Bedrock behind LiteLLM, JSON in words': {
    refused: has('temperature'),
    answer: error(
      'litellm.BadRequestError: BedrockException - {"message":"This model doesn\'t support the temperature field. Remove temperature and try again."}',
    ),
    learned: ['temperature'],
  },
  'a value that is refused': {
    refused: has('temperature'),
    answer: error('invalid temperature: only 1 is allowed for this model'),
    learned: ['temperature'],
  },
  'a form of answers that is not there': {
    refused: has('response_format'),
    answer: error('This response_format type is unavailable now', { param: null }),
    learned: ['response_format'],
  },
  'a grammar beside tools': {
    refused: has('response_format'),
    answer: error('Cannot use custom grammar constraints with tools.'),
    learned: ['response_format'],
  },
  'a model that cannot think': {
    refused: has('reasoning_effort'),
    answer: error('"llama3" does not support thinking'),
    learned: ['reasoning_effort'],
  },
  'OpenRouter with the words of the server behind it': {
    refused: has('temperature'),
    answer: error('Provider returned error', {
      code: 400,
      metadata: {
        raw: JSON.stringify({ error: { message: '`temperature` is deprecated for this model.' } }),
        provider_name: 'x',
      },
    }),
    learned: ['temperature'],
  },
  'words of schemas, one after the other': {
    refused: ({ body }) => /"(\$schema|exclusiveMinimum)"/.test(JSON.stringify(body['tools'])),
    answer: {
      body: [
        {
          error: {
            code: 400,
            status: 'INVALID_ARGUMENT',
            message:
              'Invalid JSON payload received. Unknown name "$schema" at \'tools[0].function_declarations[0].parameters\': Cannot find field.\nUnknown name "exclusiveMinimum" at \'tools[0]\': Cannot find field.',
          },
        },
      ],
    },
    learned: ['$schema', 'exclusiveMinimum'],
  },
  'a template that wants turns, with the status of a broken server': {
    refused: ({ messages }) =>
      messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.['role'] === role),
    answer: {
      status: 500,
      body: { error: { code: 500, message: 'Conversation roles must alternate user/assistant' } },
    },
    learned: ['user_after_user'],
  },
  'results before a person': {
    refused: ({ messages }) =>
      messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.['role'] === 'tool'),
    answer: { body: { object: 'error', message: "Unexpected role 'user' after role 'tool'", code: '3230' } },
    learned: ['user_after_tool'],
  },
  'ids of nine letters': {
    refused: ({ body }) => JSON.stringify(body).includes('call_a1'),
    answer: {
      status: 500,
      body: { error: { message: 'Tool call id was call_a1 but must be a-z, A-Z, 0-9, with a length of 9' } },
    },
    learned: ['call_ids'],
  },
  'calls of another model before Gemini': {
    refused: ({ body }) => !JSON.stringify(body).includes('skip_thought_signature_validator'),
    answer: {
      body: [
        {
          error: {
            code: 400,
            message: 'Function call is missing a thought_signature in functionCall parts.',
          },
        },
      ],
    },
    learned: ['unsigned_calls'],
  },
  'replies of another model before DeepSeek': {
    refused: ({ messages }) =>
      messages.some((one) => one['role'] === 'assistant' && one['reasoning_content'] !== ''),
    answer: error('The `reasoning_content` in the thinking mode must be passed back to the API.', {
      param: null,
    }),
    learned: ['unreasoned_replies'],
  },
  'replies of another model before Kimi': {
    refused: ({ messages }) =>
      messages.some((one) => one['role'] === 'assistant' && one['reasoning_content'] !== ''),
    answer: error(
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    ),
    learned: ['unreasoned_replies'],
  },
  'Perplexity, with an order of its own words': {
    refused: ({ messages }) =>
      messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.['role'] === role),
    answer: error(
      'After the (optional) system message(s), user or tool message(s) should alternate with assistant.',
    ),
    learned: ['user_after_user'],
  },
  // https://github.com/Aider-AI/aider/issues/2933
  'DeepSeek: turns in words of its own': {
    refused: ({ messages }) =>
      messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.['role'] === role),
    answer: error(
      'deepseek-reasoner does not support successive user or assistant messages (messages[1] and messages[2] in your input). You should interleave the user/assistant messages in the message sequence.',
      { param: null, code: 'invalid_request_error' },
    ),
    learned: ['user_after_user'],
  },
  // https://github.com/RooCodeInc/Roo-Code/issues/274; the words of OpenAI for an unverified organization; Bedrock's
  ...Object.fromEntries(
    [
      "Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.",
      'Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.',
      'The model is unsupported for streaming.',
      'Streaming is not supported for this model',
      'this model does not support streaming',
      "This model doesn't support tool use in streaming mode.",
    ].map((words): [string, Case] => [
      `a model that answers whole, in the words: ${words}`,
      {
        refused: ({ body }) => 'stream' in body || 'stream_options' in body,
        answer: error(words, { param: 'stream', code: 'unsupported_value' }),
        learned: ['stream'],
      },
    ]),
  ),
  'Cerebras: words of a schema in braces': {
    refused: ({ body }) => JSON.stringify(body).includes('exclusiveMinimum'),
    answer: {
      body: {
        message: "Unsupported JSON schema fields: {'exclusiveMinimum', 'items'}",
        type: 'invalid_request_error',
        param: 'tools',
        code: 'wrong_api_format',
      },
    },
    learned: ['exclusiveMinimum'],
  },
  'Databricks: a field that a decoder does not know': {
    refused: has('stream_options'),
    answer: { body: { error_code: 'BAD_REQUEST', message: 'json: unknown field "stream_options"' } },
    learned: ['stream_options'],
  },
  'Databricks before Bedrock: a part of the field': {
    refused: has('stream_options'),
    answer: { body: { message: 'Stream option include_usage is not supported for this model' } },
    learned: ['stream_options'],
  },
  'NIM: parameters without quotes': {
    refused: has('temperature'),
    answer: {
      body: { message: 'Validation: Unsupported parameter(s): temperature', type: 'Bad Request', code: 400 },
    },
    learned: ['temperature'],
  },
  'Copilot: the value before the words': {
    refused: has('reasoning_effort'),
    answer: error('reasoning_effort "high" was provided, but model gpt-4o does not support reasoning effort'),
    learned: ['reasoning_effort'],
  },
  'Copilot: the field in plain words': {
    refused: has('reasoning_effort'),
    answer: error("Reasoning effort 'low' is not supported for model 'claude-haiku-4.5'"),
    learned: ['reasoning_effort'],
  },
  'Qwen: a form of answers beside thinking': {
    refused: has('response_format'),
    answer: error('Json mode response is not supported when enable_thinking is true'),
    learned: ['response_format'],
  },
  'Bedrock: a key in brackets': {
    refused: has('stream_options'),
    answer: {
      body: { message: 'Malformed input request: #: extraneous key [stream_options] is not permitted' },
    },
    learned: ['stream_options'],
  },
  'Ollama: calls without words': {
    refused: ({ messages }) => messages.some(({ content }) => content === null),
    answer: error('invalid message content type: <nil>'),
    learned: ['null_content'],
  },
  // https://github.com/OpenHands/OpenHands-CLI/issues/533
  'a server behind OpenRouter: calls without words': {
    refused: ({ messages }) => messages.some(({ content }) => content === null),
    answer: {
      status: 422,
      body: {
        error: {
          message: 'Provider returned error',
          code: 422,
          metadata: {
            raw: JSON.stringify({
              detail: [{ type: 'missing', loc: ['body', 'messages', 5, 'content'], msg: 'Field required' }],
            }),
          },
        },
      },
    },
    learned: ['null_content'],
  },
  'llama.cpp: limits that no grammar can hold': {
    refused: ({ body }) => JSON.stringify(body['tools']).includes('maxLength'),
    answer: error('Failed to initialize samplers: failed to parse grammar', { code: 400 }),
    learned: ['maxLength'],
  },
  'a template without a system role': {
    refused: ({ messages }) => messages.some(({ role }) => role === 'system'),
    answer: { status: 500, body: { error: { message: 'Jinja Exception: System role not supported' } } },
    learned: ['system_role'],
  },
  'Messages: a model that cannot think': {
    wire: 'anthropic',
    refused: has('thinking'),
    answer: error('"llama3" does not support thinking'),
    learned: ['thinking'],
  },
  'Messages: the effort alone': {
    wire: 'anthropic',
    refused: ({ body }) => 'effort' in Object(body['output_config']),
    answer: error('output_config.effort: Extra inputs are not permitted'),
    learned: ['effort'],
  },
  ...Object.fromEntries(
    [
      'This model does not support extended thinking.',
      'adaptive thinking is not supported on this model',
      'Thinking is not supported by this model',
      "thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'",
      "Reasoning effort 'high' is not supported for model 'claude-haiku-4.5'",
      "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      'thinking.budget_tokens: Extra inputs are not permitted',
      'budget_tokens is not supported',
    ].map((words): [string, Case] => [
      `Messages, in the words: ${words}`,
      { wire: 'anthropic', refused: has('thinking'), answer: error(words), learned: ['thinking'] },
    ]),
  ),
  'Messages: the effort in plain words': {
    wire: 'anthropic',
    refused: ({ body }) => 'effort' in Object(body['output_config']),
    answer: error('This model does not support the effort parameter.'),
    learned: ['effort'],
  },
  'Messages: a gateway that has one word for both': {
    wire: 'anthropic',
    refused: ({ body }) => has('thinking')({ body } as Sent) || 'effort' in Object(body['output_config']),
    answer: error('UnsupportedParamsError: this model does not support parameters: [reasoning_effort]'),
    learned: ['thinking', 'effort'],
  },
  'Messages: the form of answers alone': {
    wire: 'anthropic',
    refused: has('output_config'),
    answer: error('output_config.format: Extra inputs are not permitted'),
    learned: ['output_config'],
  },
  'Messages: a template that wants turns': {
    wire: 'anthropic',
    refused: ({ messages }) =>
      messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.['role'] === role),
    answer: error(
      'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    ),
    learned: ['user_after_user'],
  },
  'Messages: a field of the newest version': {
    wire: 'anthropic',
    refused: has('output_config'),
    answer: { body: { message: 'output_config: Extra inputs are not permitted' } },
    learned: ['output_config'],
  },
  'alternatives at the top of a schema, on Messages': {
    wire: 'anthropic',
    refused: topOf('oneOf', 'allOf', 'anyOf'),
    answer: error(
      'tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
    ),
    learned: ['oneOf', 'anyOf'],
  },
  'alternatives at the top of a schema': {
    refused: topOf('oneOf', 'allOf', 'anyOf'),
    answer: error(
      "Invalid schema for function 'grep': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
      { param: 'tools[0].function.parameters', code: 'invalid_function_parameters' },
    ),
    learned: ['oneOf', 'anyOf'],
  },
  'one of several that is not permitted': {
    refused: topOf('oneOf'),
    answer: error("Invalid schema for function 'grep': In context=(), 'oneOf' is not permitted."),
    learned: ['oneOf'],
  },
  'alternatives that a grammar does not know': {
    refused: topOf('oneOf', 'anyOf'),
    answer: {
      status: 500,
      body: {
        error: {
          code: 500,
          message: 'JSON schema conversion failed:\nUnrecognized schema: {"required":["n"]}',
          type: 'server_error',
        },
      },
    },
    learned: ['oneOf', 'anyOf'],
  },
};

const call = { type: 'tool_call' as const, callId: 'call_a1', name: 'grep', arguments: '{}' };
const parameters = {
  $schema: 'x',
  type: 'object',
  properties: { n: { type: 'number', exclusiveMinimum: 0 }, s: { type: 'string', maxLength: 9_000 } },
  oneOf: [{ required: ['n'] }, { required: ['s'] }],
};
const whole: Partial<ModelRequest> = {
  messages: [
    userMessage('Go.'),
    userMessage('Look there.', 'steer'),
    assistant([call], { model: { provider: 'elsewhere', id: 'big' } }),
    toolResult('call_a1', 'found'),
    userMessage('And now?', 'steer'),
  ],
  tools: [{ name: 'grep', description: 'Searches.', parameters }],
  outputSchema: { type: 'object', properties: {} },
  temperature: 0.2,
};

const effort: Partial<ModelAbilities> = { thinkingForm: 'effort' };

describe('[MODEL-03] a refusal that names a part of the request', () => {
  test.each(Object.entries(cases))(
    '[MODEL-03a] %s: asked once more without it, and never again with it',
    async (_, { refused, answer, learned, wire = 'openai-chat' }) => {
      const { url, sent } = await startStrictServer((one) => (refused(one) ? answer : undefined));
      const thinks = learned.some((name) => ['reasoning_effort', 'thinking', 'effort'].includes(name));
      const thinkingLevel = thinks ? ('high' as const) : ('off' as const);
      const abilitiesOf = () => (learned.includes('effort') ? effort : {});
      const ask = caller(url, wire, { dialect: 'xai', ...(wire === 'anthropic' && { abilitiesOf }) });
      expect(await ask({ ...whole, thinkingLevel })).toMatchObject({ refused: learned });
      expect(sent).toHaveLength(1 + learned.length);
      // said once
      expect(await ask({ ...whole, thinkingLevel })).not.toHaveProperty('refused');
      expect(sent).toHaveLength(2 + learned.length);
      const [first, last] = [sent[0], sent.at(-1)];
      const names = wire === 'anthropic' ? ['model', 'max_tokens'] : ['model'];
      for (const name of names) expect(last?.body[name]).toEqual(first?.body[name]);
      expect(last?.body).toHaveProperty('tools');
      expect(JSON.stringify(last?.messages)).toContain('And now?');
    },
  );

  // https://github.com/vllm-project/vllm/issues/25108
  test('[MODEL-03a] a template of one call in a message gets each call before its result', async () => {
    const words = 'This model only supports single tool-calls at once!';
    const { url, sent } = await startStrictServer(({ messages }) =>
      messages.some((one) => Object(one['tool_calls']).length > 1)
        ? { body: { object: 'error', message: `${words} ${words}`, type: 'BadRequestError', code: 400 } }
        : undefined,
    );
    const ids = ['call_a1', 'call_b2', 'call_c3'];
    const calls = ids.map((callId) => ({ ...call, callId }));
    const messages = [
      userMessage('Go.'),
      assistant([{ type: 'text', text: 'I look.' }, ...calls]),
      ...ids.map((id) => toolResult(id, `found ${id}`)),
      assistant([
        { type: 'text', text: 'And there.' },
        { ...call, callId: 'call_d4' },
      ]),
      toolResult('call_d4', 'found'),
    ];
    expect(await caller(url, 'openai-chat')({ messages })).toMatchObject({ refused: ['parallel_calls'] });
    expect(sent).toHaveLength(2);
    const turn = (id: string, content: string | null) => [
      { role: 'assistant', content, tool_calls: [{ id }] },
      { role: 'tool', tool_call_id: id },
    ];
    expect(sent.at(-1)?.messages.slice(2)).toMatchObject([
      ...turn('call_a1', 'I look.'),
      ...turn('call_b2', null),
      ...turn('call_c3', null),
      ...turn('call_d4', 'And there.'),
    ]);
  });

  test('[MODEL-03a] a model that does not stream is asked for its reply whole', async () => {
    const whole = {
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Found.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    };
    const words = 'Your organization must be verified to stream this model.';
    const { url, sent } = await startStrictServer(({ body }) =>
      'stream' in body ? error(words, { param: 'stream' }) : { status: 200, body: whole },
    );
    const ask = caller(url, 'openai-chat');
    const message = {
      content: [{ type: 'text', text: 'Found.' }],
      stopReason: 'stop',
      usage: { input: 7, output: 3 },
    };
    expect(await ask()).toMatchObject({ message, refused: ['stream'] });
    expect(await ask()).toMatchObject({ message });
    expect(sent).toHaveLength(3);
    expect(sent.at(-1)?.body).not.toHaveProperty('stream_options');
  });

  test('[MODEL-03a] the output limit keeps its value under its other name', async () => {
    const { url, sent } = await startStrictServer((one) =>
      has('max_tokens')(one) ? cases['a gateway before GPT-5']?.answer : undefined,
    );
    await caller(url, 'openai-chat')();
    expect(sent.at(-1)?.body).toMatchObject({ max_completion_tokens: 1_024 });
  });

  test('[MODEL-03a] max_completion_tokens becomes max_tokens, with the same value', async () => {
    const { url, sent } = await startStrictServer((one) =>
      has('max_completion_tokens')(one)
        ? error('Unrecognized request argument supplied: max_completion_tokens')
        : undefined,
    );
    const reply = await caller(url, 'openai-chat', { dialect: 'openai' })();
    expect(reply).toMatchObject({ refused: ['max_completion_tokens'] });
    expect(sent.map(({ body }) => body['max_tokens'])).toEqual([undefined, 1_024]);
  });

  test.each([401, 403, 404, 408, 429, 503, 529])(
    '[MODEL-03f] the status %i teaches nothing',
    async (status) => {
      const { url, sent } = await startStrictServer(() => ({
        ...error('Roles must alternate user/assistant, and this model does not support thinking.'),
        status,
      }));
      await expect(caller(url, 'openai-chat', { dialect: 'xai' })(whole)).rejects.toMatchObject({ status });
      expect(sent).toHaveLength(1);
    },
  );

  test.each([
    'messages.1.content.0.type: Expected `thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.',
    'messages.1.content.0.thinking: each thinking block must contain thinking',
    'messages.1.content.0.thinking is not supported',
    "Invalid value at 'contents[1].parts[0]': the field `thinking` is unknown",
  ])('[MODEL-03g] a place in the messages teaches nothing of the request: %s', async (words) => {
    const { url, sent } = await startStrictServer(() => error(words));
    const ask = caller(url, 'anthropic');
    await expect(ask({ thinkingLevel: 'high' })).rejects.toThrow(words.slice(0, 20));
    expect(sent).toHaveLength(1);
  });

  test('[MODEL-03h] a name that changes nothing is not tried, and at most three others are', async () => {
    const { url, sent } = await startStrictServer(() =>
      error(
        "Unknown names: 'include', 'uniqueItems', 'thinking', 'stream_options', 'tool_choice', 'temperature', 'response_format', '$schema'",
      ),
    );
    await expect(caller(url, 'openai-chat', { dialect: 'xai' })(whole)).rejects.toThrow('Unknown names');
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(4);
    expect(sent.at(-1)?.body).toHaveProperty('tools.0.function.parameters.$schema');
  });

  test('[MODEL-03b] another model of the same server is asked for itself', async () => {
    const { url, sent } = await startStrictServer((one) =>
      has('temperature')(one) && one.body['model'] === 'small'
        ? error("'temperature' is not supported")
        : undefined,
    );
    const ask = caller(url, 'openai-chat');
    await ask({ model: { provider: 'openai-chat', id: 'small' }, temperature: 0.1 });
    await ask({ model: { provider: 'openai-chat', id: 'large' }, temperature: 0.1 });
    expect(sent.at(-1)?.body).toHaveProperty('temperature');
  });

  test.each([
    ['the model', error("Unsupported value: 'model' is unknown", { param: 'model' })],
    ['messages', error("Invalid 'messages[1].content': unsupported", { param: 'messages[1].content' })],
    ['tools', error("Unsupported parameter: 'tools' is not supported with this model", { param: 'tools' })],
    ['a field that is wanted', error('max_tokens: Field required')],
    [
      'one of the list of fields that are taken',
      error('unknown field `store`, expected one of `temperature`, `stream_options`'),
    ],
    ...['Allowed fields', 'Accepted parameters', 'Valid fields', 'Expected fields'].map(
      (list): [string, Refused] => [list, error(`Invalid request. ${list}: 'temperature', 'stream_options'`)],
    ),
    [
      'another model, of which the words speak,',
      error('This model is busy: use an alternate model for these messages.'),
    ],
    [
      'a field, where the words name a delay,',
      error("'temperature' is not supported at this rate, try again in 20s"),
    ],
    ...['is too large: 1024', 'must be at most 512', 'is greater than the maximum'].map(
      (fault): [string, Refused] => [`a limit that ${fault}`, error(`max_tokens ${fault}`)],
    ),
    ['the window', error("'max_tokens' is too large: this model's maximum context length is 8192 tokens.")],
    [
      'a field, with the status of a broken server',
      { status: 500, body: { error: { message: "'temperature' is not supported" } } },
    ],
  ])('[MODEL-03c] %s is not taken away: the refusal is the failure', async (_, answer) => {
    const { url, sent } = await startStrictServer(() => answer);
    await expect(caller(url, 'openai-chat')({ ...whole })).rejects.toMatchObject({ name: 'ProviderError' });
    expect(sent).toHaveLength(1);
  });

  test('[MODEL-03d] a field without which the request fails all the same is sent again by the next one', async () => {
    const { url, sent } = await startStrictServer(() => error("'temperature' is not supported"));
    const ask = caller(url, 'openai-chat');
    for (let count = 0; count < 2; count++) await expect(ask(whole)).rejects.toThrow('not supported');
    expect(sent.map(({ body }) => 'temperature' in body)).toEqual([true, false, true, false]);
  });

  test('[MODEL-03a] a refusal inside a stream begins the reply anew', async () => {
    const server = await startReplayServer();
    const words =
      'After the optional system message, conversation roles must alternate user and assistant roles.';
    const begun = { choices: [{ index: 0, delta: { content: 'Half' } }] };
    const refused = { error: { code: 'server_error', message: words } };
    const frames = [begun, refused].map((one) => `data: ${JSON.stringify(one)}\n\n`);
    server.answer({ chunks: frames }, { chunks: [toSse('openai-chat', sampleEvents('openai-chat'))] });
    const { provider, model } = providerFor('openai-chat', server.url, { dialect: 'xai' });
    const options = callOptions();
    const messages = [userMessage('Go.'), userMessage('Now.', 'steer')];
    expect(await provider.call(modelRequest({ model, messages }), options)).toMatchObject({
      refused: ['user_after_user'],
    });
    expect(options.restarts).toEqual([1]);
  });

  const forbidding = { ...whole, toolChoice: 'none' as const };
  test.each(['openai-chat', 'anthropic'])(
    '[MODEL-03c] %s: where calls are forbidden and tool_choice is refused, the tools go with it',
    async (wire) => {
      const { url, sent } = await startStrictServer((one) =>
        has('tool_choice')(one) ? error('tool_choice: Extra inputs are not permitted') : undefined,
      );
      const ask = caller(url, wire, { dialect: 'xai' });
      expect(await ask(forbidding)).toMatchObject({ refused: ['tool_choice'] });
      await ask(forbidding);
      expect(sent.map(({ body }) => ['tools' in body, 'tool_choice' in body])).toEqual([
        [true, true],
        [false, false],
        [false, false],
      ]);
      await ask(whole);
      expect(sent.at(-1)?.body).toHaveProperty('tools');
      const told = caller(url, wire, { dialect: 'xai', abilitiesOf: () => ({ refuses: ['tool_choice'] }) });
      await told(forbidding);
      expect(sent.at(-1)?.body).not.toHaveProperty('tools');
    },
  );

  test('[MODEL-03a] the limit of Messages is no field to leave out', async () => {
    const { url, sent } = await startStrictServer(() =>
      error('`max_tokens` must be greater than `thinking.budget_tokens`'),
    );
    await expect(caller(url, 'anthropic')()).rejects.toThrow('max_tokens');
    for (const { body } of sent) expect(body).toHaveProperty('max_tokens');
  });
});
