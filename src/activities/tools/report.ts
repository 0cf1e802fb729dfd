// The tool report: checks every quote, adds the gaps, stores Markdown and JSON, and tells the model the marks.
// Runs in Node.
import type { LogRecord } from '../../core/messages.ts';
import { renderReport } from '../../core/report-markdown.ts';
import { reportJsonName, toReportRef } from '../../core/report.ts';
import type { CheckedQuote, Report } from '../../core/report.ts';
import type { ReportRef } from '../../core/run-result.ts';
import { reportTool } from '../../core/tools/report.ts';
import type { ReportInput } from '../../core/tools/report.ts';
import { toolOutputPrefix } from '../artifact-store.ts';
import { toolOutputId } from '../tool-output-id.ts';
import { checkClaims } from './evidence.ts';
import { findGaps } from './gaps.ts';
import { registerTool } from './tool-handler.ts';
import type { RegisteredTool, ToolContext } from './tool-handler.ts';

/** The last report of a run counts; each is kept under the id of its call. */
export function createReportTool(): RegisteredTool {
  return registerTool(reportTool, async (input, context) => {
    const log = await context.transcript();
    const report = await toReport(redactInput(input, context.redact), context, log);
    const ref = toReportRef(
      report,
      `${toolOutputId(context.callId).replace(toolOutputPrefix, 'report-')}.md`,
    );
    await store(report, ref, context);
    return {
      text: describeMarks(report, ref, isCorrection(log, context)),
      details: { ...ref, gaps: report.gaps.length },
      ownWords: true,
      report: ref,
    };
  });
}

async function toReport(input: ReportInput, context: ToolContext, log: LogRecord[]): Promise<Report> {
  const { sessionId, runId, turn, redact } = context;
  const found = findGaps(log, runId).map((gap) => ({ ...gap, text: redact(gap.text) }));
  return {
    version: 1,
    sessionId,
    runId,
    turn,
    summary: input.summary,
    grade: input.grade,
    claims: await checkClaims(input.claims, context, log),
    ruledOut: input.ruledOut,
    gaps: [...input.gaps.map((text) => ({ text, source: 'model' as const })), ...found],
    ...(input.timeline === undefined ? {} : { timeline: input.timeline }),
  };
}

// The model's words may repeat a secret that a person gave it; outputs are redacted before it sees them.
function redactInput(input: ReportInput, redact: (text: string) => string): ReportInput {
  return {
    ...input,
    summary: redact(input.summary),
    claims: input.claims.map((claim) => ({
      text: redact(claim.text),
      quotes: claim.quotes.map(({ callId, quote }) => ({ callId: redact(callId), quote: redact(quote) })),
    })),
    ruledOut: input.ruledOut.map(redact),
    gaps: input.gaps.map(redact),
    ...(input.timeline === undefined
      ? {}
      : { timeline: input.timeline.map(({ at, event }) => ({ at: redact(at), event: redact(event) })) }),
  };
}

async function store(report: Report, ref: ReportRef, context: ToolContext): Promise<void> {
  try {
    await context.artifacts.put(
      context.sessionId,
      reportJsonName(ref.artifactId),
      JSON.stringify(report, null, 2),
    );
    await context.artifacts.put(context.sessionId, ref.artifactId, renderReport(report));
  } catch (error) {
    throw new Error(
      'The report could not be stored: this worker cannot write the artifact store. Say so in your answer.',
      {
        cause: error,
      },
    );
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
    `claim ${index + 1}: ${claim.verified ? 'verified' : 'UNVERIFIED'}${claim.quotes.length === 0 ? ' (it has no quote)' : ''}`,
    ...claim.quotes.map((quote, place) => `  quote ${place + 1}: ${describeQuote(quote)}`),
  ]);
  const gaps = report.gaps.filter((gap) => gap.source === 'code').length;
  return [
    `Report stored. ${ref.verifiedQuotes} of ${ref.quotes} quotes and ${ref.verifiedClaims} of ${ref.claims} claims verified.`,
    ...claims,
    ...(gaps > 0 ? [`${gaps} gaps were added: calls that failed, were denied or were stopped.`] : []),
    whatNext(ref, corrected),
  ].join('\n');
}

function describeQuote(quote: CheckedQuote): string {
  return quote.verified
    ? `verified, line ${quote.position?.line ?? '?'}`
    : `NOT FOUND: ${quote.reason ?? ''}`;
}

function whatNext(ref: ReportRef, corrected: boolean): string {
  if (ref.verifiedClaims === ref.claims && ref.verifiedQuotes === ref.quotes)
    return 'Now give your final answer.';
  if (corrected)
    return 'This was the correction: what is unverified stays marked so. Now give your final answer.';
  return 'Correct what was not found and call report once more with everything in it, or let the marks stand.';
}
