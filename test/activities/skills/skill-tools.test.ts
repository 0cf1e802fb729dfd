// The tools of skills on workers that differ: who can serve a run that began elsewhere.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createFrozenAccess } from '../../../src/activities/tools/frozen-access.ts';
import { createReadSkills } from '../../../src/activities/skills/read-skills.ts';
import type { FrozenSkill } from '@holdfast/vocabulary/frozen-context';
import { textOf } from '@holdfast/vocabulary/messages';
import { createMemoryArtifactStore } from '../../../src/in-process/memory-artifact-store.ts';
import { frozenContext } from '../../support/frozen-context.ts';
import { skillFile, skillsIn, writeFiles } from '../../support/skill-folders.ts';
import { temporaryFolder, toolBench } from '../../support/tool-calls.ts';
import { skillArtifact } from '@holdfast/stored/artifact-names';

let [folder, other] = ['', ''];
let skills: FrozenSkill[] = [];
beforeEach(async () => {
  const base = await temporaryFolder();
  [folder, other] = [join(base, 'skills'), join(base, 'other')];
  await writeFiles(folder, {
    'a/SKILL.md': skillFile('disk', 'd', 'Run df.'),
    'a/x.md': 'of x',
    'b/SKILL.md': skillFile('net', 'd', 'y'.repeat(60_000)),
    'c/SKILL.md': skillFile('big', 'd', 'z'.repeat(60_000)),
    'd/SKILL.md': skillFile('large', 'd', 'w'.repeat(60_000)),
  });
  await writeFiles(other, { 'a/SKILL.md': skillFile('else', 'd', 'Else.') });
  skills = (await skillsIn(folder).read()).skills.map(({ name, sha256, source }) => ({
    name,
    sha256,
    source,
  }));
});

async function readFile(of: string, args: { skill: string; path: string }) {
  const tool = skillsIn(of).tools.find(({ spec }) => spec.name === 'read_skill_file');
  if (!tool) throw new Error('there is no read_skill_file');
  const frozenAccess = createFrozenAccess({
    contexts: { find: () => Promise.resolve(frozenContext({ skills })) },
    identity: 'w2',
    policy: [],
  });
  const bench = await toolBench(tool, { frozenAccess });
  return textOf((await bench.run(args, { contextDigest: 'c' })).message);
}

test('[SKILL-07c] [WORKER-01ab] a worker without a skill of the run hands the call back, and one that has them serves it', async () => {
  expect(await readFile(folder, { skill: 'disk', path: 'x.md' })).toBe('of x');
  await expect(readFile(other, { skill: 'disk', path: 'x.md' })).rejects.toMatchObject({
    type: 'Worker.Lacks',
    message: expect.stringMatching(
      /^Worker w2 .* has no skill "big", which this run began with \(skills\/c\)\.$/,
    ),
  });
});

async function load(
  from: string,
  names: string[],
  more: { artifacts?: ReturnType<typeof createMemoryArtifactStore>; off?: boolean } = {},
) {
  const { artifacts = createMemoryArtifactStore(), off = false } = more;
  const { settings, ...context } = frozenContext({ skills });
  const readSkills = createReadSkills({
    artifacts,
    skills: skillsIn(from),
    contexts: { load: async () => ({ ...context, settings: { ...settings, offTheRecord: off } }) },
  });
  return readSkills({ sessionId: 's', contextDigest: 'c', names });
}

test('[SKILL-03a] the text of a skill that is gone from the disk comes from the store, if it is what was kept', async () => {
  const [, disk] = skills;
  if (disk?.name !== 'disk') throw new Error('sorted otherwise');
  const text = (await skillsIn(folder).read()).skills[1]?.text ?? '';
  await rm(join(folder, 'a'), { recursive: true });
  const artifacts = createMemoryArtifactStore();
  const gone = { read: [], unread: [{ name: 'disk', reason: expect.stringContaining('is not as it was') }] };
  expect(await load(folder, ['disk'], { artifacts })).toEqual(gone);
  await artifacts.put('s', skillArtifact(disk.sha256), 'forged');
  expect(await load(folder, ['disk'], { artifacts })).toEqual(gone);
  await artifacts.put('s', skillArtifact(disk.sha256), text);
  expect(await load(folder, ['disk'], { artifacts })).toEqual({ read: [{ name: 'disk', text }], unread: [] });
  expect(await load(folder, ['disk'], { artifacts, off: true })).toEqual(gone);
});

test('[SKILL-03a] more than one payload holds is not cut: the rest is named', async () => {
  const { read, unread } = await load(folder, ['net', 'big', 'large', 'disk']);
  expect(read.map(({ name }) => name)).toEqual(['net', 'big', 'disk']);
  expect(unread).toEqual([{ name: 'large', reason: 'does not fit beside the others: load it alone' }]);
});
