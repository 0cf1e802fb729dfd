// Declaration of the tool grep. Activities only: it builds a schema.
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const grepTool = defineTool({
  name: 'grep',
  label: 'Search files',
  description:
    'Searches the lines of files with a regular expression (ripgrep: no look-around, no back-references), hidden ' +
    'and git-ignored files too. Answers "path:line:text"; quote the text part. Use output "count" first when you ' +
    'expect many hits, "files" to see where something occurs at all, and context to see the lines around a hit. ' +
    'Binary files are skipped, symbolic links are not followed, lines over 2,000 characters are cut.',
  input: z.strictObject({
    pattern: z.string().min(1).max(2_000).describe('Regular expression, or plain text with literal.'),
    path: z.string().min(1).optional().describe('File or folder. Absent: all allowed folders.'),
    glob: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Only files that match, such as "*.log" or "!*.json".'),
    literal: z.boolean().default(false).describe('Take the pattern as plain text.'),
    ignoreCase: z.boolean().default(false),
    context: z.int().min(0).max(20).default(0).describe('Lines to show before and after each hit.'),
    output: z
      .enum(['lines', 'files', 'count'])
      .default('lines')
      .describe('"count" counts the lines per file.'),
    limit: z.int().min(1).max(2_000).default(200).describe('Lines of output at most.'),
  }),
  effect: 'read',
  timeoutMs: 30_000,
  summaryArguments: ['pattern', 'path', 'glob'],
});
