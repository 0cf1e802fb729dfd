// Declaration of the tool read_artifact. Activities only: it builds a schema.
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const readArtifactTool = defineTool({
  name: 'read_artifact',
  label: 'Read stored output',
  description:
    'Reads the full output of an earlier tool call of this session, when the result said that a part was left out ' +
    'and named an artifact. Give search to list the lines that contain a text (with their numbers), or offset and ' +
    'limit to read lines; for output in one long line give character instead. Without a range it starts at the ' +
    'beginning. At most 28,000 characters a call.',
  input: z.strictObject({
    artifactId: z.string().min(1).max(200).describe('As named in the result, such as "tool-call_7".'),
    search: z.string().min(1).max(1_000).optional().describe('Plain text; lines that contain it are listed.'),
    ignoreCase: z.boolean().default(false).describe('For search.'),
    offset: z
      .int()
      .refine((offset) => offset !== 0, 'lines are counted from 1')
      .default(1)
      .describe('First line, counted from 1. Negative counts from the end.'),
    limit: z.int().min(1).max(2_000).default(400).describe('How many lines, or hits of a search.'),
    character: z
      .int()
      .min(1)
      .optional()
      .describe('First character, counted from 1: reads on from there, not by lines.'),
  }),
  effect: 'read',
  timeoutMs: 30_000,
  summaryArguments: ['artifactId', 'search', 'offset'],
});
