// The activity completeReport: the agent's report with the facts that code knows of its run, or a report by code if the
// run ended without one. Runs in Node. Everything in it follows from the log and the state, which rest while it runs, so
// a repeated attempt makes the same report.
import type { Activities } from '@holdfast/vocabulary/activity-table';
import type { CompleteReportInput } from '@holdfast/vocabulary/storage-contracts';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { type LogRecord, textOf } from '@holdfast/vocabulary/messages';
import { capGrade } from '@holdfast/report/cap-grade';
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { counted } from '@holdfast/base/words';
import { type Gap, type Report, reportOfRun } from '@holdfast/report/report';
import { toReportRef } from '@holdfast/report/report-ref';
import { createOwnWorkflow } from '../base/own-workflow.ts';
import type { Transcripts } from '../context/transcript.ts';
import type { Redactor } from '@holdfast/redaction/redaction';
import { sanitiseText } from '@holdfast/redaction/sanitise';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { storeUnavailable } from '../storage/segments.ts';
import type { RegisteredTool } from '../tools/define-tool.ts';
import type { PrepareCalls } from '../model/prepare-calls.ts';
import type { DescribingWords } from './describe-call.ts';
import { findInstructions, refusalPattern } from './found-instructions.ts';
import { findChildGaps, findGaps, findHostGaps } from './gaps.ts';
import {
  type ChildLog,
  type LoggedCall,
  callsOf,
  childCallsOf,
  childrenIn,
  readChildLogs,
  readLoggedCalls,
} from '@holdfast/stored/logged-calls';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { wholeOutputOf, withOutputsFrom } from '@holdfast/stored/logged-outputs';
import { readStoredLog } from '@holdfast/stored/stored-session';
import { withMarks } from './with-marks.ts';
import { withQuotedSeries } from './quoted-series.ts';
import { judgeLogged } from './judge-hypotheses.ts';
import { runFacts } from './run-facts.ts';
import { standingOut } from './standing-out.ts';
import { readReport, storeReport } from './stored-report.ts';
import { stoppedNotice } from '../tools/tool-result.ts';
import { decisiveLines, shortLine } from './decisive-lines.ts';

type CompleteReportDeps = {
  artifacts: ArtifactStore;
  transcripts: Pick<Transcripts, 'readLog' | 'readStretches'>;
  redactor: Redactor;
  tools: ReadonlyMap<string, Pick<RegisteredTool, 'spec'>>;
  prepareCalls: PrepareCalls;
  uiAddressOf?: ((sessionId: string) => string) | undefined;
};

/** Leaves time to store the report. */
const searchMs = 15_000;
/** On a busy machine: what is looked up has a limit of its own. */
const quoteMs = 120_000;

export function createCompleteReport(deps: CompleteReportDeps): Activities['completeReport'] {
  const { artifacts, transcripts } = deps;
  return async function completeReport(input) {
    const { sessionId, runId, toSeq, report: handedIn } = input;
    const own = createOwnWorkflow();
    const { session } = await own.getCheckpoint();
    const whole: LogRecord[] = [];
    for await (const stretch of transcripts.readStretches(sessionId, { toSeq }, own))
      for (const record of stretch) whole.push(shortRecord(record));
    const log = whole.filter((record) => record.runId === runId);
    const children = await readChildLogs(log, { artifacts, sessionId }, shortRecord).catch(storeUnavailable);
    const outputs = withUnstored(artifacts, [{ sessionId, log: whole }, ...children], (id, seq) =>
      id === sessionId
        ? transcripts.readLog(id, { fromSeq: seq, toSeq: seq }, own)
        : readStoredLog(artifacts, id),
    );
    const state = session?.state;
    const words = wordsOf(deps, state);
    const childCalls = children.flatMap(childCallsOf);
    const calls = [...callsOf(log), ...childCalls];
    const instructions = await findInstructions(
      {
        calls,
        sessionId,
        artifacts: outputs,
        signal: AbortSignal.timeout(searchMs),
        earlier: [...callsOf(whole), ...childCalls],
        log: [...whole, ...children.flatMap((child) => child.log.filter(isNoPrompt))],
      },
      words,
    ).catch(storeUnavailable);
    const ui = deps.uiAddressOf?.(sessionId);
    const parts = { log, calls, state, instructions, ui, ...sessionCalls(whole, children, childCalls) };
    const facts = runFacts(input, parts, words);
    const made = handedIn
      ? await readReport(artifacts, sessionId, handedIn.artifactId)
      : {
          ...reportByCode(input, { log, state }),
          ...(await consideredIn(whole, children, { sessionId, artifacts: outputs, ...words })),
          ...(await standsOutOf(calls, { sessionId, artifacts: outputs, ...words })),
        };
    const gaps = withLaterGaps(made.gaps, gapsOf(runId, { log, children, state }, words));
    // a continued run may have handed in its report in another session; its calls are stored here, too
    const report = await withQuotedSeries(
      await withMarks(
        { ...withCappedGrade(made, input), sessionId, gaps, run: facts },
        { calls: [...callsOf(whole), ...childCalls], log: whole, state },
        { ...deps, artifacts: outputs, sessionId, signal: AbortSignal.timeout(searchMs) },
      ).catch(storeUnavailable),
      readLoggedCalls(whole, children),
      { artifacts: outputs, sessionId },
    ).catch(storeUnavailable);
    const artifactId = reportOfRun(runId);
    await storeReport(artifacts, sessionId, artifactId, report).catch(storeUnavailable);
    return toReportRef(report, artifactId);
  };
}

