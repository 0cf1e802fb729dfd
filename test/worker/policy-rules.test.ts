// The rules of a config on a real worker's activities: those of its agents, its protected paths, and its own files.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { inspectCommand } from '../../src/activities/built-in/bash/bash-facts.ts';
import type { ShellSettings } from '../../src/activities/built-in/bash/shell-settings.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { parseConfig } from '../../src/config/config-file.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { defaultSettings } from '@holdfast/vocabulary/agent-spec';
import { textOf } from '@holdfast/vocabulary/messages';
import type { AgentMode } from '@holdfast/vocabulary/tool-spec';
import { decidePolicy } from '../../src/core/tools/policy.ts';
import { ownRules, statedRules } from '../../src/worker/policy-rules.ts';
import { composeActivities } from '../../src/worker/compose-activities.ts';
import { collectParts } from '../../src/worker/parts.ts';
import { callOn, composeInput, resolvedAt } from '../support/composed-worker.ts';
import { frozenContext } from '../support/frozen-context.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

/** Says which file it would write, and writes none. */
const write = defineTool({
  name: 'write',
  description: 'Writes.',
  input: z.strictObject({ path: z.string() }),
  effect: 'once',
  inspect: ({ path }) => ({ actions: [{ effect: 'once', paths: [path] }] }),
  run: async () => ({ text: 'written' }),
});

type Caller = { agent?: string; mode?: AgentMode };

async function worker(user: Partial<HoldfastConfig>) {
  const cwd = await temporaryFolder();
  const config = resolvedAt(cwd, parseConfig({ ...user, tools: [write] }, 'the test'), {
    OPENAI_API_KEY: 'k',
  });
  await mkdir(config.dir, { recursive: true });
  const { activities } = await composeActivities(await composeInput(config, config.artifactsDir));
  /** A call of `agent` in a run that began on a worker which knew no rules. */
  const call = async (path: string, { agent = 'investigator', mode = 'act' }: Caller = {}) => {
    const settings = { ...defaultSettings, mode };
    const frozen = frozenContext({ digest: `context-${agent}-${mode}`, agent, settings });
    const { message } = await callOn(activities, 'write', { path }, frozen);
    return textOf(message);
  };
  return { cwd, config, call };
}

test('rules of an agent are for that agent, beside those of the configuration', async () => {
  const { call } = await worker({
    policy: [{ tool: 'write', path: '/a/*', decision: 'deny', reason: 'not a' }],
    agents: {
      night: {
        instructions: 'x',
        tools: ['write'],
        policy: [
          { tool: 'write', path: '/b/*', decision: 'deny', reason: 'not b at night' },
          { tool: '*', decision: 'allow' },
        ],
      },
    },
  });
  expect(await call('/b/x')).toBe('written');
  expect(await call('/b/x', { agent: 'night' })).toBe('Denied by policy: not b at night');
  expect(await call('/a/x', { agent: 'night' })).toBe('Denied by policy: not a');
  expect(await call('/c/x', { agent: 'night', mode: 'ask' })).toBe('written');
  expect(await call('/c/x', { mode: 'ask' })).toContain("needs a person's approval");
});

test('[MODE-07a] a protected path, and the files of Holdfast itself, are changed by no tool, whatever the rules and by whatever name', async () => {
  const { cwd, config, call } = await worker({
    protectedPaths: ['deploy', '/etc/app/', '*.key'],
    policy: [{ tool: '*', path: '*', decision: 'allow' }],
  });
  const outside = await temporaryFolder();
  await symlink(config.dir, join(outside, 'link'));
  const protectedOnes = [`${cwd}/deploy`, `${cwd}/deploy/a/b`, '/etc/app/x', '/etc/app', '/srv/tls.key'];
  for (const path of protectedOnes) {
    expect(await call(path)).toBe('Denied by policy: The configuration protects this path (protectedPaths).');
  }
  for (const path of [config.dir, join(config.dir, 'server.json'), join(config.artifactsDir, 'x')]) {
    expect(await call(path)).toBe('Denied by policy: It belongs to Holdfast itself.');
  }
  for (const path of [config.configFile ?? '', `${cwd}/holdfast.config.yaml`, '/x/holdfast.config.ts'])
    expect(await call(path)).toBe(`Denied by policy: No tool may change ${path}.`);
  for (const name of ['.env', 'holdfast.mcp-pins.json']) {
    expect(await call(join(cwd, name))).toBe('Denied by policy: It belongs to Holdfast itself.');
  }
  expect(await call(`${cwd}/deploying`)).toBe('written');
  expect(await call('/etc/application')).toBe('written');
});

