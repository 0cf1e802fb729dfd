// The agents that a session may delegate to, by its own options and its place in the tree.
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import { expect, test } from 'vitest';
import { listAgents } from '../../../../src/core/agent/delegation/registry.ts';

const agents = new Map<string, Pick<AgentSpec, 'description' | 'delegation'>>([
  ['log-analyst', { description: 'Reads logs.' }],
  ['Tester', {}],
  ['change-analyst', { description: 'Looks for changes.', delegation: { prefix: '🔧' } }],
]);
const names = (
  subagents: string[] | undefined,
  { depth = 0, maxDepth = 1, self = 'boss' }: { depth?: number; maxDepth?: number; self?: string },
) =>
  listAgents({ ...(subagents ? { agents: subagents } : {}), maxDepth }, { self, depth }, agents).map(
    ({ name }) => name,
  );

test('[SUB-02c] sorted by name, without itself whatever the case, with descriptions', () => {
  expect(names(['*'], {})).toEqual(['Tester', 'change-analyst', 'log-analyst']);
  expect(names(['log-analyst', 'change-analyst'], {})).toEqual(['change-analyst', 'log-analyst']);
  expect(names(['*'], { self: 'tester' })).toEqual(['change-analyst', 'log-analyst']);
  const settings = { agents: ['*'], maxDepth: 1 };
  expect(listAgents(settings, { self: 'tester', depth: 0 }, agents)).toEqual([
    { name: 'change-analyst', description: 'Looks for changes.', prefix: '🔧' },
    { name: 'log-analyst', description: 'Reads logs.' },
  ]);
});

test('[SUB-03a] a name given twice is there once, with what was registered last', () => {
  expect(names(['log-analyst', 'log-analyst'], {})).toEqual(['log-analyst']);
  const replaced = new Map(agents).set('log-analyst', { description: 'Reads all logs.' });
  const settings = { agents: ['log-analyst'], maxDepth: 1 };
  expect(listAgents(settings, { self: 'boss', depth: 0 }, replaced)).toEqual([
    { name: 'log-analyst', description: 'Reads all logs.' },
  ]);
  expect(names(['nobody'], {})).toEqual([]);
});

test.each([
  [undefined, 0, 1, false],
  [['*'], 0, 0, false],
  [['*'], 0, 1, true],
  [['*'], 1, 1, false],
  [['*'], 1, 2, true],
  [['*'], 2, 2, false],
])('[SUB-01a] subagents %j at depth %i of %i: %s', (subagents, depth, maxDepth, there) => {
  expect(names(subagents, { depth, maxDepth }).length > 0).toBe(there);
});
