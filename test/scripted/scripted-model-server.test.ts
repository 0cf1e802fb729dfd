import { createVendorProvider } from '@holdfast/providers/vendors';
import { describe, expect, onTestFinished, test } from 'vitest';
import { classifyFailure } from '@holdfast/providers/classify-failure';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import { createScriptedProvider } from '@holdfast/providers/scripted';
import type { AssistantMessage, Message } from '@holdfast/vocabulary/messages';
import { textOf, toolCallsOf, userMessage } from '@holdfast/vocabulary/messages';
import type { ModelDelta, ModelRequest } from '@holdfast/vocabulary/model-call';
import type { ModelScript, ScriptFault } from '@holdfast/scripted-model/model-script';
import { callTool, callTools, say, scriptOf } from '../../src/testing.ts';
import { toolResult } from '../support/recorded-histories.ts';
import { startScriptedModelServer } from '@holdfast/scripted-model/scripted-model-server';
import type { ScriptedModelServer } from '@holdfast/scripted-model/scripted-model-server';

const vendors = {
  'openai-chat': (server: ScriptedModelServer) =>
    createVendorProvider('openai-chat', { apiKey: 'any', baseUrl: server.openAiBaseUrl }),
  anthropic: (server: ScriptedModelServer) =>
    createVendorProvider('anthropic', { apiKey: 'any', baseUrl: server.anthropicBaseUrl }),
};
type Vendor = keyof typeof vendors;
const names: Vendor[] = ['openai-chat', 'anthropic'];

async function serve(script: ModelScript): Promise<ScriptedModelServer> {
  const server = await startScriptedModelServer({ script });
  onTestFinished(() => server.close());
  return server;
}

function request(messages: Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: { provider: 'any', id: 'gpt-4o' },
    systemPrompt: 'You investigate.',
    messages,
    tools: ['grep', 'read'].map((name) => ({ name, description: name, parameters: { type: 'object' } })),
    toolChoice: 'auto',
    maxResponseTokens: 1_000,
    thinkingLevel: 'off',
    metadata: { sessionId: 's', agent: 'tester', runId: 'r', turn: 1, attempt: 1, purpose: 'main' },
    ...more,
  };
}

async function ask(
  provider: ModelProvider,
  given: ModelRequest,
): Promise<{ message: AssistantMessage; deltas: ModelDelta[] }> {
  const deltas: ModelDelta[] = [];
  const { message } = await provider.call(given, {
    signal: new AbortController().signal,
    onDelta: (delta) => deltas.push(delta),
    loadImage: () => Promise.reject(new Error('no images here')),
  });
  return { message, deltas };
}

const investigation = scriptOf([
  callTools(
    [
      {
        tool: 'grep',
        args: { pattern: 'Zeitüberschreitung 🙂' },
        capture: { errors: { regex: 'timeout', take: 'count' } },
      },
      { tool: 'read', args: { path: 'pool.yaml' }, capture: { pool: { regex: '^size: (\\d+)$' } } },
    ],
    { id: 'look', text: 'I look at both.', thinking: 'Where to begin?' },
  ),
  callTool(
    'read',
    { path: 'gone', lines: '{{errors}}' },
    { id: 'gone', next: [{ when: { failed: true }, goto: 'answer' }] },
  ),
  say('not reached', { id: 'not-reached' }),
  say('Pool of {{pool}}, {{errors}} timeouts. {{steered}}', {
    id: 'answer',
    usage: { input: 70, cacheRead: 30, output: 9 },
  }),
]);

/** A whole session over a provider; what the tools say is fixed. */
async function play(provider: ModelProvider): Promise<AssistantMessage[]> {
  const answers: Record<string, string> = {
    call_1_1_look: 'timeout\ntimeout',
    call_1_2_look: 'name: shop\nsize: 2',
  };
  const messages: Message[] = [userMessage('Why is checkout slow?')];
  const replies: AssistantMessage[] = [];
  for (let turn = 1; turn <= 3; turn++) {
    const { message } = await ask(provider, request(messages));
    replies.push(message);
    messages.push({ ...message, model: { provider: 'any', id: 'gpt-4o' } });
    for (const { callId, name: toolName } of toolCallsOf(message)) {
      const text = answers[callId] ?? 'no such file';
      messages.push(toolResult(callId, text, toolName, !(callId in answers)));
    }
    if (turn === 2) messages.push(userMessage('Hurry up.', 'steer'));
  }
  return replies;
}

function contentOf(message: AssistantMessage): unknown {
  return message.content.map((part) =>
    part.type === 'thinking' ? { type: part.type, text: part.text } : part,
  );
}

