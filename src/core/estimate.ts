// A rough size in tokens where the provider has not counted yet: for the line that a person reads, and for what
// was appended since the last count.
import type { AgentState } from './agent-state.ts';
import type { LogRecord } from './messages.ts';
import { inputTotal, textOf, toolCallsOf } from './messages.ts';

const charactersPerToken = 4;
/** Role, ids and separators of one message. */
const messageTokens = 4;
/** A picture of middling size, as the vendors count it. */
const imageTokens = 1_200;

export function estimateTokens(records: readonly LogRecord[]): number {
  return records.reduce((sum, record) => sum + tokensOf(record), 0);
}

/** The whole view: system prompt, tool definitions, summary, records. */
export function estimateViewTokens({ context, log, view }: AgentState): number {
  const frozen = (context?.systemPrompt.length ?? 0) + JSON.stringify(context?.tools ?? []).length;
  const head = (view.summary?.length ?? 0) + (view.task?.length ?? 0);
  const records = log.records.filter((record) => record.seq >= view.fromSeq);
  return Math.round((frozen + head) / charactersPerToken) + estimateTokens(records);
}

/** Tokens of the next request: what the last reply's provider counted, and the messages since. */
export function estimateInputTokens(state: AgentState): number {
  const { records } = state.log;
  const last = records.findLastIndex(
    (record) =>
      record.role === 'assistant' && record.usage.output > 0 && record.seq > state.view.condensedAtSeq,
  );
  const reply = records[last];
  if (reply?.role !== 'assistant') return estimateViewTokens(state);
  return inputTotal(reply.usage) + reply.usage.output + estimateTokens(records.slice(last + 1));
}

function tokensOf(record: LogRecord): number {
  const calls = record.role === 'assistant' ? toolCallsOf(record) : [];
  const characters =
    textOf(record).length + calls.reduce((sum, call) => sum + call.arguments.length + call.name.length, 0);
  const images = record.role === 'user' || record.role === 'tool_result' ? record.content : [];
  const pictures = images.filter((part) => part.type === 'image').length;
  return messageTokens + Math.ceil(characters / charactersPerToken) + pictures * imageTokens;
}