test('[MODE-07a] files that decide what runs, or hold secrets, are changed by no tool', async () => {
  const cwd = await temporaryFolder();
  const user: HoldfastConfig = {
    toolsets: { './sets/shop.yaml': {}, host: {} },
    secrets: { grafana: { file: './keys/grafana' }, shop: { env: 'SHOP' } },
    encryption: { activeKey: 'a', keys: { a: { file: '/srv/keys/codec' } } },
  };
  const environment = { OPENAI_API_KEY_FILE: '/srv/keys/openai', SHOP: 'value-1' };
  const rules = await ownRules(resolvedAt(cwd, parseConfig(user, 'the test'), environment));
  const decide = (path: string, effect: 'read' | 'once' = 'once') =>
    decidePolicy({ tool: 'x', effect, actions: [{ effect, paths: [path] }] }, rules, { mode: 'act' })
      .decision;
  const own = ['sets/shop.yaml', 'keys/grafana', '.env', 'holdfast.mcp-pins.json'].map((name) =>
    join(cwd, name),
  );
  for (const path of [...own, '/srv/keys/codec', '/srv/keys/openai']) {
    expect([path, decide(path)]).toEqual([path, 'deny']);
    expect(decide(path, 'read')).toBe('allow');
  }
  expect(decide(join(cwd, 'sets/other.yaml'))).toBe('allow');
});

describe('changes of literal paths, with the rules that guard the own files', () => {
  /** The example of docs/shell.md, and protected paths. */
  async function decider(protectedPaths = ['*.pem']) {
    const user: HoldfastConfig = {
      shell: { writable: ['/srv/shop'] },
      protectedPaths,
      policy: [{ tool: 'bash', command: 'touch /srv/shop/maintenance', decision: 'allow' }],
    };
    const cwd = await temporaryFolder();
    const config = resolvedAt(cwd, parseConfig(user, 'the test'));
    const rules = [...statedRules(config, new Map()), ...(await ownRules(config))];
    const settings = { ...config.shell, changes: 'host', hosts: [], roots: [] } as ShellSettings;
    const decide = (command: string, mode: AgentMode = 'act') => {
      const { actions = [] } = inspectCommand(command, '/', settings);
      return decidePolicy({ tool: 'bash', effect: 'once', actions }, rules, { mode }).decision;
    };
    return { cwd, decide };
  }

  test('[MODE-12a] run in mode act, and where a rule allows the command', async () => {
    const { decide } = await decider();
    expect(decide('touch /srv/shop/maintenance', 'ask')).toBe('allow');
    expect(decide('touch /srv/shop/other', 'ask')).toBe('ask');
    for (const command of [
      'touch /srv/shop/a',
      'mkdir -p /srv/shop/a/b',
      'rm /srv/shop/a',
      'rm -f /srv/shop/a /srv/shop/b',
      'rmdir /srv/shop/a',
      'chmod 644 /srv/shop/a',
      'truncate -s 0 /srv/shop/a.log',
      'sed -i s/a/b/ /srv/shop/app.conf',
      'echo x > /srv/shop/a',
    ])
      expect([command, decide(command)]).toEqual([command, 'allow']);
    const plain = await decider([]);
    for (const command of [
      'mv /srv/shop/a /srv/shop/b',
      'cp /srv/shop/a /srv/shop/b',
      'rm -r /srv/shop/cache',
      'kubectl rollout restart deployment/web',
    ])
      expect([command, plain.decide(command)]).toEqual([command, 'allow']);
  });

  test('[MODE-12bc] are denied where they name a protected file, and ask where they may reach one', async () => {
    const { cwd, decide } = await decider();
    for (const command of [
      'touch /srv/shop/holdfast.config.ts',
      'cp /tmp/x /srv/other/holdfast.config.yaml',
      'mv /srv/shop/a /srv/shop/Holdfast.Config.JS',
      'dd if=/tmp/x of=/srv/shop/holdfast.config.mjs',
      `rm ${cwd}/holdfast.config.js`,
      `touch ${cwd}/.env`,
      'rm /srv/shop/tls.pem',
      'sed -i.ts s/a/b/ /srv/shop/holdfast.config',
      "sed -n -i'hold*' s/a/b/ /srv/shop/fast.config.ts",
      "sed --in-place='/srv/x/S*' s/a/b/ /srv/shop/OUL.md",
    ])
      expect([command, decide(command)]).toEqual([command, 'deny']);
    for (const command of [
      `rm -r ${cwd}`,
      `mv ${cwd} /srv/shop/x`,
      `mv /srv/shop/x ${cwd}`,
      `tar -xf /tmp/a.tar -C ${cwd}`,
      `git -C ${cwd} checkout .`,
      'rm -r /srv/shop/certs',
      'rm --recursive /srv/shop/certs',
      'rm --r /srv/shop/certs',
      'chmod -R 777 /srv/shop',
      'mv /srv/shop/certs /srv/shop/old',
      'cp -b -S .ts /dev/null /srv/shop/holdfast.config',
      'mv -bS.md /tmp/x /srv/shop/SOUL',
      'ln --suff=.md -sb /tmp/x /srv/shop/SOUL',
      'touch "$f"',
      'rm /srv/shop/*',
    ])
      expect([command, decide(command)]).toEqual([command, 'ask']);
  });
});