describe.each(names)('the scripted model over HTTP, through the SDK of %s', (vendor) => {
  test('plays the same session as in the process: text, thinking, parallel calls, captures, errors, steering', async () => {
    const overHttp = await play(vendors[vendor](await serve(investigation)));
    const inProcess = await play(createScriptedProvider(investigation));
    expect(overHttp.map(contentOf)).toEqual(inProcess.map(contentOf));
    expect(textOf(inProcess[2] ?? userMessage(''))).toBe('Pool of 2, 2 timeouts. Hurry up.');
    expect(overHttp.map(({ stopReason }) => stopReason)).toEqual(['tool_use', 'tool_use', 'stop']);
    expect(overHttp[2]?.usage).toMatchObject({ input: 70, cacheRead: 30, output: 9 });
  });

  test('streams in pieces', async () => {
    const server = await serve(scriptOf([say('A story of the pool 🙂.', { chunkChars: 4 })]));
    const { deltas } = await ask(vendors[vendor](server), request([userMessage('Hi')]));
    expect(deltas.length).toBe(6);
    expect(deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')).toBe(
      'A story of the pool 🙂.',
    );
  });

  test('a request without tools gets text; a tool that is not offered is refused with the reason', async () => {
    const provider = vendors[vendor](await serve(investigation));
    const none = await ask(provider, request([userMessage('Hi')], { toolChoice: 'none' }));
    expect(contentOf(none.message)).toEqual([
      { type: 'thinking', text: 'Where to begin?' },
      { type: 'text', text: 'I look at both.' },
    ]);
    const refused = ask(provider, request([userMessage('Hi')], { tools: [] })).catch(classifyFailure);
    expect(await refused).toMatchObject({
      type: 'Model.InvalidRequest',
      message: expect.stringContaining('calls "grep"'),
    });
  });

  const faults: ScriptFault[] = [
    { type: 'Model.RateLimit', retryAfterMs: 7_000 },
    { type: 'Model.Overloaded' },
    { type: 'Model.ServerError' },
    { type: 'Model.Connection' },
    { type: 'Model.Timeout' },
    { type: 'Model.StreamCut' },
    { type: 'Model.StreamCut', afterChars: 5 },
    { type: 'Model.StreamCut', afterChars: 5_000 },
    { type: 'Model.BadResponse' },
    { type: 'Model.Auth' },
    { type: 'Model.Quota' },
    { type: 'Model.ContextOverflow' },
    { type: 'Model.InvalidRequest' },
    { type: 'Model.NotFound' },
    { type: 'Model.Overloaded', afterChars: 5 },
  ];

  test.each(faults)('a fault arrives as what it is: %j', async (fault) => {
    const script = scriptOf([
      say('A story of the pool.', { fault: { ...fault, attempts: 1 }, chunkChars: 5 }),
    ]);
    const provider = vendors[vendor](await serve(script));
    const failure = await ask(provider, request([userMessage('Hi')])).catch((error: unknown) =>
      classifyFailure(error),
    );
    expect(failure).toMatchObject({
      type: fault.type,
      ...(fault.retryAfterMs && { retryAfterMs: fault.retryAfterMs }),
    });
    const again = await ask(provider, request([userMessage('Hi')]));
    expect(textOf(again.message)).toBe('A story of the pool.');
  });
});

describe('the server of the scripted model', () => {
  test('answers without a stream too, in both formats', async () => {
    const server = await serve(investigation);
    const chat = await fetch(`${server.openAiBaseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        messages: [{ role: 'user', content: 'Why?' }],
        tools: ['grep', 'read'].map((name) => ({ type: 'function', function: { name } })),
      }),
    });
    expect(await chat.json()).toMatchObject({
      choices: [
        {
          message: {
            content: 'I look at both.',
            tool_calls: [{ id: 'call_1_1_look' }, { id: 'call_1_2_look' }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    });
    const messages = await fetch(`${server.anthropicBaseUrl}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        max_tokens: 9,
        messages: [{ role: 'user', content: 'Why?' }],
        tools: [{ name: 'grep' }, { name: 'read' }],
      }),
    });
    expect(await messages.json()).toMatchObject({
      content: [
        { type: 'thinking' },
        { type: 'text' },
        { type: 'tool_use', input: { pattern: 'Zeitüberschreitung 🙂' } },
        { type: 'tool_use' },
      ],
      stop_reason: 'tool_use',
    });
  });

  test.each([
    ['/v1/chat/completions', '{', 'not JSON'],
    ['/v1/chat/completions', '{"model":"m","messages":[{"role":"tool","content":"x"}]}', 'tool_call_id'],
    ['/v1/messages', '{"model":"m","messages":[]}', 'messages'],
    ['/v1/elsewhere', '{}', 'Expected POST to /v1/chat/completions'],
  ])('refuses POST %s %s', async (path, body, message) => {
    const server = await serve(investigation);
    const response = await fetch(`${server.anthropicBaseUrl}${path}`, { method: 'POST', body });
    expect(response.status).toBe(path.endsWith('elsewhere') ? 404 : 400);
    expect(await response.text()).toContain(message);
  });

  test('plays the part of the model that a request names', async () => {
    const critic = scriptOf([say('I object.')]);
    const server = await serve({ ...scriptOf([say('One.')]), parts: { critic } });
    for (const name of names) {
      const model = { provider: name, id: 'critic' };
      const { message } = await ask(vendors[name](server), request([userMessage('Hi')], { model }));
      expect(textOf(message)).toBe('I object.');
    }
    expect(server.left()).toEqual(['step-1']);
  });

  test('closes at once, also in the middle of a slow reply', async () => {
    const server = await startScriptedModelServer({
      script: scriptOf([say('A long story.', { chunkMs: 600_000, chunkChars: 2 })]),
    });
    const call = vendors['openai-chat'](server).call(request([userMessage('Hi')]), {
      signal: new AbortController().signal,
      onDelta: () => void server.close(),
      loadImage: () => Promise.reject(new Error('no images here')),
    });
    await expect(call).rejects.toMatchObject({ name: 'ModelFault' });
  });

  test('rejects when its port is taken', async () => {
    const server = await serve(investigation);
    const port = Number(new URL(server.anthropicBaseUrl).port);
    await expect(startScriptedModelServer({ script: investigation, port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