/** The calls of all runs; a delegated session may have no stored log. */
function sessionCalls(whole: readonly LogRecord[], children: readonly ChildLog[], childCalls: LoggedCall[]) {
  const read = new Set(children.map(({ sessionId }) => sessionId));
  return {
    sessionCalls: [...callsOf(whole), ...childCalls],
    isPartial: childrenIn(whole).some(({ sessionId }) => !read.has(sessionId)),
  };
}

/** The outputs that the store lacks are in the records, which `logs` have shortened. */
function withUnstored(
  artifacts: ArtifactStore,
  logs: readonly Omit<ChildLog, 'name'>[],
  readLog: (sessionId: string, seq: number) => Promise<LogRecord[] | undefined>,
): ArtifactReader {
  return withOutputsFrom(artifacts, async (id, artifactId) => {
    const log = logs.find(({ sessionId }) => sessionId === id)?.log;
    // of a call id that was used twice the last result counts, as in the store
    const short = log?.findLast((each) => each.role === 'tool_result' && each.artifactId === artifactId);
    const record = short && (await readLog(id, short.seq))?.find(({ seq }) => seq === short.seq);
    return record?.role === 'tool_result' ? wholeOutputOf(record) : undefined;
  });
}

async function standsOutOf(
  calls: readonly LoggedCall[],
  session: Omit<Parameters<typeof standingOut>[1], 'signal'>,
): Promise<Pick<Report, 'standsOut'>> {
  const signal = AbortSignal.timeout(quoteMs);
  const standsOut = await standingOut(calls, { ...session, signal }).catch(storeUnavailable);
  return standsOut.length === 0 ? {} : { standsOut };
}

async function consideredIn(
  log: LogRecord[],
  children: readonly ChildLog[],
  session: Omit<Parameters<typeof judgeLogged>[2], 'signal'>,
): Promise<Pick<Report, 'hypotheses'>> {
  const signal = AbortSignal.timeout(quoteMs);
  return judgeLogged(log, readLoggedCalls(log, children), { ...session, signal }).catch(storeUnavailable);
}

/** The prompt of a delegated session is the text of an agent. */
function isNoPrompt(record: LogRecord): boolean {
  return record.role !== 'user' || (record.origin !== 'prompt' && record.origin !== 'seed');
}

/** The run's own declaration of a tool precedes that of this worker, which may lack it. */
function wordsOf({ tools, redactor }: CompleteReportDeps, state: AgentState | undefined) {
  const frozen = new Map(state?.context?.tools.map((spec) => [spec.name, spec]));
  return {
    toolSpec: (name: string) => frozen.get(name) ?? tools.get(name)?.spec,
    redact: (text: string) => redactor.text(sanitiseText(text)),
  };
}

