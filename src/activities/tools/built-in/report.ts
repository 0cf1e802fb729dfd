// The tool report: checks every quote, adds the gaps, stores Markdown and JSON, and tells the model the marks.
// Runs in Node.
import { z } from 'zod';
import type { LogRecord } from '../../../core/model/messages.ts';
import {
  type CheckedClaim,
  type CheckedQuote,
  type Gap,
  type Report,
  toReportRef,
} from '../../../core/report/report.ts';
import type { ReportRef } from '../../../core/model/run-result.ts';
import { toolOutputPrefix, toolOutputId } from '../../../stored/artifact-names.ts';
import { isOutage } from '../../storage/artifact-store.ts';
import { storeUnavailable, toStoreUnavailable } from '../../storage/segments.ts';
import { ToolInfrastructureError } from '../run-handler.ts';
import { closeGaps, findChildGaps, findGaps, findHostGaps } from '../../report/gaps.ts';
import { checkClaims } from '../../report/evidence.ts';
import { storeReport } from '../../report/stored-report.ts';
import { readChildLogs, readLoggedCalls } from '../../../stored/logged-calls.ts';
import { defineTool, type RegisteredTool, type ToolContext } from '../define-tool.ts';

const quote = z.strictObject({
  callId: z
    .string()
    .min(1)
    .max(500)
    .describe(
      'Id of the tool call whose output holds the quote. Of a call that another agent made for you: as it names it.',
    ),
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

export const reportInput = z.strictObject({
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
});

export type ReportInput = z.output<typeof reportInput>;

/** The last report of a run counts; each is kept under the id of its call. */
export function createReportTool(): RegisteredTool {
  return defineTool({
    name: 'report',
    label: 'Report',
    description:
      'Hands in the findings of the investigation, at its end. Each claim carries quotes, and each quote is looked up ' +
      'in the stored output of the call that it names: copy it exactly. The answer tells which quotes were found. If ' +
      'some were not, correct them and call report once more; the last report counts. Say also what you ruled out, ' +
      'and under gaps what you could not look at: failed and denied calls are added by themselves. A call whose outcome ' +
      'is unknown stays a gap until you quote a later read of what it was to change.',
    input: reportInput,
    effect: 'read',
    timeoutMs: 60_000,
    summaryArguments: ['grade', 'summary'],
    run: async (input, context) => {
      const log = await context.transcript();
      const report = await toReport(redactInput(input, context.redact), context, log);
      const ref = toReportRef(
        report,
        `${toolOutputId(context.callId).replace(toolOutputPrefix, 'report-')}.md`,
      );
      await store(report, ref, context);
      return {
        text: describeMarks(report, ref, isCorrection(log, context)),
        details: { ...ref, gaps: report.gaps.filter(isOpen).length },
        ownWords: true,
        report: ref,
      };
    },
  });
}

async function toReport(input: ReportInput, context: ToolContext, log: LogRecord[]): Promise<Report> {
  const { sessionId, runId, turn, redact } = context;
  const children = await readChildLogs(log, context).catch(storeUnavailable);
  const calls = readLoggedCalls(log, children);
  const claims = await checkClaims(input.claims, context, calls);
  const found = [
    ...findHostGaps(context.hosts, log, runId),
    ...findGaps(log, runId),
    ...findChildGaps(children),
  ].map((gap) => ({
    ...gap,
    text: redact(gap.text),
  }));
  return {
    version: 2,
    sessionId,
    runId,
    turn,
    author: 'agent',
    summary: input.summary,
    grade: input.grade,
    claims,
    ruledOut: input.ruledOut.map((text) => ({ text, quotes: [] })),
    gaps: [
      ...input.gaps.map((text) => ({ text, source: 'model' as const })),
      ...closeGaps(found, claims, calls, context),
    ],
    ...(input.timeline === undefined
      ? {}
      : { timeline: input.timeline.map((entry) => ({ ...entry, quotes: [] })) }),
    ...(context.dryRun ? { dryRun: true } : {}),
  };
}

// The model's words may repeat a secret that a person gave it; outputs are redacted before it sees them.
function redactInput(input: ReportInput, redact: (text: string) => string): ReportInput {
  const reviver = (_key: string, value: unknown) => (typeof value === 'string' ? redact(value) : value);
  return JSON.parse(JSON.stringify(input), reviver);
}

async function store(
  report: Report,
  { artifactId }: ReportRef,
  { artifacts, sessionId, attempt }: ToolContext,
): Promise<void> {
  try {
    await storeReport(artifacts, sessionId, artifactId, report);
  } catch (error) {
    if (isOutage(error, attempt))
      throw new ToolInfrastructureError('The report was not stored.', { cause: toStoreUnavailable(error) });
    const message =
      'The report could not be stored: this worker cannot write the artifact store. Say so in your answer.';
    throw new Error(message, { cause: error });
  }
}

function isCorrection(log: LogRecord[], context: ToolContext): boolean {
  return log.some(
    (record) =>
      record.role === 'tool_result' &&
      record.toolName === 'report' &&
      record.runId === context.runId &&
      record.callId !== context.callId &&
      !record.isError,
  );
}

function describeMarks(report: Report, ref: ReportRef, corrected: boolean): string {
  const claims = report.claims.flatMap((claim, index) => [
    `claim ${index + 1}: ${describeMark(claim)}`,
    ...claim.quotes.map((quote, place) => `  quote ${place + 1}: ${describeQuote(quote)}`),
  ]);
  const gaps = report.gaps.filter((gap) => gap.source === 'code' && isOpen(gap)).length;
  const closed = report.gaps.length - report.gaps.filter(isOpen).length;
  return [
    `Report stored. ${ref.verifiedQuotes} of ${ref.quotes} quotes found, all of them for ${ref.verifiedClaims} of ${ref.claims} claims.`,
    ...claims,
    ...(gaps > 0 ? [`Gaps added: ${gaps} (calls that failed, were denied or were stopped).`] : []),
    ...(closed > 0 ? [`Gaps closed by a quoted later read: ${closed}.`] : []),
    whatNext(ref, corrected),
  ].join('\n');
}

function isOpen(gap: Gap): boolean {
  return gap.closedBy === undefined;
}

function describeMark({ verified, quotes }: CheckedClaim): string {
  if (quotes.length === 0) return 'NO QUOTE';
  return verified ? 'every quote found' : 'QUOTE NOT FOUND';
}

function describeQuote(quote: CheckedQuote): string {
  return quote.verified ? `found, line ${quote.position?.line ?? '?'}` : `NOT FOUND: ${quote.reason ?? ''}`;
}

function whatNext(ref: ReportRef, corrected: boolean): string {
  if (ref.verifiedClaims === ref.claims && ref.verifiedQuotes === ref.quotes)
    return 'Now give your final answer.';
  if (corrected)
    return 'This was the correction: quotes that were not found stay marked so. Now give your final answer.';
  return 'Correct what was not found and call report once more with everything in it, or let the marks stand.';
}
