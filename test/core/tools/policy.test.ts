import { describe, expect, test } from 'vitest';
import { matchesPattern } from '../../../src/core/tools/matching.ts';
import { decidePolicy, explainPolicy, scopeOf } from '../../../src/core/tools/policy.ts';
import type { PolicyCall, PolicyScope } from '../../../src/core/tools/policy.ts';
import type { AgentMode, CallAction, PolicyDecision, PolicyRule } from '@holdfast/vocabulary/tool-spec';

const call = (tool: string, effect: PolicyCall['effect'], more: Partial<PolicyCall> = {}): PolicyCall => ({
  tool,
  effect,
  ...more,
});
const decide = (...given: Parameters<typeof decidePolicy>): PolicyDecision => decidePolicy(...given).decision;

describe('policy by mode and effect', () => {
  test.each<[PolicyCall['effect'], AgentMode, PolicyDecision]>([
    ['read', 'observe', 'allow'],
    ['read', 'ask', 'allow'],
    ['read', 'act', 'allow'],
    ['idempotent', 'observe', 'deny'],
    ['idempotent', 'ask', 'ask'],
    ['idempotent', 'act', 'allow'],
    ['once', 'observe', 'deny'],
    ['once', 'ask', 'ask'],
    ['once', 'act', 'allow'],
  ])('a %s tool without a rule, in mode %s: %s', (effect, mode, decision) => {
    expect(decide(call('tool', effect), [], { mode })).toBe(decision);
  });

  test('without a mode it asks', () => {
    expect(decide(call('tool', 'once'), [])).toBe('ask');
  });

  test('[MODE-05g] an unknown mode denies changes', () => {
    expect(decide(call('tool', 'once'), [], { mode: 'atc' as AgentMode })).toBe('deny');
  });
});

describe('[MODE-05a] a rule by path, where a path is not known before it runs', () => {
  test.each<[path: string, begins: string, decision: PolicyDecision]>([
    ['/etc/*', '', 'ask'],
    ['/etc/*', '/e', 'ask'],
    ['/etc/*', '/etc/ssh/', 'ask'],
    ['/etc/*', '/srv/', 'allow'],
    ['/etc/shadow', '/etc/', 'ask'],
    ['/etc/shadow', '/etc/shadow/', 'allow'],
    ['*.key', '/srv/', 'ask'],
  ])('%s, of one that begins with %j: %s', (path, begins, decision) => {
    const read = call('x', 'once', { actions: [{ effect: 'read', unknownPaths: [begins] }] });
    for (const strict of ['deny', 'ask'] as const) {
      const rule = { tool: 'x', path, decision: strict };
      expect(decide(read, [rule])).toBe(decision);
      expect(decide(read, [{ ...rule, effect: 'change' }])).toBe('allow');
      expect(decide(read, [{ ...rule, tool: 'y' }])).toBe('allow');
    }
  });

  test('it allows nothing', () => {
    const change = { effect: 'once' as const, paths: ['/srv/a'] };
    const rules: PolicyRule[] = [{ tool: 'x', path: '/srv/*', decision: 'allow' }];
    expect(decide(call('x', 'once', { actions: [change] }), rules)).toBe('allow');
    expect(decide(call('x', 'once', { actions: [{ ...change, unknownPaths: [''] }] }), rules)).toBe('ask');
  });
});

