// Agents as Markdown files beside a config file: what is read, and how each mistake is told.
import { mkdir, rmdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { checkParts } from '../../src/worker/parts.ts';
import { testAgent } from '../../src/testing.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

async function projectOf(agents: Record<string, string>, config: object = {}): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'agents'));
  await writeFile(join(folder, 'holdfast.config.json'), JSON.stringify(config));
  for (const [name, text] of Object.entries(agents)) await writeFile(join(folder, 'agents', name), text);
  return folder;
}

const night = `---
description: Looks after the night.
model: scripted:night
tools: [read_artifact, 'pin_*']
loop: { maxTurns: 3 }
budget: { costUsd: 2 }
policy:
  - { tool: read_artifact, decision: ask }
---
# You watch

Answer *briefly*.
`;

test('a file is an agent with the fields of the config; its body are the instructions', async () => {
  const cwd = await projectOf({ 'night.md': night, 'README.md': 'About these agents.', 'notes.txt': 'x' });
  const config = await loadConfig({ cwd, environment: {} });
  expect(config.agents).toEqual({
    night: {
      description: 'Looks after the night.',
      model: 'scripted:night',
      tools: ['read_artifact', 'pin_*'],
      loop: { maxTurns: 3 },
      budget: { costUsd: 2 },
      policy: [{ tool: 'read_artifact', decision: 'ask' }],
      instructions: '# You watch\n\nAnswer *briefly*.',
    },
  });
  expect(config.agentFiles).toEqual({ night: join(cwd, 'agents', 'night.md') });
  const { requests, result } = await testAgent({
    config: join(cwd, 'holdfast.config.json'),
    input: { agent: 'night' },
    prompt: 'Well?',
    script: [{ id: 'say', text: 'Quiet.' }],
  });
  expect(result).toMatchObject({ status: 'completed', answer: 'Quiet.' });
  expect(requests[0]?.systemPrompt).toContain('# You watch\n\nAnswer *briefly*.');
  expect(requests[0]?.tools.map(({ name }) => name)).toEqual(['pin_finding', 'read_artifact']);
});

test('[WORKER-02b] an agent file that names a tool that is not there keeps the worker from starting', async () => {
  const cwd = await projectOf({ 'night.md': '---\ntools: [telescope]\n---\nLook up.' });
  const config = await loadConfig({ cwd, environment: {} });
  await expect(checkParts(config)).rejects.toThrow('Agent night: There is no tool "telescope"');
});

test.each(['agents: [nobody]', 'verify: nobody'])('[WORKER-02b] so does one with %s', async (field) => {
  const cwd = await projectOf({ 'night.md': `---\ntools: []\ndelegation: { ${field} }\n---\nLook up.` });
  const config = await loadConfig({ cwd, environment: {} });
  await expect(checkParts(config)).rejects.toThrow('Agent night: There is no agent "nobody"');
});

test.each<[string, Record<string, string>, object, RegExp]>([
  [
    'an unknown field',
    { 'a.md': '---\ntools: []\nmaxTurns: 3\n---\nx' },
    {},
    /agents\/a\.md is no agent: .*"maxTurns" \(did you mean "loop\.maxTurns"\?\)/,
  ],
  [
    'a bad value',
    { 'a.md': '---\ntools: []\nloop: { maxTurns: -1 }\n---\nx' },
    {},
    /agents\/a\.md is no agent: loop\.maxTurns: .*>=0/,
  ],
  ['no tools', { 'a.md': 'Just look.' }, {}, /agents\/a\.md is no agent: tools: expected array/],
  [
    'no instructions',
    { 'a.md': '---\ntools: []\n---\n \n' },
    {},
    /a\.md is no agent: instructions: is empty/,
  ],
  [
    'instructions twice',
    { 'a.md': '---\ntools: []\ninstructions: y\n---\nx' },
    {},
    /a\.md is no agent: instructions: expected them below/,
  ],
  [
    'no YAML',
    { 'a.md': '---\ntools: [\n---\nx' },
    {},
    /a\.md is no agent: line \d does not parse: (?!.* at line)/,
  ],
  [
    'no fields',
    { 'a.md': '---\njust words\n---\nx' },
    {},
    /a\.md is no agent: its front matter has no fields/,
  ],
  ['a name', { 'a b.md': '---\ntools: []\n---\nx' }, {}, /a b\.md is no agent: expected a file name/],
  [
    'two of one name, one of them in the config',
    { 'Night.md': '---\ntools: []\n---\nx' },
    { agents: { night: { instructions: 'x', tools: [] } } },
    /Agent "night" is in .*holdfast\.config\.json \(agents\.night\) and in .*agents\/Night\.md: expected one/,
  ],
  [
    'two files of one name',
    { 'Night.md': '---\ntools: []\n---\nx', 'night.md': '---\ntools: []\n---\nx' },
    {},
    /agents\/Night\.md and .*agents\/night\.md are agents of one name/,
  ],
])('%s is a mistake that names the file', async (_, agents, config, message) => {
  const cwd = await projectOf(agents, config);
  await expect(loadConfig({ cwd, environment: {} })).rejects.toThrow(message);
});

