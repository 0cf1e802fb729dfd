// The input of the tool report. Runs in Node, pure.
import { z } from 'zod';

const text = (length: number) => z.string().min(1).max(length);

const quote = z.strictObject({ callId: text(500), quote: text(2_000) });

export type Quote = z.output<typeof quote>;

const quotes = z.array(quote).max(20);
/** described once: the text on the quotes of a claim applies to all */
const shown = quotes.describe(
  'Best one whole line of the call’s output, copied exactly. Table headers and failed calls show nothing.',
);

const claim = z.strictObject({
  text: text(2_000),
  role: z.enum(['cause', 'effect', 'background']).exactOptional(),
  confidence: z.enum(['high', 'medium', 'low']).exactOptional(),
  quotes: shown,
});

const impact = z.strictObject({
  who: text(500),
  since: text(200).describe('With the time zone, or "unknown".'),
  severity: text(500).describe('In figures.'),
  ongoing: z.enum(['yes', 'no', 'unknown']),
});

const rootCause = z.strictObject({
  component: text(200),
  kind: text(100).describe(
    'E.g. configuration, deployment, capacity, code, network, certificate, data; "unknown"; "none".',
  ),
  text: text(1_000).describe('How it leads to the impact.'),
  hypothesis: text(20).exactOptional().describe('"h1"'),
});

const recommended = z.strictObject({
  text: text(1_000),
  risk: text(500).exactOptional(),
  rollback: text(500).exactOptional(),
});

const ruledOut = z.union([
  z.strictObject({ text: text(1_000), quotes: quotes.default([]) }),
  text(1_000).transform((plain): { text: string; quotes: Quote[] } => ({ text: plain, quotes: [] })),
]);

const event = z.strictObject({
  at: text(100).describe('As written, with zone.'),
  event: text(500),
  quotes: quotes.default([]),
});

/** Missing optional parts are requested once more (report-answer.ts). */
export const reportInput = z.strictObject({
  summary: text(4_000),
  grade: z
    .enum(['confirmed', 'likely', 'inconclusive'])
    .describe('confirmed: no other explanation is left. likely: it fits best.'),
  impact: impact.exactOptional(),
  rootCause: rootCause.exactOptional(),
  claims: z.array(claim).max(30).describe('The most important first.'),
  ruledOut: z.array(ruledOut).max(30).default([]),
  recommended: z.array(recommended).max(20).exactOptional().describe('Most urgent first; [] for nothing.'),
  gaps: z.array(text(1_000)).max(30).default([]).describe('Not looked at.'),
  timeline: z.array(event).max(60).exactOptional(),
});

export type ReportInput = z.output<typeof reportInput>;