describe('policy by rules', () => {
  const rules: PolicyRule[] = [
    { tool: '*', decision: 'allow' },
    { tool: 'deploy_*', decision: 'ask' },
    { tool: 'grep', decision: 'deny', reason: 'no logs here' },
  ];

  test('[MODE-05f] the strictest matching rule wins, whatever the order', () => {
    for (const list of [rules, rules.toReversed()]) {
      expect(decidePolicy(call('grep', 'read'), list)).toEqual({ decision: 'deny', reason: 'no logs here' });
      expect(decide(call('deploy_shop', 'read'), list)).toBe('ask');
      expect(decide(call('restart', 'once'), list)).toBe('allow');
    }
  });

  test('a rule comes over the mode, both ways', () => {
    expect(decide(call('x', 'once'), [{ tool: 'x', decision: 'ask' }], { mode: 'act' })).toBe('ask');
    expect(decide(call('x', 'once'), [{ tool: 'x', decision: 'allow' }])).toBe('allow');
  });

  test('a denial and a question always carry a reason', () => {
    expect(decidePolicy(call('x', 'read'), [{ tool: 'x', decision: 'deny' }]).reason).toContain('"x"');
    expect(decidePolicy(call('x', 'read'), [{ tool: 'x', decision: 'ask' }]).reason).toContain('"x"');
    expect(decidePolicy(call('x', 'once'), []).reason).toBeTruthy();
  });

  test('[MODE-05g] an unknown decision denies', () => {
    const misspelt: unknown = [{ tool: '*', decision: 'alow' }];
    expect(decide(call('grep', 'read'), misspelt as PolicyRule[])).toBe('deny');
  });

  test('a rule for an agent is for no other', () => {
    const own: PolicyRule[] = [{ tool: '*', agent: 'triage*', decision: 'deny' }];
    expect(decide(call('x', 'read'), own, { agent: 'triage-db' })).toBe('deny');
    expect(decide(call('x', 'read'), own, { agent: 'fixer' })).toBe('allow');
    expect(decide(call('x', 'read'), own)).toBe('allow');
  });

  test('a rule for an argument matches text, and JSON of anything else; without the argument it does not match', () => {
    const own: PolicyRule[] = [{ tool: 'scale', args: { env: 'prod*', replicas: '0' }, decision: 'deny' }];
    const scale = (args: PolicyCall['args']) => decide(call('scale', 'read', { ...(args && { args }) }), own);
    expect(scale({ env: 'production', replicas: 0 })).toBe('deny');
    expect(scale({ env: 'production', replicas: 10 })).toBe('allow');
    expect(scale({ env: 'production' })).toBe('allow');
    expect(scale(undefined)).toBe('allow');
  });
});

describe('policy over the actions of one call', () => {
  const read: CallAction = { effect: 'read', command: 'cat a.log' };
  const restart: CallAction = { effect: 'once', command: 'systemctl restart nginx', reason: 'it restarts' };
  const remove: CallAction = { effect: 'once', command: 'rm -rf x' };
  const bash = (...actions: CallAction[]): PolicyCall => call('bash', 'once', { actions });
  const allowRestart: PolicyRule[] = [{ tool: 'bash', command: 'systemctl restart *', decision: 'allow' }];

  test('a call that only reads with these arguments is a read', () => {
    expect(decide(bash(read), [], { mode: 'observe' })).toBe('allow');
    expect(decidePolicy(bash(read, restart), [])).toEqual({ decision: 'ask', reason: 'it restarts' });
  });

  test('each action needs its own rule: allowing one part of a line allows no other', () => {
    expect(decide(bash(read, restart), allowRestart)).toBe('allow');
    expect(decide(bash(restart, remove), allowRestart)).toBe('ask');
    expect(decide(bash(remove, restart), allowRestart)).toBe('ask');
  });

  test('the verdict of the tool itself is not made milder by a rule or a mode', () => {
    const all: PolicyRule[] = [{ tool: '*', decision: 'allow' }];
    const own = (decision: 'ask' | 'deny') => bash({ ...restart, decision });
    expect(decide(own('ask'), all, { mode: 'act' })).toBe('ask');
    expect(decidePolicy(own('deny'), all)).toEqual({ decision: 'deny', reason: 'it restarts' });
    expect(decide(own('ask'), [{ tool: '*', decision: 'deny' }])).toBe('deny');
  });

  test('hosts and paths: one is enough to deny, all are needed to allow', () => {
    const copy = call('copy', 'once', { actions: [{ effect: 'once', paths: ['/tmp/a', '/etc/b'] }] });
    const rule = (path: string, decision: PolicyDecision): PolicyRule[] => [{ tool: '*', path, decision }];
    expect(decide(copy, rule('/tmp/*', 'allow'))).toBe('ask');
    expect(decide(copy, rule('/*', 'allow'))).toBe('allow');
    expect(decide(copy, rule('/etc/*', 'deny'))).toBe('deny');
    const get = call('get', 'read', { actions: [{ effect: 'read', hosts: ['db.internal'] }] });
    expect(decide(get, [{ tool: '*', host: '*.internal', decision: 'ask' }])).toBe('ask');
    expect(decide(call('get', 'once'), [{ tool: '*', host: '*', decision: 'allow' }])).toBe('ask');
  });

  test('`on` is the host that a call runs on, and `host` what it reaches there', () => {
    const get = call('get', 'read', { actions: [{ effect: 'read', hosts: ['db.internal'] }] });
    const rules: PolicyRule[] = [{ tool: '*', on: 'web-*', decision: 'deny' }];
    expect(decide(get, rules, { on: 'web-1' })).toBe('deny');
    expect(decide(get, rules, { on: 'db-1' })).toBe('allow');
    expect(decide(get, rules)).toBe('allow');
    const both: PolicyRule[] = [{ tool: '*', on: 'web-*', host: '*.internal', decision: 'ask' }];
    expect(decide(get, both, { on: 'web-1' })).toBe('ask');
    expect(decide(call('get', 'read'), both, { on: 'web-1' })).toBe('allow');
    // a rule without it covers every machine
    expect(decide(get, [{ tool: 'get', decision: 'deny' }], { on: 'web-1' })).toBe('deny');
  });

  test('an explanation names the source of each verdict', () => {
    const [first, second, third] = explainPolicy(
      bash(read, restart, { ...remove, decision: 'deny', reason: 'never' }),
      allowRestart,
    );
    expect(first).toMatchObject({ decision: 'allow', by: 'mode ask, effect read' });
    expect(second).toMatchObject({ decision: 'allow', by: 'policy rule 1 (for "bash")' });
    expect(third).toMatchObject({ decision: 'deny', by: 'the tool itself', reason: 'never' });
  });
});

