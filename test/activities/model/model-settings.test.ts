// What of an agent's model options a run is frozen to.
import { describe, expect, test } from 'vitest';
import { createAssembleContext } from '../../../src/activities/assembly/assemble-context.ts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { agentSpecSchema } from '../../../src/core/agent/agent-spec.schema.ts';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import { parseSessionInput } from '../../../src/core/session/session-input.schema.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
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
    const { fallbacks = [] } = await frozen({ model: { fallbacks: ['openai:gpt-5.1', 'openai:local'] } });
    expect(fallbacks).toMatchObject([
      { model: { provider: 'openai', id: 'gpt-5.1' }, prices: { input: expect.any(Number) } },
      { model: { provider: 'openai', id: 'local' }, contextWindow: 9_000 },
    ]);
  });

  test('the start input wins over the agent; purposes add up', async () => {
    const context = await frozen(
      { model: { fallbacks: ['openai:a'], purposes: { condense: 'openai:b' }, maxRetries: 1 } },
      { model: { fallbacks: [], purposes: { extract: 'openai:c' }, maxRetries: 2 } },
    );
    expect(context).not.toHaveProperty('fallbacks');
    expect(context.purposes).toMatchObject({
      condense: { model: { id: 'b' } },
      extract: { model: { id: 'c' } },
    });
    expect(context.settings).toMatchObject({ model: { maxRetries: 2 } });
    expect(context.settings.model).not.toHaveProperty('fallbacks');
  });

  test('the queue is that of the first model’s provider', async () => {
    expect(await frozen({})).toMatchObject({ modelTaskQueue: 'models-anthropic' });
    expect(await frozen({ model: 'openai:gpt-5.1' })).not.toHaveProperty('modelTaskQueue');
  });
});

describe('as they are written', () => {
  test('[LOOP-25b] apiKey and reasoning beside them are no mistake', () => {
    const model = { temperature: 0, maxResponseTokens: 5, apiKey: 'x', reasoning: 'high' };
    expect(agentSpecSchema.safeParse({ ...spec, model }).success).toBe(true);
    const misspelt = { prompt: 'go', model: { temprature: 0 } };
    expect(() => parseSessionInput(misspelt)).toThrow('temprature');
  });

  test('[LOOP-13] a fallback that is no model is refused by name', () => {
    expect(() => parseSessionInput({ prompt: 'go', model: { fallbacks: ['gpt'] } })).toThrow(
      'model.fallbacks',
    );
  });

  test('a fallback whose provider this worker lacks is found before the start', () => {
    const known = {
      agents: new Map([['investigator', { ...spec, model: { fallbacks: ['openai:gpt-5.1'] } }]]),
      tools: new Set<string>(),
      toolGroups: new Set<string>(),
      hooks: new Map(),
      destinations: [],
      providers: new Set(['anthropic']),
      missing: new Map([['openai', 'set OPENAI_API_KEY.']]),
      model: 'anthropic:claude-sonnet-5-5',
    };
    expect(() => checkInput({ prompt: 'go' }, known)).toThrow(
      'Model openai:gpt-5.1 cannot be used: set OPENAI_API_KEY.',
    );
    expect(() => checkInput({ prompt: 'go', model: { fallbacks: [] } }, known)).not.toThrow();
  });
});
