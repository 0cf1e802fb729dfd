import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import type { ModelDelta, ModelPurpose, ModelRequest } from '@holdfast/vocabulary/model-call';
import { parseModelScript } from '@holdfast/scripted-model/load-model-script';
import { ScriptedModel, callTool, say, scriptOf } from '../../../src/testing.ts';

function request(attempt = 1, agent = 'tester', purpose: ModelPurpose = 'main'): ModelRequest {
  return {
    model: { provider: 'scripted', id: 'test' },
    systemPrompt: 'You investigate.',
    messages: [userMessage('Why?')],
    tools: [{ name: 'grep', description: '', parameters: {} }],
    toolChoice: 'auto',
    maxResponseTokens: 100,
    thinkingLevel: 'off',
    metadata: { sessionId: 's', agent, runId: 'r', turn: 1, attempt, purpose },
  };
}

describe('the scripted provider', () => {
  test('[LOOP-23c] streams pieces that add up to its reply, without a network', async () => {
    const model = new ScriptedModel([
      callTool(
        'grep',
        { pattern: 'Ünïcödé 🙂 timeout' },
        { text: 'I look 🙂 first.', thinking: 'Hm, where?', chunkChars: 5 },
      ),
    ]);
    const deltas: ModelDelta[] = [];
    const { message } = await model.call(request(), { onDelta: (delta) => deltas.push(delta) });
    const joined = (type: ModelDelta['type']) =>
      deltas
        .flatMap((delta) =>
          delta.type !== type ? [] : [delta.type === 'tool_call' ? delta.argumentsDelta : delta.text],
        )
        .join('');
    expect(message.content).toEqual([
      { type: 'thinking', text: joined('thinking') },
      { type: 'text', text: joined('text') },
      { type: 'tool_call', callId: 'call_1_1_step-1', name: 'grep', arguments: joined('tool_call') },
    ]);
    expect(message).toMatchObject({ stopReason: 'tool_use', model: { id: 'test' } });
    expect(message.usage.input).toBeGreaterThan(0);
    model.assertFinished();
  });

  test('a fault throws what it names on its attempts, after the streamed part', async () => {
    const fault = { type: 'Model.RateLimit' as const, attempts: 1, retryAfterMs: 7_000, afterChars: 5 };
    const model = new ScriptedModel([say('Hello there.', { fault, chunkChars: 5 })]);
    const deltas: ModelDelta[] = [];
    const failure: unknown = await model
      .call(request(1), { onDelta: (delta) => deltas.push(delta) })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'Model.RateLimit', nextRetryDelay: 7_000, nonRetryable: false });
    expect(deltas).toEqual([{ type: 'text', text: 'Hello' }]);
    expect((await model.call(request(2))).message.content).toEqual([{ type: 'text', text: 'Hello there.' }]);
    model.assertFinished();
  });

  test('an unexpected request fails for good, and again at the end of the test', async () => {
    const model = new ScriptedModel([callTool('delete_everything')]);
    await expect(model.call(request())).rejects.toMatchObject({
      type: 'Model.InvalidRequest',
      nonRetryable: true,
    });
    expect(() => model.assertFinished()).toThrow('calls "delete_everything"');
  });

  test('steps left over fail at the end of the test', async () => {
    const model = new ScriptedModel([say('One.'), say('Two.')]);
    await model.call(request());
    expect(() => model.assertFinished()).toThrow('steps left over: step-2');
  });

  test('an agent or a purpose with a part of its own plays that, all else the script itself', async () => {
    const parts = {
      critic: scriptOf([say('I object.'), say('I agree.')]),
      planner: scriptOf([say('1. Look.')]),
    };
    const model = new ScriptedModel({ ...scriptOf([say('One.'), say('Two.')]), parts });
    const said = async (...asking: Parameters<typeof request>) =>
      textOf((await model.call(request(...asking))).message);
    expect(await said(1, 'critic')).toBe('I object.');
    expect(await said(1, 'critic', 'planner')).toBe('1. Look.');
    expect(await said()).toBe('One.');
    expect(() => model.assertFinished()).toThrow('steps left over: step-2, critic/step-2');
  });

  test('a stop reaches it between two pieces', async () => {
    const model = new ScriptedModel([say('A long story.', { chunkChars: 2, chunkMs: 60_000 })]);
    const stop = new AbortController();
    const call = model.call(request(), { signal: stop.signal, onDelta: () => stop.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a script file', () => {
  test('is YAML or JSON', () => {
    const yaml =
      'name: pool\nsteps:\n  - id: look\n    calls:\n      - tool: grep\n        args: { pattern: timeout }\n';
    const json =
      '{"name":"pool","steps":[{"id":"look","calls":[{"tool":"grep","args":{"pattern":"timeout"}}]}]}';
    expect(parseModelScript(yaml, 'pool.yaml')).toEqual(parseModelScript(json, 'pool.json'));
  });

  test.each([
    ['name: [', 'pool.yaml is not valid YAML'],
    ['name: [', 'at line 1'],
    ['name: pool\nsteps:\n  - id: look\n    nxt: end', 'steps[0]'],
  ])('%j names what is wrong', (text, message) => {
    expect(() => parseModelScript(text, 'pool.yaml')).toThrow(message);
  });
});
