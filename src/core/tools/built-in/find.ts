// Declaration of the tool find. Activities only: it builds a schema.
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const findTool = defineTool({
  name: 'find',
  label: 'Find files',
  description:
    'Finds files by name under a folder, hidden and git-ignored ones too: size in bytes, time of the last change ' +
    '(UTC) and path. Patterns are globs: "*.log" matches the name at any depth, "**/conf/*.yaml" a path, ' +
    '"{a,b}" either. Symbolic links are not followed. It does not look into files: use grep for that.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1_000).describe('Glob, such as "*.log" or "**/conf/*.yaml".'),
    path: z.string().min(1).optional().describe('Folder to look in. Absent: all allowed folders.'),
    sort: z.enum(['path', 'newest']).default('path').describe('"newest" lists the last changed first.'),
    limit: z.int().min(1).max(2_000).default(200).describe('How many files at most.'),
  }),
  effect: 'read',
  timeoutMs: 30_000,
  summaryArguments: ['pattern', 'path'],
});
