// Declaration of the tool read. Activities only: it builds a schema.
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const readTool = defineTool({
  name: 'read',
  label: 'Read file',
  description:
    'Reads lines of one text file, exactly as they stand in it, so that they can be quoted. Use it for ' +
    'configuration, for the end of a log (negative offset), and for the surroundings of a line that grep found. ' +
    'Use grep instead to search a large file. Paths are absolute, or relative to an allowed folder; files ' +
    'outside the allowed folders are refused. At most 2,000 lines a call, and 1 MiB.',
  input: z.strictObject({
    path: z.string().min(1).describe('The file.'),
    offset: z
      .int()
      .refine((offset) => offset !== 0, 'lines are counted from 1')
      .default(1)
      .describe(
        'First line to read, counted from 1. Negative counts from the end: -100 starts 100 lines before it.',
      ),
    limit: z.int().min(1).max(2_000).default(500).describe('How many lines.'),
  }),
  effect: 'read',
  timeoutMs: 30_000,
  summaryArguments: ['path', 'offset'],
});
