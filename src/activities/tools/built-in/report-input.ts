// What a model hands in with the tool report. Runs in Node, pure.
import { z } from 'zod';

const text = (length: number) => z.string().min(1).max(length);

const quote = z.strictObject({
  callId: text(500).describe(
    'Id of the tool call whose output holds the quote. Of a call that another agent made for you: as it names it.',
  ),
  quote: text(2_000).describe(
    'Copied character by character from that output, at best one whole line with its figures. No ellipsis, no change. ' +
      'Fewer than 12 characters count only where they are a whole line.',
  ),
});

export type Quote = z.output<typeof quote>;

const quotes = z.array(quote).max(20);

const claim = z.strictObject({
  text: text(2_000).describe('One finding in plain words.'),
  role: z
    .enum(['cause', 'effect', 'background'])
    .exactOptional()
    .describe('cause: it led to the impact. effect: it is a part or a result of it. background: neither.'),
  confidence: z.enum(['high', 'medium', 'low']).exactOptional().describe('How sure you are of this one.'),
  quotes: quotes.describe(
    'What shows it. A claim without a quote is marked so, and one with nothing but table headers or the output of ' +
      'failed calls, too.',
  ),
});

const impact = z.strictObject({
  who: text(500).describe('Who or what is affected, as measured.'),
  since: text(200).describe('Since when, with the time zone; "unknown" where it is not known.'),
  severity: text(500).describe('How bad it is, in figures where there are some.'),
  ongoing: z.enum(['yes', 'no', 'unknown']).describe('Whether it is still happening, by your last look.'),
});

const rootCause = z.strictObject({
  component: text(200).describe('The one thing that is at fault, by its name in the system.'),
  kind: text(100).describe(
    'Of what kind the fault is: configuration, deployment, capacity, code, dependency, network, certificate, data, ' +
      'hardware or another word; "unknown" where it is not known, "none" where nothing is wrong.',
  ),
  text: text(1_000).describe('What is wrong with it, and how that leads to the impact.'),
});

const recommended = z.strictObject({
  text: text(1_000).describe('One thing to do, so that another can do it.'),
  risk: text(500).exactOptional().describe('What it may break.'),
  rollback: text(500).exactOptional().describe('How it is undone.'),
});

const ruledOut = z.union([
  z.strictObject({
    text: text(1_000),
    quotes: quotes.default([]).describe('What refutes it.'),
  }),
  text(1_000).transform((plain) => ({ text: plain, quotes: [] as Quote[] })),
]);

const event = z.strictObject({
  at: text(100).describe('The time as it is written where you read it, with its zone.'),
  event: text(500),
  quotes: quotes.default([]).describe('Where that is written.'),
});

/** What is optional is asked for once more where it was left out (report-answer.ts). */
export const reportInput = z.strictObject({
  summary: text(4_000).describe('What happened, why, and what state things are in now.'),
  grade: z
    .enum(['confirmed', 'likely', 'inconclusive'])
    .describe(
      'confirmed: the evidence leaves no other explanation. likely: it fits best. inconclusive: open.',
    ),
  impact: impact.exactOptional(),
  rootCause: rootCause.exactOptional(),
  claims: z.array(claim).max(30).describe('The most important first.'),
  ruledOut: z.array(ruledOut).max(30).default([]).describe('Explanations that do not hold, and why.'),
  recommended: z
    .array(recommended)
    .max(20)
    .exactOptional()
    .describe('What is left to do, the most urgent first. An empty list where nothing is.'),
  gaps: z.array(text(1_000)).max(30).default([]).describe('What could not be looked at, or is not known.'),
  timeline: z.array(event).max(60).exactOptional().describe('What happened when, oldest first.'),
});

export type ReportInput = z.output<typeof reportInput>;
