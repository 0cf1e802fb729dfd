// Two tools of a reader of docs/tools.md, for its tool groups.
import { z } from 'zod';
import { defineTool } from '../../../src/config/define-config.ts';

export const queryMetrics = defineTool({
  name: 'query_metrics',
  description: 'Evaluates one query.',
  input: z.strictObject({ query: z.string() }),
  effect: 'read',
  run: async ({ query }) => ({ text: `${query}: 1` }),
});

export const tailLog = defineTool({
  name: 'tail_log',
  description: 'Prints the end of one log.',
  input: z.strictObject({ path: z.string() }),
  effect: 'read',
  run: async ({ path }) => ({ text: `${path} is empty.` }),
});
