// The skills of a worker: the content of its folders, and the tools that come with them. Runs in Node.
import type { RegisteredTool } from '../tools/define-tool.ts';
import { createSkillShelf, type SkillShelf, type SkillShelfOptions } from '../skills/skill-shelf.ts';
import { loadSkillsTool, loadSkillTool } from '../skills/skill-tools.ts';
import { createReadSkillFileTool } from '../built-in/files/read-skill-file.ts';

export type WorkerSkills = SkillShelf & { tools: readonly RegisteredTool[] };

/** Undefined if the configuration names no folder; sessions then have no skills and none of their tools. */
export function createWorkerSkills(
  options: SkillShelfOptions & { closed: readonly string[] },
): WorkerSkills | undefined {
  if (options.folders.length === 0) return undefined;
  const shelf = createSkillShelf(options);
  return { ...shelf, tools: [loadSkillTool, loadSkillsTool, createReadSkillFileTool(shelf, options.closed)] };
}
