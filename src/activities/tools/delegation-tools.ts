// The declarations of the delegation tools; their bodies are in core/loop/workflow-tools. An agent does not name them:
// they come with its place in the tree of sessions. Runs in Node.
import { z } from 'zod';
import { present } from '@holdfast/base/present';
import type { ListedAgent } from '@holdfast/vocabulary/children';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { declareWorkflowTool, type RegisteredTool } from './define-tool.ts';

const contextCharacters = 16_000;

/** By code, not by the schema, whose words do not say what to do. */
const tooLong = ({ input }: { input?: unknown }): string =>
  `has ${String(input).length} characters, and at most ${contextCharacters} are passed on: nothing was started. Send what the task ` +
  'needs, and name what the agent can read itself';

const taskSchema = z.strictObject({
  agent: z.string().min(1).max(100),
  task: z.string().min(1).max(20_000),
  context: z
    .string()
    .refine((text) => text.length <= contextCharacters, { error: tooLong })
    .describe('What it needs to know: it sees nothing else of yours.'),
  task_id: z.string().min(1).max(200).optional(),
});

/** Each task is a workflow: more at once than people can follow, and fewer than the server takes. */
const maxTasks = 50;

const delegateTool = declareWorkflowTool({
  name: 'delegate',
  label: 'Delegate',
  description:
    'Gives independent tasks to agents that work at the same time, and waits for all. Answers a JSON array in your order: ' +
    'their word, check what matters.',
  input: z.strictObject({ tasks: z.array(taskSchema).max(maxTasks) }),
  summaryArguments: ['tasks.agent'],
});

const listAgentsTool = declareWorkflowTool({
  name: 'list_agents',
  label: 'List agents',
  description: 'Lists the agents that you can delegate to.',
  input: z.strictObject({}),
});

const taskCompleteTool = declareWorkflowTool({
  name: 'task_complete',
  label: 'Complete task',
  description:
    'Ends your work on the task, and says how it went. Always call it at the end, also when the task cannot be done: then ' +
    'with status failed. It is what the agent that gave you the task reads, and only the first call counts.',
  input: z.strictObject({
    status: z.enum(['completed', 'failed']),
    summary: z.string().max(20_000).describe('What you found or did, with what it rests on.'),
    files_modified: z.array(z.string().max(1_000)).max(200).optional(),
    tests_run: z.array(z.string().max(1_000)).max(200).optional(),
    caveats: z.string().max(8_000).optional().describe('What is not sure, was not looked at, or went wrong.'),
  }),
  summaryArguments: ['status', 'summary'],
});

export const delegationTools: readonly RegisteredTool[] = [delegateTool, listAgentsTool, taskCompleteTool];
export const delegationToolNames: readonly string[] = delegationTools.map(({ spec }) => spec.name);

/** The tools at this depth, 0 at the top; without `agents` there is nobody to delegate to. */
export function delegationSpecs(depth: number, agents: readonly ListedAgent[]): ToolSpec[] {
  return present([
    agents.length > 0 && delegateTool.spec,
    agents.length > 0 && listAgentsTool.spec,
    depth > 0 && taskCompleteTool.spec,
  ]);
}
