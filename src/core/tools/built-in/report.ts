// Declaration of the tool report. Activities only: it builds a schema.
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

const quote = z.strictObject({
  callId: z.string().min(1).max(500).describe('Id of the tool call whose output holds the quote.'),
  quote: z
    .string()
    .min(1)
    .max(2_000)
    .describe(
      'Copied character by character from that output, at best one whole line. No ellipsis, no change.',
    ),
});

const claim = z.strictObject({
  text: z.string().min(1).max(2_000).describe('One finding in plain words.'),
  quotes: z.array(quote).max(20).describe('What shows it. A claim without a quote is marked so.'),
});

export const reportTool = defineTool({
  name: 'report',
  label: 'Report',
  description:
    'Hands in the findings of the investigation, at its end. Each claim carries quotes, and each quote is looked up ' +
    'in the stored output of the call that it names: copy it exactly. The answer tells which quotes were found. If ' +
    'some were not, correct them and call report once more; the last report counts. Say also what you ruled out, ' +
    'and under gaps what you could not look at: failed and denied calls are added by themselves. A call whose outcome ' +
    'is unknown stays a gap until you quote a later read of what it was to change.',
  input: z.strictObject({
    summary: z.string().min(1).max(4_000).describe('What happened, why, and what state things are in now.'),
    grade: z
      .enum(['confirmed', 'likely', 'inconclusive'])
      .describe(
        'confirmed: the evidence leaves no other explanation. likely: it fits best. inconclusive: open.',
      ),
    claims: z.array(claim).max(30),
    ruledOut: z
      .array(z.string().min(1).max(1_000))
      .max(30)
      .default([])
      .describe('Explanations that do not hold, and why.'),
    gaps: z
      .array(z.string().min(1).max(1_000))
      .max(30)
      .default([])
      .describe('What could not be looked at, or is not known.'),
    timeline: z
      .array(z.strictObject({ at: z.string().min(1).max(100), event: z.string().min(1).max(500) }))
      .max(60)
      .optional()
      .describe('What happened when, oldest first.'),
  }),
  effect: 'read',
  timeoutMs: 60_000,
  summaryArguments: ['grade', 'summary'],
});

export type ReportInput = z.output<typeof reportTool.input>;
