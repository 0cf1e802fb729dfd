// A finished run as its caller gets it: derived from the state, never kept beside it.
import type { AgentState, RunEnd, RunState } from './agent-state.ts';
import { cutToJsonBytes, newestOf } from './cut-text.ts';
import type { LogRecord } from './messages.ts';
import { textOf, toolCallsOf } from './messages.ts';
import type { MessageRange, RunResult, Thought } from './run-result.ts';
import { inlineMessagesBytes, jsonBytes } from './sizes.ts';
import { newestThoughts, noThoughts, thoughtsOf } from './thoughts.ts';

/** The range of everything the run appended, with the messages in it when they are small enough. */
export function newMessagesOf(state: AgentState, run: RunState): MessageRange {
  const range = { fromSeq: run.firstSeq, toSeq: state.log.nextSeq - 1 };
  const held = recordsOf(state, run);
  const complete = held.length === range.toSeq - range.fromSeq + 1;
  return complete && jsonBytes(held) < inlineMessagesBytes ? { ...range, messages: held } : range;
}

export function runResultOf(state: AgentState, run: RunState, end: RunEnd, now: number): RunResult {
  const last = lastAssistant(state, run);
  const records = recordsOf(state, run);
  const thoughts = thoughtsOf(records);
  const stretch = { fromSeq: run.firstSeq, toSeq: state.log.nextSeq - 1 };
  const complete = records.length === stretch.toSeq - stretch.fromSeq + 1;
  return {
    runId: run.runId,
    status: end.status,
    ...(end.cause ? { cause: end.cause } : {}),
    answer: answerOf(records, end, last),
    content: contentOf(thoughts, last),
    thoughts: newestThoughts(thoughts, inlineMessagesBytes, {
      ...stretch,
      fromSeq: records[0]?.seq ?? stretch.fromSeq,
      complete,
    }),
    ...(last ? { stopReason: last.stopReason } : {}),
    ...(end.error ? { error: end.error } : {}),
    newMessages: newMessagesOf(state, run),
    usage: run.usage,
    costUsd: run.costUsd,
    turns: run.turn,
    toolCalls: run.toolCalls,
    condenses: run.condenses,
    startedAt: run.startedAt,
    endedAt: now,
    ...(run.report ? { report: run.report } : {}),
  };
}

/** The last message's text. A run that ran out of context has said nothing at last: what it said before is its answer. */
function answerOf(records: readonly LogRecord[], end: RunEnd, last: AssistantRecord | undefined): string {
  const partial = end.status === 'context_exhausted' ? records.findLast(hasText) : undefined;
  const said = partial ?? last;
  return said ? cutToJsonBytes(textOf(said), inlineMessagesBytes) : '';
}

function hasText(record: LogRecord): boolean {
  return record.role === 'assistant' && textOf(record).trim() !== '';
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

function lastAssistant(state: AgentState, run: RunState): AssistantRecord | undefined {
  return state.log.records.findLast(
    (record): record is AssistantRecord => record.role === 'assistant' && record.seq >= run.firstSeq,
  );
}

/** What of the run is still held here: the newest part after a hand-over. */
function recordsOf({ log }: AgentState, run: RunState): LogRecord[] {
  return log.records.filter((record) => record.seq >= run.firstSeq);
}

/** In the order in which it was said; a last message with calls is reasoning as well, and stands here once. */
function contentOf(thoughts: readonly Thought[], last: AssistantRecord | undefined): string {
  const said = thoughts.flatMap((thought) => (thought.stage === 'reasoning' ? [thought.text] : []));
  const answer = last && toolCallsOf(last).length === 0 ? [textOf(last)] : [];
  return newestOf([...said, ...answer].filter(Boolean).join('\n\n'), inlineMessagesBytes);
}
