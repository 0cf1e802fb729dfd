// holdfast config check: what is wrong in a config and in agent files, with the word that was probably meant.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nearestWord } from '@holdfast/base/nearest-word';
import { type CliResult, callCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

async function check(config: object, agent?: string): Promise<CliResult> {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'agents'));
  await mkdir(join(cwd, 'logs'));
  await writeFile(
    join(cwd, 'holdfast.config.json'),
    JSON.stringify({ files: { roots: ['logs'] }, ...config }),
  );
  if (agent !== undefined) await writeFile(join(cwd, 'agents', 'night.md'), agent);
  return callCli(['config', 'check'], { cwd });
}

test('a config without a mistake is named with its agents, also without a model key', async () => {
  const { code, stdout, stderr } = await check({}, '---\ntools: [read]\n---\nLook.\n');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/holdfast\.config\.json\n.*agents\/night\.md\nNo mistake was found\.\n$/);
});

test.each<[string, object, string | undefined, RegExp]>([
  ['a key', { tolos: [] }, undefined, /unrecognized key: "tolos" \(did you mean "tools"\?\)/],
  [
    'a key below',
    { shell: { limts: {} } },
    undefined,
    /shell: unrecognized key: "limts" \(did you mean "limits"\?\)/,
  ],
  [
    'a key of an agent of the config',
    { agents: { night: { instructions: 'x', tools: [], maxTurn: 3 } } },
    undefined,
    /agents\.night: unrecognized key: "maxTurn" \(did you mean "loop\.maxTurns"\?\)/,
  ],
  ['a key of nobody', { colour: 'red' }, undefined, /unrecognized key: "colour"$/m],
  [
    'a key of an agent file',
    {},
    '---\ntools: []\nmodle: x\n---\nLook.\n',
    /night\.md.*"modle" \(did you mean "model"\?\)/,
  ],
  [
    'a tool of an agent',
    {},
    '---\ntools: [gerp]\n---\nLook.\n',
    /There is no tool "gerp": .* Did you mean "grep"\?/,
  ],
  [
    'a tool of a rule',
    { policy: [{ tool: 'raed', decision: 'deny' }] },
    undefined,
    /the tool "raed".* Did you mean "read"\?/,
  ],
])('%s that is not there', async (_what, config, agent, words) => {
  const { code, stdout, stderr } = await check(config, agent);
  expect(`${stdout}${stderr}`).toMatch(words);
  expect(code).toBe(2);
});

test('[GATE-10c] every secret that cannot be read is noted, and the check passes', async () => {
  const secrets = { one: { env: 'HOLDFAST_TEST_ONE' }, two: { file: 'gone' }, later: { command: ['false'] } };
  const { code, stdout } = await check({ secrets });
  expect(code).toBe(0);
  const notes = stdout.split('\n').filter((line) => line.startsWith('note'));
  expect(notes).toEqual([expect.stringContaining('"one"'), expect.stringContaining('"two"')]);
});

test('a folder without a config has nothing to check', async () => {
  const { code, stderr } = await callCli(['config', 'check'], { cwd: await temporaryFolder() });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/No holdfast\.config file .*"holdfast init" writes one\./),
  });
});

test.each([
  ['reda', 'read'],
  ['Grep', 'grep'],
  ['queu_status', 'queue_status'],
  ['x', undefined],
  ['xyzzy', undefined],
])('of the known words %s means %s', (word, meant) => {
  expect(nearestWord(word, ['grep', 'read', 'write', 'queue_status'])).toBe(meant);
});
