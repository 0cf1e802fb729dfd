// Declaration of the tool load_tools, which runs in the workflow. Activities only: it builds a schema.
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

/** Its description gets the agent's groups where a run is assembled. */
export const loadToolsTool = defineTool({
  name: 'load_tools',
  label: 'Load tools',
  description: 'Adds the tools of one or more groups to yours; you can call them from your next message on.',
  input: z.strictObject({
    groups: z.array(z.string().min(1).max(100)).min(1).max(50).describe('Names of groups.'),
  }),
  effect: 'read',
  timeoutMs: 60_000,
  executionMode: 'sequential',
  runsIn: 'workflow',
  summaryArguments: ['groups'],
});
