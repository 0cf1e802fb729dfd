// The skills of a worker: what lies in its folders, and the tools that come with them. Runs in Node.
import type { RegisteredTool } from '../tools/define-tool.ts';
import { createSkillShelf, type SkillShelf, type SkillShelfOptions } from './skill-shelf.ts';
import { createReadSkillFileTool, loadSkillsTool, loadSkillTool } from './skill-tools.ts';

export type WorkerSkills = SkillShelf & { tools: readonly RegisteredTool[] };

/** Undefined where the configuration names no folder: then a session has no skills, and none of their tools. */
export function createWorkerSkills(
  options: SkillShelfOptions & { closed: readonly string[] },
): WorkerSkills | undefined {
  if (options.folders.length === 0) return undefined;
  const shelf = createSkillShelf(options);
  return { ...shelf, tools: [loadSkillTool, loadSkillsTool, createReadSkillFileTool(shelf, options.closed)] };
}
