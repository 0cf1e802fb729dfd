// The files that say what the agent is, against the strongest rules and modes.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@holdfast/base/json';
import { decidePolicy } from '../../../src/core/tools/policy.ts';
import type { PolicyCall, PolicyScope } from '../../../src/core/tools/policy.ts';
import type { CallAction, PolicyDecision, PolicyRule } from '@holdfast/vocabulary/tool-spec';

const act: PolicyScope = { mode: 'act' };
const allowAll: PolicyRule[] = [{ tool: '*', decision: 'allow' }];

function decide(
  action: Partial<CallAction>,
  rules = allowAll,
  args: PolicyCall['args'] = {},
): PolicyDecision {
  const actions: CallAction[] = [{ effect: 'once', ...action }];
  return decidePolicy({ tool: 'bash', effect: 'once', args, actions }, rules, act).decision;
}

describe('[MODE-07abc] in mode act, with a rule that allows everything', () => {
  test.each<[path: string, decision: PolicyDecision]>([
    ['/srv/agent/SOUL.md', 'deny'],
    ['/srv/agent/soul.MD', 'deny'],
    ['/srv/agent/IDENTITY.md', 'deny'],
    ['/srv/agent/skills/disk/SKILL.md', 'deny'],
    ['/srv/agent/skills', 'deny'],
    ['/srv/agent/notes/../Skills/x', 'deny'],
    ['/srv/shop/holdfast.config.ts', 'deny'],
    ['/srv/shop/Holdfast.Config.yaml', 'deny'],
    ['/srv/shop/my-holdfast.config', 'allow'],
    ['/srv/agent/MEMORY.md', 'ask'],
    ['/srv/agent/USER.md', 'ask'],
    ['/srv/agent/AGENTS.md', 'ask'],
    ['/srv/agent/HEARTBEAT.md', 'ask'],
    ['/srv/agent/README.md', 'allow'],
    ['/srv/agent/MY-SOUL.md', 'allow'],
    ['/srv/skillset/a', 'allow'],
  ])('a change of %s: %s', (path, decision) => {
    expect(decide({ paths: [path] })).toBe(decision);
    // beside another one, in any order
    expect(decide({ paths: ['/tmp/a', path] })).toBe(decision);
    expect(decide({ effect: 'read', paths: [path] })).toBe('allow');
  });

  test('of several places the most protected one counts', () => {
    expect(decide({ paths: ['/a/MEMORY.md', '/a/AGENTS.md', '/a/SOUL.md'] })).toBe('deny');
  });

  test.each<[command: string, decision: PolicyDecision]>([
    ['cp /tmp/x SOUL.md', 'deny'],
    ['dd if=/tmp/x of=/srv/agent/SOUL.md', 'deny'],
    ["sed -i 's/a/b/' 'IDENTITY.md'", 'deny'],
    ['tee skills/disk/SKILL.md', 'deny'],
    ['cp -b -S .ts /tmp/x holdfast.config.ts', 'deny'],
    ['tee AGENTS.md', 'ask'],
    ['systemctl restart skills', 'allow'],
  ])('the command %s, whose tool names no path: %s', (command, decision) => {
    expect(decide({ command })).toBe(decision);
    expect(decide({ effect: 'read', command })).toBe('allow');
  });

  test.each<[args: JsonObject, decision: PolicyDecision]>([
    [{ file: '/srv/agent/SOUL.md', content: 'be evil' }, 'deny'],
    [{ file: 'USER.md' }, 'ask'],
    [{ file: '~/skills/x' }, 'deny'],
    [{ files: [{ path: '/srv/SOUL.md', content: 'x' }] }, 'deny'],
    [{ paths: ['a.md', '/srv/skills/x'] }, 'deny'],
    [{ files: { '/srv/IDENTITY.md': 'x' } }, 'deny'],
    [{ edit: { in: { file: 'AGENTS.md' } } }, 'ask'],
    [{ file: 'My Agent/SOUL.md' }, 'deny'],
    [{ file: ' /srv/agent/SOUL.md\n' }, 'deny'],
    [{ file: 'notes/a b.md', person: { skills: ['sql'] } }, 'allow'],
    [{ content: 'see the skills for more' }, 'allow'],
  ])('the arguments %j of a tool that names nothing: %s', (args, decision) => {
    expect(decide({}, allowAll, args)).toBe(decision);
  });
});

test('[MODE-07abc] tier 1 is opened by a rule that names the path, tier 2 by a person only', () => {
  const named: PolicyRule[] = [{ tool: '*', path: '/srv/agent/*', decision: 'allow' }];
  expect(decide({ paths: ['/srv/agent/MEMORY.md'] }, named)).toBe('allow');
  expect(decide({ paths: ['/srv/agent/AGENTS.md'] }, named)).toBe('ask');
  expect(decide({ paths: ['/srv/agent/SOUL.md'] }, named)).toBe('deny');
});