test('[CORE-07a] what systems and editors leave in the folder is no agent, and stops nothing', async () => {
  const cwd = await projectOf({
    'night.md': night,
    ...Object.fromEntries(
      // oxfmt-ignore
      ['.#night.md', '._night.md', '.night.md.swp', '.night.md.kate-swp', 'night.md~', '#night.md#', 'night.md.bak', 'night.md.orig',
        '4913', '.DS_Store', 'Thumbs.db', 'desktop.ini', 'Readme.md', 'AGENTS.md', 'CLAUDE.md', '.gitkeep'].map((name) => [name, 'x']),
    ),
  });
  await symlink('ann@host.4711:1700000000', join(cwd, 'agents', '.#other.md'));
  await mkdir(join(cwd, 'agents', 'drafts.md'));
  expect(Object.keys((await loadConfig({ cwd, environment: {} })).agents)).toEqual(['night']);
});

test('[CORE-07a] a folder that cannot be read is a mistake of the config', async () => {
  const cwd = await projectOf({});
  await rmdir(join(cwd, 'agents'));
  await symlink(join(cwd, 'agents'), join(cwd, 'agents'));
  await expect(loadConfig({ cwd, environment: {} })).rejects.toThrow(
    /^The agent files cannot be read: ELOOP/,
  );
});

test('[CORE-07b] an agent is read whatever the case of its ending', async () => {
  const cwd = await projectOf({ 'night.MD': night });
  expect(Object.keys((await loadConfig({ cwd, environment: {} })).agents)).toEqual(['night']);
});

test('[CORE-07c] a description without quotes has its colons, and blank lines stand before the front matter', async () => {
  const cwd = await projectOf({
    'a.md': '\n---\ndescription: Use it when: a disk is full # now\ntools: []\n---\nLook.',
    'b.md': '\n\n---\ntools: [\n---\nx',
  });
  const failure = await loadConfig({ cwd, environment: {} }).catch(String);
  expect(failure).toMatch(/b\.md is no agent: line [45] does not parse/);
  expect(failure).not.toContain('a.md');
});

test.each([
  ['Claude Code', 'name: a\ndescription: x\ntools: Read, Grep\nmodel: sonnet\ncolor: red'],
  ['Claude Code, without tools', 'name: a\ndescription: x'],
  ['OpenCode', 'description: x\nmode: subagent\ntools:\n  write: false'],
  ['Cursor', 'description: x\nglobs: "*.ts"\nalwaysApply: true'],
])('[CORE-07d] an agent in the form of %s says what is other here', async (_, yaml) => {
  const cwd = await projectOf({ 'a.md': `---\n${yaml}\n---\nLook.` });
  await expect(loadConfig({ cwd, environment: {} })).rejects.toThrow(
    /a\.md is no agent: .*It looks like an agent of another program\. .*"holdfast tools"/,
  );
});

test('every mistake is named at once', async () => {
  const cwd = await projectOf({ 'a.md': '---\nx: 1\n---\n', 'b.md': 'x' });
  const failure = await loadConfig({ cwd, environment: {} }).catch(String);
  expect(failure).toContain('a.md is no agent: ');
  expect(failure).toContain('b.md is no agent: ');
});
