// Folders of skills, as others write them: what is read, what is left out and why.
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseSkill } from '../../../src/activities/skills/parse-skill.ts';
import { sharedMissing, sharedPath } from '../../support/shared.ts';
import { skillFile, skillsIn, writeFiles } from '../../support/skill-folders.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

let base = '';
beforeEach(async () => {
  base = await temporaryFolder();
});

const read = (...folders: string[]) => skillsIn(...folders.map((folder) => join(base, folder))).read();

describe('a skill of others', () => {
  const shared = sharedPath('data/skills');
  test.skipIf(!shared)(
    `[SKILL-01ab] the recorded folders load unchanged, each with its files ${shared ? '' : sharedMissing('data/skills')}`,
    async () => {
      const { skills, warnings } = await skillsIn(shared ?? '').read();
      expect(warnings).toEqual([]);
      expect(skills.map(({ name }) => name)).toEqual(['brand-guidelines', 'internal-comms', 'mcp-builder']);
      expect(skills.map(({ description = '' }) => description.length)).toEqual([236, 329, 277]);
      const [, comms, builder] = skills;
      expect(comms?.description).toContain('(status reports, leadership updates, 3P updates');
      expect(comms?.text).toMatch(/^## When to use this skill\n/);
      expect(comms?.text).toContain('- examples/3p-updates.md\n');
      expect(builder?.text).toContain('- reference/evaluation.md\n');
      expect(builder?.text).not.toContain('- SKILL.md');
    },
  );

  test.each<[string, string, object]>([
    [
      'further fields of every kind',
      'license: MIT\nallowed-tools: [Bash, Read]\nmetadata:\n  version: 1.2\n  tags: {a: 1}\nversion: 2026-01-01',
      { name: 'x' },
    ],
    [
      'a folded description',
      'description: >\n  Disks that\n  fill up.',
      { description: 'Disks that fill up.' },
    ],
    ['a quoted one with a colon', 'description: "Use it: always"', { description: 'Use it: always' }],
    ['a description of no words', 'description: ""', { triggers: [] }],
    ['triggers', 'triggers: [ENOSPC, "disk full", 7]', { triggers: ['ENOSPC', 'disk full'] }],
    ['one trigger', 'triggers: ENOSPC', { triggers: ['ENOSPC'] }],
  ])('[SKILL-01c] %s', (_, yaml, expected) => {
    const parsed = parseSkill(`---\nname: x\n${yaml}\n---\nBody: *text*\n`);
    expect(parsed).toMatchObject({ ok: true, value: { body: 'Body: *text*', ...expected } });
    if (!('description' in expected) && parsed.ok) expect(parsed.value.description).toBeUndefined();
  });

  test('[SKILL-01a] a byte-order mark and Windows line ends are no fault', () => {
    const parsed = parseSkill('\uFEFF---\r\nname: x\r\ndescription: d\r\n---\r\nBody\r\n---\r\nmore\r\n');
    expect(parsed).toMatchObject({ ok: true, value: { name: 'x', body: 'Body\r\n---\r\nmore' } });
  });

  test.each([
    ['# No front matter', 'has no front matter'],
    ['---\nname: x\nno end', 'has no front matter'],
    ['---\n---\nBody', 'has front matter without fields'],
    ['---\n- a\n---\nBody', 'has front matter without fields'],
    ['---\nname: x\ndescription: [a\ntriggers: b]\n  c: d\n---\nBody', 'is no YAML: '],
    ['---\nname: x\nname: y\n---\nBody', 'is no YAML: Map keys must be unique'],
    ['---\na: &a [*a, *a]\nname: X\n---\nBody', 'expected'],
    [
      '---\ndescription: d\n---\nBody',
      'has the name missing: expected lower-case letters, digits and hyphens',
    ],
    ['---\nname: Disk Full\n---\nBody', 'has the name "Disk Full": expected lower-case'],
    ['---\nname: disk_full\n---\nBody', 'has the name "disk_full"'],
    ['---\nname: ../x\n---\nBody', 'has the name "../x"'],
    [`---\nname: ${'x'.repeat(65)}\n---\nBody`, 'at most 64'],
    ['---\nname: 123\n---\nBody', 'has the name 123'],
    ['---\nname: x\ndescription: [a]\n---\nBody', 'has the description ["a"]: expected a text'],
    ['---\nname: x\n---\n\n', 'has no text below its front matter'],
  ])('[SKILL-01c] %j is refused: it %s', (text, reason) => {
    expect(parseSkill(text)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });
});

describe('a description without quotes', () => {
  test.each([
    ['Looks at it. Triggers on: lock waits, idle in transaction'],
    ['Use this agent when: x. Examples:\\n\\n<example>\\nuser: "Hi"\\nassistant: "Ho"'],
    ['Closes issue #12 and # of the others'],
    ['#1 of the tools'],
    ['@oncall reads this first'],
    ['`df` says that a disk is full'],
    ['"Disk full" is an alert: look'],
    ["'tis the season: look"],
    ['[beta] looks at disks'],
    ['{module-name} looks at disks'],
    ['*Always* use it'],
    ['!important: use it'],
    ['% of the disk'],
    ['- a list that is none'],
    ['Wann? Immer: «jetzt» – sofort'],
  ])('[SKILL-11] %s', (words) => {
    const parsed = parseSkill(`---\nname: x\ndescription: ${words}\nallowed-tools: [Read]\n---\nBody`);
    expect(parsed).toMatchObject({ ok: true, value: { name: 'x', description: words, tools: ['Read'] } });
  });

  test('[SKILL-11] on several lines', () => {
    const parsed = parseSkill('---\nname: x\ndescription: Use it: when\r\n  a disk: is full\r\n---\nBody');
    expect(parsed).toMatchObject({ ok: true, value: { description: 'Use it: when a disk: is full' } });
  });

  test('[SKILL-11] on the line below, as formatters break it', () => {
    const parsed = parseSkill(
      '---\nname: x\ndescription:\n  Use it: when a disk\n  is full\nlicense: MIT\n---\nBody',
    );
    expect(parsed).toMatchObject({ ok: true, value: { description: 'Use it: when a disk is full' } });
  });

  test.each([
    ['in quotes a # and a comment', '"a # b" # no word', 'a # b'],
    ['a block with colons', '|\n  a: b\n  # c', 'a: b # c'],
    ['folded', '>-\n  a: b\n  c', 'a: b c'],
  ])('[SKILL-11] what is YAML is read as YAML: %s', (_, yaml, description) => {
    const parsed = parseSkill(`---\nname: x\ndescription: ${yaml}\n---\nBody`);
    expect(parsed).toMatchObject({ ok: true, value: { description } });
  });

  test('[SKILL-12] another field that is no YAML leaves the skill readable, too', () => {
    const parsed = parseSkill(
      '---\nname: x\nargument-hint: [file] [line]\ncompatibility: Needs: psql\n---\nBody',
    );
    expect(parsed).toMatchObject({ ok: true, value: { name: 'x' } });
  });
});

test('[SKILL-13] blank lines stand before the front matter', () => {
  expect(parseSkill('\uFEFF\r\n \n---\nname: x\n---\nBody')).toMatchObject({
    ok: true,
    value: { name: 'x' },
  });
});

test('[SKILL-01c] a bad skill is a warning that names its file, and the others are there', async () => {
  await writeFiles(base, {
    'skills/good/SKILL.md': skillFile('good', 'It is good.', 'Do it.'),
    'skills/bad/SKILL.md': skillFile('Bad', 'It is bad.', 'Do it.'),
    'skills/long/SKILL.md': skillFile('long', 'It is long.', 'x'.repeat(64 * 1024)),
    'skills/plain.md': 'no skill',
    'skills/notes/README.md': 'no skill either',
    'skills/.git/SKILL.md': skillFile('hidden', 'no', 'no'),
  });
  await mkdir(join(base, 'skills/broken'));
  await symlink(join(base, 'nowhere'), join(base, 'skills/broken/SKILL.md'));
  await mkdir(join(base, 'skills/pipe'));
  await promisify(execFile)('mkfifo', [join(base, 'skills/pipe/SKILL.md')]);
  const { skills, warnings } = await read('skills', 'gone');
  expect(skills.map(({ name, source }) => [name, source])).toEqual([['good', 'skills/good']]);
  expect(warnings).toEqual([
    expect.stringMatching(/^Skill skipped: skills\/bad\/SKILL.md has the name "Bad": expected lower-case/),
    expect.stringMatching(/^Skill skipped: skills\/broken\/SKILL.md cannot be read: ENOENT/),
    expect.stringMatching(/^Skill skipped: skills\/long\/SKILL.md has 65\d+ bytes: expected at most 65536/),
    'Skill skipped: skills/pipe/SKILL.md is no file.',
    expect.stringMatching(/^No skills from gone: ENOENT/),
  ]);
});

test('[SKILL-01a] a folder may be a skill itself, or a link to one; of two with one name the first folder wins and the other is named', async () => {
  await writeFiles(base, {
    'ours/disk/SKILL.md': skillFile('disk', 'Ours.', 'Ours.'),
    'theirs/a/SKILL.md': skillFile('disk', 'Theirs.', 'Theirs.'),
    'theirs/b/SKILL.md': skillFile('net', 'First by folder.', 'B'),
    'theirs/c/SKILL.md': skillFile('net', 'Second.', 'C'),
  });
  await symlink(join(base, 'theirs/b'), join(base, 'ours/linked'));
  const alone = await read('theirs/c');
  expect(alone.skills.map(({ name }) => name)).toEqual(['net']);
  const { skills, warnings } = await read('ours', 'theirs');
  expect(skills.map(({ name, description }) => [name, description])).toEqual([
    ['disk', 'Ours.'],
    ['net', 'First by folder.'],
  ]);
  expect(warnings).toEqual([
    'Skill disk of theirs/a is not used: ours/disk comes first and has one of that name.',
    'Skill net of theirs/c is not used: ours/linked comes first and has one of that name.',
  ]);
});

test('[SKILL-01b] its files are listed by path, without hidden ones, links and a forest of packages', async () => {
  await writeFiles(base, {
    'skills/disk/SKILL.md': skillFile('disk', 'd', 'Body.'),
    'skills/disk/scripts/largest.sh': 'du',
    'skills/disk/references/quota.md': 'q',
    'skills/disk/assets/deep/er/x.txt': 'x',
    'skills/disk/.secret': 'no',
    'skills/disk/scripts/node_modules/p/index.js': 'no',
    'outside.txt': 'no',
  });
  await symlink(join(base, 'outside.txt'), join(base, 'skills/disk/link.txt'));
  const { skills } = await read('skills');
  expect(skills[0]?.text.split('\n')).toEqual([
    'Body.',
    '',
    expect.stringMatching(
      /^Files of this skill\. read_skill_file reads them; a script runs only as a command of bash/,
    ),
    '- references/quota.md',
    '- scripts/largest.sh',
    '- assets/deep/er/x.txt',
  ]);
  const before = skills[0]?.sha256;
  await writeFile(join(base, 'skills/disk/SKILL.md'), skillFile('disk', 'd', 'Other.'));
  expect((await read('skills')).skills[0]?.sha256).not.toBe(before);
});