function withCappedGrade(report: Report, { end }: CompleteReportInput): Report {
  const { grade, reason } = capGrade(report, end.status);
  if (report.author === 'code' || reason === undefined) return report;
  return { ...report, grade, agentGrade: report.grade, gradeReason: reason };
}

type Made = { log: LogRecord[]; children: readonly ChildLog[]; state: AgentState | undefined };

function reportByCode(
  { sessionId, runId }: CompleteReportInput,
  { log, state }: Pick<Made, 'log' | 'state'>,
): Report {
  return {
    version: 1,
    sessionId,
    runId,
    turn: state?.run?.turn ?? 0,
    author: 'code',
    summary: describeMade(state, log),
    grade: 'inconclusive',
    gradeReason: 'the agent has handed in no report.',
    claims: [],
    ruledOut: [],
    gaps: [],
    ...defined({ dryRun: state?.context?.settings.dryRun || undefined }),
  };
}

/** Tells a reader where to continue. */
function describeMade({ findings = [], plan }: Partial<AgentState> = {}, log: readonly LogRecord[]): string {
  const results = log.filter((record) => record.role === 'tool_result');
  const done = plan?.steps.filter(({ status }) => status === 'done').length ?? 0;
  const failed = results.filter(({ isError }) => isError).length;
  const parts = present([
    `${counted(results.length, 'call')}${failed > 0 ? `, ${failed} failed` : ''}`,
    findings.length > 0 && counted(findings.length, 'pinned finding'),
    plan && `${done} of ${counted(plan.steps.length, 'step')} of the plan done`,
  ]);
  return `Made by Holdfast from the log: ${parts.join('; ')}.`;
}

function gapsOf(runId: string, { log, children, state }: Made, words: DescribingWords): Gap[] {
  return [
    ...findHostGaps(state?.context?.hosts, log, runId),
    ...findGaps(log, runId, words),
    ...findChildGaps(children, words),
    ...(state?.takenBack ?? []).map(({ id, text, by }): Gap => {
      return { text: `Pinned ${id} was taken back by ${by}: ${text}`, source: 'code' };
    }),
  ].map((gap) => ({ ...gap, text: words.redact(gap.text) }));
}

/** Adds the gaps of calls after the report was handed in, and counts again. */
function withLaterGaps(gaps: readonly Gap[], now: readonly Gap[]): Gap[] {
  const keyOf = ({ callId, text }: Gap): string => callId ?? text;
  const found = new Map(now.map((gap) => [keyOf(gap), gap]));
  const known = new Set(gaps.map(keyOf));
  return [
    ...gaps.map((gap): Gap => {
      const { count } = found.get(keyOf(gap)) ?? gap;
      return count === undefined ? gap : { ...gap, count };
    }),
    ...now.filter((gap) => !known.has(keyOf(gap))),
  ];
}

/** Characters of a result that stays whole, and of the beginning of a longer one. */
const shortText = 1_000;
/** Those that a report by code may show of one call. */
const mostLines = 2;

/**
 * A record with as much of it as completing a report needs: the results of a session of thousands of turns do not fit in
 * memory together. Without thinking, and of a long result the beginning, the decisive lines and the words of a refusal or a stop.
 */
export function shortRecord(record: LogRecord): LogRecord {
  if (record.role === 'assistant')
    return { ...record, content: record.content.filter(({ type }) => type !== 'thinking') };
  // the words of a person are compared with later calls
  if (record.role !== 'tool_result' || record.toolName === 'ask_human') return record;
  const text = textOf(record);
  if (text.length <= shortText) return { ...record, content: [{ type: 'text', text }] };
  const kept = present([
    text.slice(0, text.lastIndexOf('\n', shortText) + 1 || shortText),
    ...decisiveLines(text, mostLines).map((line) => shortLine(line, shortText)),
    record.isError && (refusalPattern.exec(text)?.[0] ?? ''),
    text.endsWith(stoppedNotice) && stoppedNotice,
  ]);
  // copied: a part of a string would keep the whole of it
  return { ...record, content: [{ type: 'text', text: JSON.parse(JSON.stringify(kept.join('\n'))) }] };
}