test('a worker with a smaller maxMode asks also in a run that began with more', async () => {
  const { call } = await worker({ maxMode: 'ask' });
  expect(await call('/tmp/x', { mode: 'act' })).toContain("needs a person's approval");
  const { call: unlimited } = await worker({});
  expect(await unlimited('/tmp/x', { mode: 'act' })).toBe('written');
});

test('an agent with more than maxMode keeps the worker from starting; one without a mode has at most that', async () => {
  const spec = { instructions: 'x', tools: [] };
  const tooMuch = worker({ maxMode: 'ask', agents: { fixer: { ...spec, mode: 'act' } } });
  await expect(tooMuch).rejects.toThrow(
    'Agent fixer: Mode "act" is more than this configuration allows: expected observe or ask. Its maxMode is "ask".',
  );
  await expect(worker({ maxMode: 'observe', agents: { quiet: spec } })).resolves.toBeDefined();
});

async function warningsOf(user: Partial<HoldfastConfig>): Promise<string[]> {
  const config = resolvedAt('/p', parseConfig(user, 'the test'), { OPENAI_API_KEY: 'k' });
  return (await collectParts(config)).warnings;
}

test('a rule that can cover no call is a warning, and a name that is not there a mistake', async () => {
  const tools = [write];
  const agents = { night: { instructions: 'x', tools: ['write'] } };
  const warn = (policy: HoldfastConfig['policy']) => warningsOf({ tools, agents, policy: policy ?? [] });
  expect(await warn([{ tool: 'write', agent: 'night', path: '/etc/*', decision: 'deny' }])).toEqual([]);
  expect(await warn([{ tool: 'wr?te*', decision: 'deny' }])).toEqual([
    'Policy rule 1 for "wr?te*" covers no tool of this worker.',
  ]);
  expect(await warn([{ tool: '*', agent: 'day*', decision: 'deny' }])).toEqual([
    'Policy rule 1 for the agent "day*" covers no agent of this worker.',
  ]);
  expect(await warn([{ tool: 'report', path: '/etc/*', decision: 'deny' }])).toEqual([
    'Policy rule 1 for "report" has no effect: no tool that it covers names the path of a call. Use "args".',
  ]);
  await expect(warn([{ tool: '*', agent: 'day', decision: 'deny' }])).rejects.toThrow(
    'Policy rule 1 names the agent "day", which is not there: expected one of change-analyst, critic, fixer, investigator, log-analyst, metrics-analyst, night, triage, or a pattern with "*".',
  );
  const night = { ...agents.night, policy: [{ tool: 'fly', decision: 'deny' as const }] };
  await expect(warningsOf({ tools, agents: { night } })).rejects.toThrow(
    'Policy rule 1 of agent night names the tool "fly", which is not there',
  );
});

test.each<[string, object, RegExp]>([
  ['an unknown field', { policy: [{ tool: 'x', decision: 'deny', comand: 'rm *' }] }, /policy\.0.*comand/],
  ['an unknown decision', { policy: [{ tool: 'x', decision: 'alow' }] }, /policy\.0\.decision.*allow/],
  [
    'an unknown effect',
    { policy: [{ tool: 'x', decision: 'ask', effect: 'once' }] },
    /policy\.0\.effect.*change/,
  ],
  ['no tool', { policy: [{ decision: 'deny' }] }, /policy\.0\.tool/],
  ['an empty pattern', { policy: [{ tool: 'x', decision: 'deny', path: '' }] }, /policy\.0\.path.*pattern/],
  ['an unknown mode', { maxMode: 'admin' }, /maxMode.*observe/],
  [
    'an agent in the rule of an agent',
    {
      agents: { a: { instructions: 'x', tools: [], policy: [{ tool: 'x', agent: 'b', decision: 'allow' }] } },
    },
    /agents\.a\.policy\.0.*agent/,
  ],
  ['a pattern as an agent name', { agents: { 'a*': { instructions: 'x', tools: [] } } }, /without "\*"/],
])('%s is a mistake that names its place', (_name, user, words) => {
  expect(() => parseConfig(user, 'holdfast.config.ts')).toThrow(words);
});
