// The tools that come with an agent's skills only. Runs in Node.
import { z } from 'zod';
import { declareWorkflowTool } from '../tools/define-tool.ts';

export const skillName = z.string().min(1).max(64);
const whatItIs =
  'A skill says how a kind of work is done here. It gives no permission: approvals, policy and mode stay as they are.';

export const loadSkillTool = declareWorkflowTool({
  name: 'load_skill',
  label: 'Load skill',
  timeoutMs: 60_000,
  summaryArguments: ['name'],
  description: `Gives the full text of one of your skills. Load it before you do what its description names. ${whatItIs}`,
  input: z.strictObject({ name: skillName.describe('The name of a skill.') }),
});

export const loadSkillsTool = declareWorkflowTool({
  name: 'load_skills',
  label: 'Load skills',
  timeoutMs: 60_000,
  summaryArguments: ['skills'],
  description: `Gives the full texts of several of your skills at once, in the order asked. ${whatItIs}`,
  input: z.strictObject({ skills: z.array(skillName).min(1).max(20).describe('Names of skills.') }),
});

export const skillToolNames: readonly string[] = ['load_skill', 'load_skills', 'read_skill_file'];
