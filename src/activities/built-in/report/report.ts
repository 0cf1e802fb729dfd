// The tool report: checks every quote, adds the gaps, stores Markdown and JSON, and returns the marks to the model. Runs
// in Node.
import { defined } from '@holdfast/base/defined';
import { type LogRecord, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import { provesLess } from '@holdfast/report/proves-less';
import { type Report, quotesOf } from '@holdfast/report/report';
import { toReportRef } from '@holdfast/report/report-ref';
import { judgeClaim } from '@holdfast/report/marks';
import { toolOutputPrefix, toolOutputId } from '@holdfast/stored/artifact-names';
import { type ChildLog, childrenIn, readChildLogs, readLoggedCalls } from '@holdfast/stored/logged-calls';
import { checkCause } from '../../report/cause-checks.ts';
import { alertedAt } from '../../report/causes/alerted-at.ts';
import { judgeLogged } from '../../report/judge-hypotheses.ts';
import { checkQuotes } from '../../report/check-quotes.ts';
import { closeGaps, findChildGaps, findGaps, findHostGaps } from '../../report/gaps.ts';
import { redactTexts } from '@holdfast/redaction/redact-texts';
import { countingReport, isAskedAnew } from '../../report/handed-in.ts';
import { storeReport } from '../../report/stored-report.ts';
import { unexplainedFailures } from '../../report/unexplained.ts';
import { isOutage } from '../../storage/artifact-store.ts';
import { storeUnavailable, toStoreUnavailable } from '../../storage/segments.ts';
import { defineTool, type RegisteredTool, type ToolContext } from '../../tools/define-tool.ts';
import { ToolInfrastructureError } from '../../tools/run-handler.ts';
import { describeMarks, openGaps, wantedOf } from './report-answer.ts';
import { parseArgumentText } from '../../tools/tool-arguments.ts';
import { type Repaired, repairReport } from './repair-report.ts';
import { type Quote, type ReportInput, reportInput } from './report-input.ts';

/** Each report is stored under the id of its call; handed-in.ts decides which one of a run counts. */
export function createReportTool(): RegisteredTool {
  return defineTool({
    name: 'report',
    label: 'Report',
    description:
      'Hands in the findings, at the end. Quotes are looked up in the stored outputs. The answer says what was not found or is ' +
      'missing: call it once more, with everything in it; that one is final. Failed and denied calls become gaps by themselves; ' +
      'an unknown outcome stays one until you quote a later read of what it was to change.',
    input: reportInput,
    prepareArguments: (raw) => repairReport(raw).value,
    effect: 'read',
    executionMode: 'last',
    timeoutMs: 180_000,
    summaryArguments: ['grade', 'summary'],
    run: async (input, context) => {
      const log = await context.transcript();
      const repaired = redactTexts(repairOf(log, context), context.redact);
      const made = await toReport(redactTexts(input, context.redact), repaired.leftOutQuotes, context, log);
      const leftOut = repaired.leftOut.slice(0, maxLeftOut);
      const report = leftOut.length === 0 ? made : { ...made, leftOut };
      const ref = toReportRef(
        report,
        `${toolOutputId(context.callId).replace(toolOutputPrefix, 'report-')}.md`,
      );
      await store(report, ref, context);
      const before = countingReport(log, context.runId);
      const better = before && !isAskedAnew(log, before) && provesLess(ref, before.ref) ? before : undefined;
      const wanted = wantedOf(report);
      return defined({
        text: describeMarks(report, ref, { wanted, isCorrection: before !== undefined, better }),
        details: { ...ref, gaps: openGaps(report).length },
        ownWords: true,
        report: better?.ref ?? ref,
        reportIsFinal: before || wanted.length === 0 ? true : undefined,
      });
    },
  });
}

async function toReport(
  input: ReportInput,
  leftOutQuotes: readonly Quote[],
  context: ToolContext,
  log: LogRecord[],
): Promise<Report> {
  const { sessionId, runId, turn, redact } = context;
  const children = await readChildLogs(log, context).catch(storeUnavailable);
  const calls = readLoggedCalls(log, children);
  const { claims, ruledOut, timeline, gaps, ...words } = input;
  const check = await checkQuotes(
    [...[...claims, ...ruledOut, ...(timeline ?? [])].flatMap(({ quotes }) => quotes), ...leftOutQuotes],
    context,
    calls,
  );
  const checked = <Entry extends { quotes: Quote[] }>({ quotes, ...entry }: Entry) => ({
    ...entry,
    quotes: quotes.map(check),
  });
  const evidence = {
    claims: claims.map(checked).map((claim) => ({ ...claim, ...judgeClaim(claim.quotes) })),
    ruledOut: ruledOut.map(checked),
    ...defined({ timeline: timeline && timeline.map(checked) }),
  };
  const considered = await judgeLogged(log, calls, context);
  const foundLeftOut = leftOutQuotes.filter((quote) => check(quote).verified).length;
  const found = [
    ...findHostGaps(context.hosts, log, runId),
    ...findGaps(log, runId, context),
    ...findChildGaps(children, context),
  ].map((gap) => ({ ...gap, text: redact(gap.text) }));
  const report: Report = {
    version: 1,
    sessionId,
    runId,
    turn,
    author: 'agent',
    ...words,
    ...evidence,
    ...considered,
    ...defined({
      causeChecks: checkCause(
        { ...words, ...evidence, ...considered },
        { calls, runCalls: callsOfRun(log, runId, children), alertedAt: alertedAt(log, runId) },
      ),
    }),
    gaps: [
      ...gaps.map((text) => ({ text, source: 'model' as const })),
      ...closeGaps(found, quotesOf(evidence), calls, context),
    ],
    ...defined({
      leftOutQuotes:
        leftOutQuotes.length > 0 ? { quotes: leftOutQuotes.length, found: foundLeftOut } : undefined,
      dryRun: context.dryRun || undefined,
    }),
  };
  const standsOut = await unexplainedFailures(report, calls, context);
  return standsOut.length === 0 ? report : { ...report, standsOut };
}

/** The parts of the model's call that the form has no place for. */
function repairOf(log: LogRecord[], { callId }: ToolContext): Pick<Repaired, 'leftOut' | 'leftOutQuotes'> {
  const calls = log.flatMap((record) => (record.role === 'assistant' ? toolCallsOf(record) : []));
  const raw = parseArgumentText(calls.findLast((call) => call.callId === callId)?.arguments ?? '');
  return raw.ok ? repairReport(raw.value) : { leftOut: [], leftOutQuotes: [] };
}

const maxLeftOut = 20;

/** Ids of the calls of the run, of its subagents and of theirs. */
function callsOfRun(log: LogRecord[], runId: string, children: readonly ChildLog[]): Set<string> {
  const ofRun = log.filter((record) => record.runId === runId);
  const names = childrenIn(ofRun).map(({ name }) => name);
  const isBelow = (child: ChildLog): boolean =>
    names.some((name) => child.name === name || child.name.startsWith(`${name}/`));
  return new Set(readLoggedCalls(ofRun, children.filter(isBelow)).keys());
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
