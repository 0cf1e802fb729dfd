// The table of options: each has its default, its schema and its place in the settings from there.
import { expect, test } from 'vitest';
import { agentOverrideFields } from '../../../src/core/agent/agent-spec.schema.ts';
import { agentDefaults, agentOptions } from '@holdfast/vocabulary/agent-spec';
import { mergeOptions, toSettings } from '@holdfast/vocabulary/merge-options';
import { parseSessionInput } from '../../../src/core/session/session-input.schema.ts';

test('every option has a schema, which takes its default and refuses a value of another kind', () => {
  const fields: Record<string, { safeParse(value: unknown): { success: boolean } }> = agentOverrideFields;
  expect(Object.keys(fields).toSorted()).toEqual(
    [...Object.keys(agentOptions), 'instructions', 'tools'].toSorted(),
  );
  for (const [name, schema] of Object.entries(fields))
    expect(schema.safeParse(Symbol(name)).success, name).toBe(false);
  for (const [name, value] of Object.entries(agentDefaults)) {
    expect(fields[name]?.safeParse(value).success, name).toBe(true);
  }
});

test.each([
  ['loop', { maxTurns: -1 }],
  ['loop', { maxTurns: 1.5 }],
  ['loop', { toolConcurrency: 0 }],
  ['loop', { toolConcurrency: 101 }],
  ['loop', { heartbeatTimeoutMs: 999 }],
  ['loop', { onLimit: 'never' }],
  ['loop', { live: 'no' }],
  ['model', { temperature: 2.1 }],
  ['model', 'gpt'],
  ['model', { name: 'gpt' }],
  ['toolGroups', ['']],
  ['budget', { costUsd: 0 }],
  ['budget', { hours: 1 }],
  ['queues', { idleMessages: 'drop' }],
  ['condense', { keepLastN: 0 }],
] satisfies [keyof typeof agentOptions, unknown][])('%s: %j is refused', (name, value) => {
  expect(agentOverrideFields[name].safeParse(value).success).toBe(false);
});

test('a run is frozen to every option but those that are resolved for it', () => {
  const all = { ...agentDefaults, hooks: [], profile: 'main' as const, outputSchema: {} };
  const model = { name: 'openai:x', fallbacks: [], purposes: {}, temperature: 0, apiKey: 'k' };
  const promptConfig = { layout: 'xml' as const, disableBehavioralHints: true, refresh: 'turn' as const };
  expect(toSettings({ ...all, model, promptConfig, instructions: 'x', tools: ['a'] })).toEqual({
    ...agentDefaults,
    outputSchema: {},
    model: { ...agentDefaults.model, temperature: 0 },
    promptConfig: { refresh: 'turn' },
    instructions: 'x',
    tools: ['a'],
  });
  expect(agentDefaults).toMatchObject({
    loop: { maxTurns: 25 },
    budget: {},
    queues: { idleMessages: 'run' },
    condense: { keepLastN: 4 },
  });
});

test('a start wins over its agent field by field; a model by its name alone is one with a name', () => {
  const spec = { model: { name: 'openai:x', fallbacks: ['openai:y'] }, loop: { maxTurns: 3, warn: 1 } };
  expect(mergeOptions(spec, { model: 'openai:z', loop: { maxTurns: 9 }, hooks: [] })).toEqual({
    model: { name: 'openai:z', fallbacks: ['openai:y'] },
    loop: { maxTurns: 9, warn: 1 },
    hooks: [],
  });
  expect(mergeOptions({ model: 'openai:x' }, { model: { temperature: 0 } })).toEqual({
    model: { name: 'openai:x', temperature: 0 },
  });
  expect(mergeOptions({ model: 'openai:x' }, { model: 'openai:z' })).toEqual({ model: 'openai:z' });
  // what no schema has seen yet is no reason to fail
  expect(mergeOptions({ loop: 5 as never }, { loop: { maxTurns: 9 } })).toEqual({ loop: { maxTurns: 9 } });
});

test('an option beside its group is refused with its place', () => {
  expect(() => parseSessionInput({ prompt: 'go', maxTurns: 3 })).toThrow('did you mean "loop.maxTurns"?');
  expect(() => parseSessionInput({ prompt: 'go', contextWindow: 3 })).toThrow('"model.contextWindow"');
  expect(() => parseSessionInput({ prompt: 'go', loop: { maxTurn: 3 } })).toThrow('"maxTurns"');
  const inTwo = 'did you mean "plan.strategy", "condense.strategy"?';
  expect(() => parseSessionInput({ prompt: 'go', strategy: 'x' })).toThrow(inTwo);
  // a key that is taken and not used, and fields of objects that are no groups of options
  for (const key of ['apiKey', 'workflowId', 'sessionId']) {
    expect(() => parseSessionInput({ prompt: 'go', [key]: 'x' })).toThrow(`key: "${key}".`);
  }
});
