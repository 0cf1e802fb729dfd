// The table of options: each has its default, its schema and its place in the settings from there.
import { expect, test } from 'vitest';
import { agentOverrideFields } from '../../../src/core/agent/agent-spec.schema.ts';
import { agentDefaults, agentOptions, settingFields } from '../../../src/core/model/agent-spec.ts';

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
  ['maxTurns', -1],
  ['maxTurns', 1.5],
  ['toolConcurrency', 0],
  ['toolConcurrency', 101],
  ['heartbeatTimeoutMs', 999],
  ['temperature', 2.1],
  ['onLimit', 'never'],
  ['live', 'no'],
  ['toolGroups', ['']],
  ['budget', { costUsd: 0 }],
  ['budget', { hours: 1 }],
  ['queues', { idleMessages: 'drop' }],
  ['condense', { keepLastN: 0 }],
] satisfies [keyof typeof agentOptions, unknown][])('%s: %j is refused', (name, value) => {
  expect(agentOverrideFields[name].safeParse(value).success).toBe(false);
});

test('a run is frozen to every option but those that are resolved for it', () => {
  const resolved = Object.keys(agentOptions).filter((name) => !settingFields.includes(name));
  expect(resolved).toEqual([
    ...['model', 'fallbackModels', 'purposeModels', 'hooks', 'turnHooks', 'middleware'],
    ...['promptLayout', 'disableBehavioralHints', 'profile'],
  ]);
  expect(agentDefaults).toMatchObject({
    maxTurns: 25,
    budget: {},
    queues: { idleMessages: 'run' },
    condense: { keepLastN: 4 },
  });
});
