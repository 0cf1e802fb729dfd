// holdfast policy: what would become of a call, with the rule that says so. No server runs for it.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli, type CliSetting } from '../support/cli.ts';
import { hostileServer } from '../support/mcp-servers.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const config = {
  files: { roots: ['logs'] },
  http: { allow: ['127.0.0.1:9090'] },
  maxMode: 'ask',
  protectedPaths: ['deploy'],
  policy: [
    { tool: 'read', path: '*/secret*', decision: 'deny', reason: 'No secrets.' },
    { tool: 'http_*', host: '127.0.0.1', decision: 'ask', reason: 'Ask me.' },
  ],
  agents: {
    night: { instructions: 'x', tools: ['read'], policy: [{ tool: 'read', decision: 'ask' }] },
    packed: { instructions: 'x', tools: [], toolGroups: ['files'] },
  },
  toolGroups: { files: ['ls'] },
};

async function folder(): Promise<CliSetting> {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'logs'));
  await writeFile(join(cwd, 'logs', 'a.log'), 'hello\n');
  await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify(config));
  // nothing listens there: the command must not need it
  return { cwd, environment: { TEMPORAL_ADDRESS: '127.0.0.1:1' } };
}

type Explained = { code: number; words: string | RegExp };
const read = (path: string): string => JSON.stringify({ path });

test.each<[args: string[], expected: Explained]>([
  [
    ['read', read('a.log')],
    { code: 0, words: /allow \/.*\/logs\/a\.log\n.*mode ask, effect read\nThe policy lets it run;/ },
  ],
  [
    ['read', read('secret.log')],
    { code: 7, words: 'policy rule 1 (for "read"): No secrets.\nIt would be denied.' },
  ],
  [['read', read('a.log'), '--agent', 'night'], { code: 8, words: 'rule 1 of agent night' }],
  [
    ['http_get', '{"url":"http://127.0.0.1:9090/"}'],
    { code: 8, words: /ask {3}127\.0\.0\.1\n.*policy rule 2/ },
  ],
  [
    ['rea'],
    { code: 7, words: /It would not run\. Unknown tool rea\. The tools of this configuration are .*, read,/ },
  ],
  [
    ['bash', '{"command":"ls"}'],
    { code: 7, words: 'Unknown tool bash. It is off here; what turns it on in the configuration: shell,' },
  ],
  [
    ['read', '{"pat":1}'],
    {
      code: 7,
      words:
        'Invalid arguments for read: path: required, but missing; pat: unknown field (expected path, offset, limit, byte).',
    },
  ],
  [['read', '{'], { code: 7, words: 'Invalid arguments for read: the arguments are not valid JSON' }],
  [
    ['ls', '{}', '--agent', 'night'],
    { code: 7, words: 'Unknown tool ls. The configuration has it, but agent night does not name it' },
  ],
  [['ls', '{}', '--agent', 'packed'], { code: 0, words: 'The policy lets it run;' }],
  [
    ['report', '{}', '--off-the-record'],
    { code: 7, words: 'agent investigator does not have it in mode ask, off the record.' },
  ],
])('policy explain %j', async (args, { code, words }) => {
  const explained = await callCli(['policy', 'explain', ...args], await folder());
  expect(explained.stdout).toMatch(words);
  expect(explained.code).toBe(code);
});

test('policy explain as JSON has every action with its rule; an agent or mode that a start would not get is a usage error', async () => {
  const setting = await folder();
  const { lines } = await callCli(['policy', 'explain', 'read', read('a.log'), '--json'], setting);
  expect(lines).toEqual([
    expect.objectContaining({
      type: 'explanation',
      tool: 'read',
      agent: 'investigator',
      decision: 'allow',
      actions: [expect.objectContaining({ decision: 'allow', by: 'mode ask, effect read' })],
    }),
  ]);
  const act = await callCli(['policy', 'explain', 'read', '{}', '--mode', 'act'], setting);
  expect(act).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected observe or ask. Its maxMode is "ask"'),
  });
  const nobody = await callCli(['policy', 'explain', 'read', '{}', '--agent', 'bob'], setting);
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no agent "bob"') });
});

test('policy explain and list pin no tool of an MCP server: they only look', async () => {
  const setting = await folder();
  const { settings: shop } = await hostileServer('plain');
  const file = join(setting.cwd, 'holdfast.config.json');
  await writeFile(file, JSON.stringify({ ...config, mcpServers: { shop } }));
  const explained = await callCli(['policy', 'explain', 'mcp__shop__act', '{"text":"a"}'], setting);
  expect(explained.stdout).toContain('A person would be asked.');
  expect((await callCli(['policy', 'list'], setting)).code).toBe(0);
  expect(existsSync(join(setting.cwd, 'holdfast.mcp-pins.json'))).toBe(false);
});

test('policy list has every rule with its place', async () => {
  const { stdout, code } = await callCli(['policy', 'list'], await folder());
  expect(code).toBe(0);
  expect(stdout).toContain('deny  tool read, path */secret*  rule 1\n      No secrets.\n');
  expect(stdout).toContain('ask   tool read, agent night  rule 1 of agent night\n');
  expect(stdout).toMatch(/deny {2}tool \*, effect change, path \S+\/deploy\/\* {2}protectedPaths\n/);
  expect(stdout).toMatch(/path \S+\/\.holdfast\/\* {2}Holdfast's own files\n/);
  expect(stdout).toContain(
    'deny  tool *, effect change, path */soul.md  built in\n      No rule opens it.\n',
  );
  expect(stdout).toMatch(
    /ask {3}tool \*, effect change, path \*\/memory\.md {2}built in\n {6}A rule that allows/,
  );
  expect(stdout).toContain('path */skills/*  built in');
  expect(stdout).toContain('no agent has more than mode ask.');
  const { lines } = await callCli(['policy', 'list', '--json'], await folder());
  expect(lines).toContainEqual({ type: 'protected_path', path: '*/agents.md', tier: 2 });
});
