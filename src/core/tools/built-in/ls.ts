// Declaration of the tool ls. Activities only: it builds a schema.
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const lsTool = defineTool({
  name: 'ls',
  label: 'List folder',
  description:
    'Lists one folder: size in bytes, time of the last change (UTC) and name, sorted by name; folders end with "/". ' +
    'Without a path it lists the allowed folders: start here when you do not know what there is. Times of change ' +
    'tell which logs are alive and what was deployed when. At most 1,000 entries.',
  input: z.strictObject({
    path: z.string().min(1).optional().describe('The folder. Absent: the allowed folders.'),
  }),
  effect: 'read',
  timeoutMs: 15_000,
  summaryArguments: ['path'],
});
