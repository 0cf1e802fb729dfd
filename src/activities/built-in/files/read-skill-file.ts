// The tool read_skill_file: lines of a file in the folder of one of the run's skills. Runs in Node.
import { isAbsolute, normalize } from 'node:path';
import { z } from 'zod';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { failWith } from '@holdfast/vocabulary/tool-spec';
import type { SkillShelf } from '../../skills/skill-shelf.ts';
import { skillName } from '../../skills/skill-tools.ts';
import { defineTool, type RegisteredTool } from '../../tools/define-tool.ts';
import { createReadTool } from './read.ts';

const input = z.strictObject({
  skill: skillName.describe('The name of a skill.'),
  path: z.string().min(1).max(1_000).describe("A path in the skill's folder, as its text names it."),
  offset: z.int().min(1).default(1).describe('First line to read, counted from 1.'),
  limit: z.int().min(1).max(2_000).default(500).describe('How many lines.'),
});

/** `closed` are closed folders inside a skill's folder. */
export function createReadSkillFileTool(shelf: SkillShelf, closed: readonly string[]): RegisteredTool {
  const find = async (name: string) => (await shelf.read()).skills.find((skill) => skill.name === name);
  // the tool read, for its guards against links and changes on the way
  const readerOf = (folder: string) => createReadTool({ roots: [folder], closed });
  const tool = defineTool({
    name: 'read_skill_file',
    label: 'Read skill file',
    description:
      'Reads lines of a file that belongs to one of your skills, such as a reference or a script. A relative path in the ' +
      "skill's folder; nothing outside it. It runs nothing.",
    input,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['skill', 'path'],
    inspect: async ({ skill, path }) => {
      const found = await find(skill);
      const facts = found && !leaves(path) ? readerOf(found.folder).inspect?.({ path }) : undefined;
      return (await facts) ?? { actions: [{ effect: 'read' }] };
    },
    run: async ({ skill, path, offset, limit }, context) => {
      const { skills = [] } = context;
      if (!skills.some(({ name }) => name === skill)) {
        const names = skills.map(({ name }) => name).join(', ');
        return failWith(`There is no skill ${JSON.stringify(skill)}. Skills: ${names}.`);
      }
      const found = await find(skill);
      if (!found) return failWith(`The folder of the skill ${skill} is not on this worker.`);
      if (leaves(path)) return failWith(`Refused: ${JSON.stringify(path)} leaves the folder of the skill.`);
      return readerOf(found.folder).run({ path, offset, limit }, context);
    },
  });
  return { ...tool, lacks: (context) => missingSkill(context, shelf) };
}

function leaves(path: string): boolean {
  return isAbsolute(path) || /^\.\.(?:[/\\]|$)/.test(normalize(path));
}

/** Without a skill of the run, the worker's answer about its files would be wrong. */
async function missingSkill(
  { skills = [] }: Pick<FrozenContext, 'skills'>,
  shelf: SkillShelf,
): Promise<string | undefined> {
  const there = new Set((await shelf.read()).skills.map(({ name }) => name));
  const missing = skills.find(({ name }) => !there.has(name));
  return missing && `has no skill "${missing.name}", which this run began with (${missing.source}).`;
}
