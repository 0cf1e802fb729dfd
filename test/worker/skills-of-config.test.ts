// Skills and runbooks of a config: from its paths to a worker, its warnings, its protected folders, and `holdfast skills`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { parseConfig } from '../../src/config/config-file.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { decidePolicy } from '../../src/core/tools/policy.ts';
import { collectParts } from '../../src/worker/parts.ts';
import { ownRules } from '../../src/worker/policy-rules.ts';
import { callCli } from '../support/cli.ts';
import { resolvedAt } from '../support/composed-worker.ts';
import { skillFile, writeFiles } from '../support/skill-folders.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

let cwd = '';
beforeEach(async () => {
  cwd = await temporaryFolder();
  await writeFiles(cwd, {
    'play/disk/SKILL.md': skillFile('disk', 'Disks.', 'Run df.'),
    'play/bad/SKILL.md': skillFile('Bad', 'Bad.', 'Bad.'),
    'play/style/SKILL.md': skillFile('style', undefined, 'Plain.'),
    'books/shop/ShopDown.md': '# ShopDown\n\nThe shop is down.',
  });
});

const configOf = (user: HoldfastConfig) =>
  resolvedAt(cwd, parseConfig(user, 'the test'), { OPENAI_API_KEY: 'k' });
const own = (name: string) =>
  defineTool({ name, description: name, input: z.strictObject({}), run: () => ({ text: name }) });

test('[SKILL-01c] a bad skill is a warning at the start of a worker, which starts; find_runbook is there with runbooks only', async () => {
  const parts = await collectParts(configOf({ skills: ['play'], runbooks: ['books'] }));
  expect(parts.problems).toEqual([]);
  expect(parts.warnings).toEqual([
    expect.stringMatching(/^Skill skipped: play\/bad\/SKILL\.md has the name "Bad"/),
  ]);
  expect([...parts.tools.keys()]).toContain('find_runbook');
  expect([...parts.tools.keys()]).not.toContain('load_skill');
  expect([...(await collectParts(configOf({}))).tools.keys()]).not.toContain('find_runbook');
});

test('[SKILL-03b] an agent that names a skill which is not there keeps the worker from starting; a pattern does not; own tools of these names are not used', async () => {
  const agent = { instructions: 'x', tools: [] };
  const agents = { a: { ...agent, skills: ['disk', 'nope'] }, b: { ...agent, skills: ['no*'] } };
  const tools = [own('load_skill'), own('read_skill_file')];
  const parts = await collectParts(configOf({ skills: ['play'], agents, tools }));
  expect(parts.problems).toEqual([
    { about: 'agent', message: 'Agent a: There is no skill "nope": expected one of disk, style.' },
  ]);
  expect(parts.warnings).toContainEqual(
    expect.stringContaining('Not used: your tools load_skill, read_skill_file.'),
  );
});

test('[MODE-07a] no tool may change a folder of skills, whatever it is called', async () => {
  const config = configOf({ skills: ['play'], policy: [{ tool: '*', decision: 'allow' }] });
  const rules = [...config.policy, ...(await ownRules(config))];
  const verdict = (path: string) =>
    decidePolicy({ tool: 'write', effect: 'once', actions: [{ effect: 'once', paths: [path] }] }, rules, {
      agent: 'a',
    });
  expect(verdict(join(cwd, 'play/disk/SKILL.md')).decision).toBe('deny');
  expect(verdict(join(cwd, 'other/disk.md')).decision).toBe('allow');
});

test('holdfast skills lists skills and runbooks with their sources, and warns of what was left out', async () => {
  await writeFile(
    join(cwd, 'holdfast.config.json'),
    JSON.stringify({ skills: ['play'], runbooks: ['books', 'gone'] }),
  );
  const setting = { cwd, environment: { TEMPORAL_ADDRESS: '127.0.0.1:1' } };
  const { stdout, stderr, code } = await callCli(['skills'], setting);
  expect(code).toBe(0);
  expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
    'disk   Disks.  play/disk',
    'style  in every prompt  play/style',
    '1 runbook, for the tool find_runbook',
    'ShopDown  books/shop/ShopDown.md',
    '',
  ]);
  expect(stderr).toMatch(
    /^warning: Skill skipped: play\/bad\/SKILL\.md[^]*warning: The folder gone could not be read\.\n$/,
  );
  const json = await callCli(['skills', '--json'], setting);
  expect(
    json.stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toMatchObject([
    { type: 'skill', name: 'disk', description: 'Disks.', source: 'play/disk' },
    { type: 'skill', name: 'style', description: null },
    { type: 'runbook', name: 'ShopDown', source: 'books/shop/ShopDown.md' },
    { type: 'warning' },
    { type: 'warning' },
  ]);
});
