// What of an agent's model options a run is frozen to.
import { describe, expect, test } from 'vitest';
import { createAssembleContext } from '../../../src/activities/context/assemble-context.ts';
import type { FrozenContext } from '../../../src/core/model/frozen-context.ts';
import { agentSpecSchema } from '../../../src/core/agent/agent-spec.schema.ts';
import type { AgentSpec } from '../../../src/core/model/agent-spec.ts';
import { parseSessionInput } from '../../../src/core/session/session-input.schema.ts';
import type { SessionInput } from '../../../src/core/model/session-input.ts';
import { checkInput } from '../../../src/worker/check-input.ts';
import { memoryStore } from '../../support/model-bench.ts';

const spec: AgentSpec = { instructions: 'Look.', tools: [], model: 'anthropic:claude-sonnet-5-5' };

function frozen(agent: Partial<AgentSpec>, input: SessionInput = {}): Promise<FrozenContext> {
  const assemble = createAssembleContext({
    agents: new Map([['investigator', { ...spec, ...agent }]]),
    tools: new Map(),
    defaultModel: 'openai:gpt-5.1',
    models: { 'openai:local': { contextWindow: 9_000 } },
    modelQueues: { anthropic: 'models-anthropic' },
    artifacts: memoryStore(),
    searchAttributes: [],
  });
  return assemble({ sessionId: 's', runId: 'r', input });
}

describe('models of a run', () => {
  test('[LOOP-13] fallbacks keep their order and have their own prices and windows', async () => {
    const { fallbacks = [] } = await frozen({ fallbackModels: ['openai:gpt-5.1', 'openai:local'] });
    expect(fallbacks).toMatchObject([
      { model: { provider: 'openai', id: 'gpt-5.1' }, prices: { input: expect.any(Number) } },
      { model: { provider: 'openai', id: 'local' }, contextWindow: 9_000 },
    ]);
  });

  test('the start input wins over the agent; purposes add up', async () => {
    const context = await frozen(
      { fallbackModels: ['openai:a'], purposeModels: { condense: 'openai:b' }, maxRetries: 1 },
      { fallbackModels: [], purposeModels: { extract: 'openai:c' }, maxRetries: 2 },
    );
    expect(context).not.toHaveProperty('fallbacks');
    expect(context.purposes).toMatchObject({
      condense: { model: { id: 'b' } },
      extract: { model: { id: 'c' } },
    });
    expect(context.settings).toMatchObject({ maxRetries: 2 });
    expect(context.settings).not.toHaveProperty('fallbackModels');
  });

  test('the queue is that of the first model’s provider', async () => {
    expect(await frozen({})).toMatchObject({ modelTaskQueue: 'models-anthropic' });
    expect(await frozen({ model: 'openai:gpt-5.1' })).not.toHaveProperty('modelTaskQueue');
  });
});

describe('as they are written', () => {
  test('[LOOP-25] apiKey and reasoning in streamOptions are no mistake', () => {
    const streamOptions = { temperature: 0, maxTokens: 5, apiKey: 'x', reasoning: 'high' };
    expect(agentSpecSchema.safeParse({ ...spec, streamOptions }).success).toBe(true);
    expect(() => parseSessionInput({ prompt: 'go', streamOptions: { temprature: 0 } })).toThrow('temprature');
  });

  test('[LOOP-13] a fallback that is no model, or a failure that is none, is refused by name', () => {
    expect(() => parseSessionInput({ prompt: 'go', fallbackModels: ['gpt'] })).toThrow('fallbackModels');
    expect(() => parseSessionInput({ prompt: 'go', fallbackOn: ['Model.Slow'] })).toThrow('fallbackOn');
  });

  test('a fallback whose provider this worker lacks is found before the start', () => {
    const known = {
      agents: new Map([['investigator', { ...spec, fallbackModels: ['openai:gpt-5.1'] }]]),
      tools: new Set<string>(),
      toolGroups: new Set<string>(),
      hooks: new Map(),
      providers: new Set(['anthropic']),
      missing: new Map([['openai', 'set OPENAI_API_KEY.']]),
      model: 'anthropic:claude-sonnet-5-5',
    };
    expect(() => checkInput({ prompt: 'go' }, known)).toThrow(
      'Model openai:gpt-5.1 cannot be used: set OPENAI_API_KEY.',
    );
    expect(() => checkInput({ prompt: 'go', fallbackModels: [] }, known)).not.toThrow();
  });
});
