import { describe, expect, test } from 'vitest';
import { decidePolicy, matchesToolName } from '../../../src/core/tools/policy.ts';
import type { PolicyRule } from '../../../src/core/model/tool-spec.ts';

describe('policy by effect', () => {
  test.each([
    ['read', 'allow'],
    ['idempotent', 'ask'],
    ['once', 'ask'],
  ] as const)('a %s tool without a rule: %s', (effect, decision) => {
    expect(decidePolicy('tool', effect, []).decision).toBe(decision);
  });
});

describe('policy by rules', () => {
  const rules: PolicyRule[] = [
    { tool: 'grep', decision: 'deny', reason: 'no logs here' },
    { tool: 'deploy_*', decision: 'ask' },
    { tool: '*', decision: 'allow' },
  ];

  test('the first matching rule wins over later ones and over the effect', () => {
    expect(decidePolicy('grep', 'read', rules)).toEqual({ decision: 'deny', reason: 'no logs here' });
    expect(decidePolicy('deploy_shop', 'read', rules).decision).toBe('ask');
    expect(decidePolicy('restart', 'once', rules).decision).toBe('allow');
  });

  test('a denial and a question always carry a reason', () => {
    expect(decidePolicy('x', 'read', [{ tool: 'x', decision: 'deny' }]).reason).toContain('"x"');
    expect(decidePolicy('x', 'read', [{ tool: 'x', decision: 'ask' }]).reason).toContain('"x"');
    expect(decidePolicy('x', 'once', []).reason).toBeTruthy();
  });

  test('[MODE-05] an unknown decision denies', () => {
    const misspelt: unknown = [{ tool: '*', decision: 'alow' }];
    expect(decidePolicy('grep', 'read', misspelt as PolicyRule[]).decision).toBe('deny');
  });
});

test.each([
  ['grep', 'grep', true],
  ['grep', 'Grep', false],
  ['grep', 'grep2', false],
  ['*', 'anything', true],
  ['mcp_*', 'mcp_', true],
  ['mcp_*', 'xmcp_', false],
  ['*_write', 'file_write', true],
  ['*_write', '_writer', false],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['ab*ba', 'aba', false],
  ['', '', true],
  ['a.c', 'abc', false],
])('pattern %s over %s: %s', (pattern, name, expected) => {
  expect(matchesToolName(pattern, name)).toBe(expected);
});
