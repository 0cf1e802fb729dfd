// A finished run as its caller gets it: derived from the state, never kept beside it.
import type { AgentState, RunEnd, RunState } from '../model/agent-state.ts';
import { cutText, cutToJsonBytes, newestOf } from '../base/cut-text.ts';
import type { LogRecord } from '../model/messages.ts';
import { isWholeReply, textOf, toolCallsOf } from '../model/messages.ts';
import type {
  NamedCall,
  MessageRange,
  RunResult,
  Thought,
  RunOutput,
  RunStatus,
  SessionResult,
} from '../model/run-result.ts';
import { unfoldCalls } from '../view/call-index.ts';
import { inlineMessagesBytes, jsonBytes } from '../base/sizes.ts';
import { cutAnswer, cutCompletion, errorCharacters } from '../agent/delegation/task-result.ts';
import { describeEnd } from '../report/describe-end.ts';
import { newestThoughts, noThoughts, thoughtsOf } from './thoughts.ts';

type Stretch = { fromSeq: number; toSeq: number };

/** Everything the run appended, inclusive. */
export function runStretch({ log }: AgentState, run: RunState): Stretch {
  return { fromSeq: run.firstSeq, toSeq: log.nextSeq - 1 };
}

/** The run's records that are still held: after a hand-over only the newest. */
function heldRecords({ log }: AgentState, run: RunState): LogRecord[] {
  return log.records.filter(({ seq }) => seq >= run.firstSeq);
}

/** Of the records of a run, or of the newest of them; without gaps, in order. */
export function runOutputOf(records: readonly LogRecord[], stretch: Stretch, how: Ended): RunOutput {
  const last = records.findLast((record): record is AssistantRecord => record.role === 'assistant');
  const thoughts = thoughtsOf(records);
  const complete = isComplete(records, stretch);
  const fromSeq = records[0]?.seq ?? stretch.fromSeq;
  return {
    answer: answerOf(records, how),
    content: contentOf(thoughts, last),
    thoughts: newestThoughts(thoughts, inlineMessagesBytes, { ...stretch, fromSeq, complete }),
    ...(last ? { stopReason: last.stopReason } : {}),
    newMessages: stretch,
  };
}

/** The same, as far as the run is held. */
export function heldOutputOf(state: AgentState, run: RunState): RunOutput {
  return runOutputOf(heldRecords(state, run), runStretch(state, run), endedOf(run));
}

/** How a run ended. `ending`: its answer, where its last reply says nothing. */
export type Ended = { status: RunStatus; ending?: string };

export function endedOf({ end, report }: Pick<RunState, 'end' | 'report'>): Ended {
  const status = end?.status ?? 'completed';
  if (!end || (status === 'completed' && !report)) return { status };
  return { status, ending: `${describeEnd(end)}${report ? ' Its report has what was found.' : ''}` };
}

export function isHeld(state: AgentState, run: RunState): boolean {
  return isComplete(heldRecords(state, run), runStretch(state, run));
}

/** What the run has appended so far, as far as it is held. */
export function newMessagesOf(state: AgentState, run: RunState): MessageRange {
  return toRange(heldRecords(state, run), runStretch(state, run));
}

function toRange(records: readonly LogRecord[], stretch: Stretch): MessageRange {
  const isSmall = isComplete(records, stretch) && jsonBytes(records) < inlineMessagesBytes;
  return isSmall ? { ...stretch, messages: [...records] } : stretch;
}

function isComplete(records: readonly LogRecord[], { fromSeq, toSeq }: Stretch): boolean {
  return records.length === toSeq - fromSeq + 1;
}

export function runResultOf(
  run: RunState,
  end: RunEnd,
  output: RunOutput & Pick<RunResult, 'output'>,
  now: number,
): RunResult {
  return {
    runId: run.runId,
    status: end.status,
    ...(end.cause ? { cause: end.cause } : {}),
    ...output,
    ...(end.error ? { error: end.error } : {}),
    usage: run.usage,
    costUsd: run.costUsd,
    turns: run.turn,
    toolCalls: run.toolCalls,
    condenses: run.condenses,
    startedAt: run.startedAt,
    endedAt: now,
    ...(run.changes ? { changes: run.changes } : {}),
    ...(run.report ? { report: run.report } : {}),
    ...(run.completion ? { completion: run.completion } : {}),
  };
}

/**
 * The text of the last reply; where it has none, the words that say how the run ended: never an older sentence. The last
 * reply of a run that ran out of context is the one before the request that was refused.
 */
export function answerOf(records: readonly LogRecord[], { status, ending = '' }: Ended): string {
  const whole = status === 'context_exhausted' ? records.findLast(isWholeReply) : undefined;
  const last = whole ?? records.findLast((record) => record.role === 'assistant');
  const said = last ? textOf(last) : '';
  return cutToJsonBytes(said.trim() === '' ? ending : said, inlineMessagesBytes);
}

/**
 * What a child gives back in place of the whole: its result is in the history of its parent, which reads this much of it.
 * The figures are those of the session and of its own children, whatever runs they were made in.
 */
export function forParent(
  { plan: _, output: __, changes: ___, ...result }: SessionResult,
  state: AgentState,
): SessionResult {
  const { usage, costUsd, toolCalls, childToolCalls = 0 } = state;
  const { newMessages, error } = result;
  const { fromSeq, toSeq } = newMessages;
  const answer = cutAnswer(result.answer);
  const completion = result.completion && cutCompletion(result.completion);
  const named = namedCalls(JSON.stringify([answer, completion]), state);
  return {
    ...result,
    ...{ answer, content: '', thoughts: noThoughts, newMessages: { fromSeq, toSeq } },
    ...{ usage, costUsd, toolCalls: toolCalls + childToolCalls },
    ...(completion ? { completion } : {}),
    ...(named.length > 0 ? { calls: named } : {}),
    ...(error ? { error: { ...error, message: cutText(error.message, errorCharacters) } } : {}),
  };
}

const maxNamedCalls = 50;

/** So that its parent may quote them when it no longer sees these words. */
function namedCalls(words: string, { calls, view }: AgentState): NamedCall[] {
  return unfoldCalls(calls, view.calls)
    .calls.filter(([, callId]) => words.includes(callId))
    .map(([, callId, summary]): NamedCall => [callId, summary])
    .slice(-maxNamedCalls);
}

/** Of a session that ends before anybody gave it something to do. */
export function resultWithoutRun(now: number): RunResult {
  return {
    runId: '',
    status: 'completed',
    answer: '',
    content: '',
    thoughts: noThoughts,
    newMessages: { fromSeq: 1, toSeq: 0 },
    ...{ usage: {}, costUsd: 0, turns: 0, toolCalls: 0, condenses: 0 },
    ...{ startedAt: now, endedAt: now },
  };
}

type AssistantRecord = Extract<LogRecord, { role: 'assistant' }>;

/** In the order in which it was said; a last message with calls is reasoning as well, and is here once. */
function contentOf(thoughts: readonly Thought[], last: AssistantRecord | undefined): string {
  const said = thoughts.flatMap((thought) => (thought.stage === 'reasoning' ? [thought.text] : []));
  const answer = last && toolCallsOf(last).length === 0 ? [textOf(last)] : [];
  return newestOf([...said, ...answer].filter(Boolean).join('\n\n'), inlineMessagesBytes);
}