describe('what no rule makes milder', () => {
  const all: PolicyRule[] = [{ tool: '*', path: '*', decision: 'allow' }];
  const change = call('restart', 'once', { actions: [{ effect: 'once', paths: ['/srv/app'] }] });

  test.each<[PolicyScope, PolicyDecision]>([
    [{ mode: 'ask' }, 'allow'],
    [{ mode: 'observe' }, 'deny'],
    [{ mode: 'atc' as AgentMode }, 'deny'],
    [{ mode: 'act', offTheRecord: true }, 'deny'],
  ])('[MODE-03] [MODE-04a] a change that a rule allows, in %j: %s', (scope, decision) => {
    expect(decide(change, all, scope)).toBe(decision);
    expect(decide(call('look', 'read'), all, scope)).toBe('allow');
  });

  test('the mode of a run is no more than the worker allows', () => {
    const settings = (mode: AgentMode) => ({ mode, offTheRecord: false });
    const modeOf = (mode: AgentMode, most?: AgentMode) =>
      scopeOf({ agent: 'a', settings: settings(mode) }, most).mode;
    expect(modeOf('act')).toBe('act');
    expect(modeOf('act', 'ask')).toBe('ask');
    expect(modeOf('observe', 'ask')).toBe('observe');
    expect(modeOf('atc' as AgentMode)).toBe('observe');
  });
});

describe('what a rule compares', () => {
  const denied = (path: string, action: Partial<CallAction>, tool = 'x'): PolicyDecision =>
    decide(call(tool, 'read', { actions: [{ effect: 'read', ...action }] }), [
      { tool: '*', path, decision: 'deny' },
    ]);

  test.each([
    ['/etc/*', '/tmp/../etc/passwd', 'deny'],
    ['/etc/*', '/etc//passwd', 'deny'],
    ['/etc/*', '/etc/../tmp/a', 'allow'],
    ['/etc/*', '/etc/./ssl/../passwd', 'deny'],
  ])('a path without its detours: %s over %s is %s', (pattern, path, decision) => {
    expect(denied(pattern, { paths: [path] })).toBe(decision);
  });

  test('a path that is not absolute is covered by no pattern of an absolute one', () => {
    const write = call('w', 'once', { actions: [{ effect: 'once', paths: ['tmp/a'] }] });
    expect(decide(write, [{ tool: '*', path: '/tmp/*', decision: 'allow' }])).toBe('ask');
  });

  test('hosts have no case and no dot at their end', () => {
    const get = call('get', 'read', { actions: [{ effect: 'read', hosts: ['DB.Internal.'] }] });
    expect(decide(get, [{ tool: '*', host: 'db.internal', decision: 'deny' }])).toBe('deny');
  });

  test('the effect of the action: a rule for changes leaves reads alone', () => {
    const line = (...effects: CallAction['effect'][]) =>
      call('bash', 'once', { actions: effects.map((effect) => ({ effect, paths: ['/etc/hosts'] })) });
    const noChange: PolicyRule[] = [{ tool: '*', effect: 'change', path: '/etc/*', decision: 'deny' }];
    expect(decide(line('read'), noChange)).toBe('allow');
    expect(decide(line('read', 'idempotent'), noChange)).toBe('deny');
    const asksReads: PolicyRule[] = [{ tool: '*', effect: 'read', decision: 'ask' }];
    expect(decide(line('read'), asksReads, { mode: 'act' })).toBe('ask');
    expect(decide(line('once'), asksReads, { mode: 'act' })).toBe('allow');
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
  expect(matchesPattern(pattern, name)).toBe(expected);
});
