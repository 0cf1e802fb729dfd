// Declaration of the tool pin_finding, which runs in the workflow. Activities only: it builds a schema.
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const pinFindingTool = defineTool({
  name: 'pin_finding',
  label: 'Pin finding',
  description:
    'Pins one finding for the rest of the session: what you have established and will need to the end, with host, ' +
    'time or number. Older messages may be folded into a summary; pinned findings stay as you wrote them. All of ' +
    'them together have 8 KiB, and none can be taken back: pin facts, not guesses.',
  input: z.strictObject({
    text: z.string().min(1).max(8_192).describe('The finding, in one or two sentences.'),
  }),
  effect: 'read',
  timeoutMs: 1_000,
  runsIn: 'workflow',
  summaryArguments: ['text'],
});
