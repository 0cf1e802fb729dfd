// The result of a finished run: derived from the state, never stored in it. Pure.
import { defined } from '@holdfast/base/defined';
import type { AgentState, RunEnd, RunState } from '@holdfast/vocabulary/agent-state';
import { cutText, cutToJsonBytes, newestOf } from '@holdfast/base/cut-text';
import {
  type LogRecord,
  type RecordOf,
  isCutAnswer,
  isWholeReply,
  lastWordsOf,
  textOf,
  toolCallsOf,
} from '@holdfast/vocabulary/messages';
import type {
  NamedCall,
  MessageRange,
  ReportRef,
  SeqRange,
  RunResult,
  Thought,
  RunOutput,
  RunStatus,
  SessionResult,
} from '@holdfast/vocabulary/run-result';
import { unfoldCalls } from '@holdfast/view/call-index';
import { inlineMessagesBytes, jsonBytes } from '@holdfast/base/sizes';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import {
  cutAnswer,
  cutCompletion,
  describeSoFar,
  errorCharacters,
  inArtifact,
} from '../agent/delegation/task-result.ts';
import { describeEnd } from '@holdfast/report/describe-end';
import { describeVerdict } from '@holdfast/report/verdict';
import { newestThoughts, noThoughts, thoughtsOf } from './thoughts.ts';

/** The range of records that the run appended, inclusive. */
export function runStretch({ log }: AgentState, run: RunState): SeqRange {
  return { fromSeq: run.firstSeq, toSeq: log.nextSeq - 1 };
}

/** The run's records that are still in the state: after a hand-over only the newest. */
function heldRecords({ log }: AgentState, run: RunState): LogRecord[] {
  return log.records.filter(({ seq }) => seq >= run.firstSeq);
}

/** The output from the records of a run, or the newest of them; they must be in order and without gaps. */
export function runOutputOf(records: readonly LogRecord[], stretch: SeqRange, how: Ended): RunOutput {
  const last = records.findLast((record): record is RecordOf<'assistant'> => record.role === 'assistant');
  const thoughts = thoughtsOf(records);
  const complete = isComplete(records, stretch);
  const fromSeq = records[0]?.seq ?? stretch.fromSeq;
  return {
    answer: answerOf(records, how),
    content: contentOf(thoughts, last),
    thoughts: newestThoughts(thoughts, inlineMessagesBytes, { ...stretch, fromSeq, complete }),
    ...defined({ stopReason: last?.stopReason }),
    newMessages: stretch,
  };
}

/** The output from the records that the state still holds. */
export function heldOutputOf(state: AgentState, run: RunState): RunOutput {
  return runOutputOf(heldRecords(state, run), runStretch(state, run), endedOf(run));
}

/** The end of a run. `ending`: the answer if the last reply has no text. */
export type Ended = { status: RunStatus; ending?: string };

export function endedOf({ end, report }: Pick<RunState, 'end' | 'report'>): Ended {
  const status = end?.status ?? 'completed';
  if (!end || (status === 'completed' && !report)) return { status };
  return { status, ending: `${describeEnd(end)}${report ? ' Its report has what was found.' : ''}` };
}

/** The end with a mark if the output limit has cut the last reply. */
export function markCut(state: AgentState, run: RunState, end: RunEnd): RunEnd {
  const last = heldRecords(state, run).findLast(({ role }) => role === 'assistant');
  return last?.role === 'assistant' && isCutAnswer(last) ? { ...end, answerCut: true } : end;
}

export function isHeld(state: AgentState, run: RunState): boolean {
  return isComplete(heldRecords(state, run), runStretch(state, run));
}

/** The records that the run has appended, as far as the state holds them. */
export function newMessagesOf(state: AgentState, run: RunState): MessageRange {
  const messages = heldRecords(state, run);
  const stretch = runStretch(state, run);
  const isSmall = isComplete(messages, stretch) && jsonBytes(messages) < inlineMessagesBytes;
  return isSmall ? { ...stretch, messages } : stretch;
}

function judgedAnswer(report: ReportRef, end: RunEnd, said: string): Pick<RunResult, 'answer' | 'lastWords'> {
  const verdict = describeVerdict(report);
  const { ending } = endedOf({ end, report });
  return {
    answer: end.status === 'completed' ? verdict : `${describeEnd(end)} ${verdict}`,
    // the words about the end are those of code
    lastWords: said === ending ? '' : said,
  };
}

function isComplete(records: readonly LogRecord[], { fromSeq, toSeq }: SeqRange): boolean {
  return records.length === toSeq - fromSeq + 1;
}

