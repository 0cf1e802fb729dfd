// A finished run as its caller gets it: derived from the state, never kept beside it.
import type { AgentState, RunEnd, RunState } from './agent-state.ts';
import type { AssistantContent, LogRecord } from './messages.ts';
import { textOf } from './messages.ts';
import type { MessageRange, RunResult } from './run-result.ts';
import { inlineMessagesBytes, jsonBytes, utf8Bytes } from './sizes.ts';

/** Thinking in a result; the log has the whole. */
const thoughtsBytes = 16 * 1024;

/** The range of everything the run appended, with the messages in it when they are small enough. */
export function newMessagesOf(state: AgentState, run: RunState): MessageRange {
  const range = { fromSeq: run.firstSeq, toSeq: state.log.nextSeq - 1 };
  const held = state.log.records.filter((record) => record.seq >= run.firstSeq);
  const complete = held.length === range.toSeq - range.fromSeq + 1;
  return complete && jsonBytes(held) < inlineMessagesBytes ? { ...range, messages: held } : range;
}

export function runResultOf(state: AgentState, run: RunState, end: RunEnd, now: number): RunResult {
  const last = lastAssistant(state, run);
  return {
    runId: run.runId,
    status: end.status,
    ...(end.cause ? { cause: end.cause } : {}),
    answer: last ? cutToBytes(textOf(last), inlineMessagesBytes) : '',
    content: last ? contentOf(last) : [],
    thoughts: last ? cutToBytes(thoughtsOf(last), thoughtsBytes) : '',
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

/** Of a session that ends before anybody gave it something to do. */
export function resultWithoutRun(cancelled: boolean, now: number): RunResult {
  return {
    runId: '',
    status: cancelled ? 'aborted' : 'completed',
    answer: '',
    content: [],
    thoughts: '',
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

/** The final message's parts; without them where they are large, since the log has them. */
function contentOf(message: AssistantRecord): AssistantContent[] {
  return jsonBytes(message.content) <= inlineMessagesBytes ? message.content : [];
}

function thoughtsOf(message: AssistantRecord): string {
  return message.content.flatMap((part) => (part.type === 'thinking' ? [part.text] : [])).join('\n');
}

/** At most `limit` UTF-8 bytes, cut between characters, with a mark where something is missing. */
export function cutToBytes(text: string, limit: number): string {
  if (utf8Bytes(text) <= limit) return text;
  let end = Math.min(text.length, limit - 4);
  while (end > 0 && utf8Bytes(text.slice(0, end)) > limit - 4) end = Math.floor(end * 0.9);
  return `${text.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`;
}