/**
 * `owed`: the run was to end with a report. Then its answer is the verdict of that, and the words of the model are beside
 * it; a report by code of an agent that answers in words changes nothing.
 */
export function runResultOf(
  run: RunState,
  end: RunEnd,
  output: RunOutput & Pick<RunResult, 'output'>,
  { now, owed }: { now: number; owed: boolean },
): RunResult {
  const { report } = run;
  const judged = report && (owed || !report.byCode) ? judgedAnswer(report, end, output.answer) : {};
  return {
    runId: run.runId,
    status: end.status,
    ...defined({ cause: end.cause || undefined }),
    ...output,
    ...judged,
    ...defined({ answer: end.answer, answerCut: end.answerCut, error: end.error }),
    usage: run.usage,
    costUsd: run.costUsd,
    turns: run.turn,
    toolCalls: run.toolCalls,
    condenses: run.condenses,
    ...defined({ failedCondenses: run.failedCondenses }),
    startedAt: run.startedAt,
    endedAt: now,
    ...defined({ changes: run.changes, report: run.report, completion: run.completion }),
  };
}

/**
 * The text of the last reply; without one, the words about the end of the run, never an older sentence. Words beside a call
 * announce it: where the run was ended they are no answer. For a run that ran out of context, the last reply is the one
 * before the refused request.
 */
export function answerOf(records: readonly LogRecord[], { status, ending = '' }: Ended): string {
  const whole = status === 'context_exhausted' ? records.findLast(isWholeReply) : undefined;
  const last = whole ?? records.findLast((record) => record.role === 'assistant');
  // the words of a refusal, which fails a run, are its answer
  const isEnded = status !== 'completed' && status !== 'failed';
  const announces = isEnded && last !== undefined && toolCallsOf(last).length > 0;
  const said = last && !announces ? textOf(last) : '';
  return cutToJsonBytes(said.trim() === '' ? ending : said, inlineMessagesBytes);
}

/**
 * The short result that a child returns: it enters the history of its parent, which reads only this much. The figures
 * cover all runs of the session and its own children.
 */
export function forParent(
  { plan: _, output: __, changes: ___, ...result }: SessionResult,
  state: AgentState,
  isStored: boolean,
): SessionResult {
  const { usage, costUsd, toolCalls, childToolCalls = 0, log, findings = [] } = state;
  const { error, status } = result;
  const where = isStored ? inArtifact : 'The rest was not kept.';
  const answer = cutAnswer(result.answer, where);
  const lastWords = result.lastWords && cutAnswer(result.lastWords, where);
  const completion = result.completion && cutCompletion(result.completion, where);
  const words = result.completion?.summary || lastWordsOf(log.records);
  const pinned = findings.map(({ text }) => text);
  const soFar = status === 'completed' ? '' : describeSoFar(words, pinned, where);
  const named = namedCalls(JSON.stringify([answer, lastWords, completion, soFar]), state);
  return {
    ...result,
    answer,
    content: '',
    thoughts: noThoughts,
    usage,
    costUsd,
    toolCalls: toolCalls + childToolCalls,
    ...defined({
      lastWords,
      completion,
      soFar: soFar || undefined,
      isStored: isStored || undefined,
      calls: unlessEmpty(named),
      error: error && { ...error, message: cutText(error.message, errorCharacters) },
    }),
  };
}

const maxNamedCalls = 50;

/** The calls that the words name, so that the parent can quote them after it has folded these words. */
function namedCalls(words: string, { calls, view }: AgentState): NamedCall[] {
  return unfoldCalls(calls, view.calls)
    .calls.filter(([, callId]) => words.includes(callId))
    .map(([, callId, summary]): NamedCall => [callId, summary])
    .slice(-maxNamedCalls);
}

/** The result of a session that ended without any task. */
export function resultWithoutRun(now: number): RunResult {
  return {
    runId: '',
    status: 'completed',
    answer: '',
    content: '',
    thoughts: noThoughts,
    newMessages: { fromSeq: 1, toSeq: 0 },
    usage: {},
    costUsd: 0,
    turns: 0,
    toolCalls: 0,
    condenses: 0,
    startedAt: now,
    endedAt: now,
  };
}

/** Texts in their order; a last message with calls also counts as reasoning, and is here only once. */
function contentOf(thoughts: readonly Thought[], last: RecordOf<'assistant'> | undefined): string {
  const said = thoughts.flatMap((thought) => (thought.stage === 'reasoning' ? [thought.text] : []));
  const answer = last && toolCallsOf(last).length === 0 ? [textOf(last)] : [];
  return newestOf([...said, ...answer].filter(Boolean).join('\n\n'), inlineMessagesBytes);
}
