// A rough size in tokens, for the line that a person reads before the provider has counted. Decides nothing.
import type { AgentState } from './agent-state.ts';
import { inputTotal, textOf, toolCallsOf } from './messages.ts';

const charactersPerToken = 4;

/** Tokens of the next request: what the last reply's provider counted, and the messages since by their length. */
export function estimateInputTokens(state: AgentState): number {
  const { records } = state.log;
  const last = records.findLastIndex((record) => record.role === 'assistant' && record.usage.output > 0);
  const reply = records[last];
  const counted = reply?.role === 'assistant' ? inputTotal(reply.usage) + reply.usage.output : undefined;
  const text = records.slice(last + 1).reduce((sum, record) => sum + lengthOf(record), 0);
  const head = counted ?? (state.context?.systemPrompt.length ?? 0) / charactersPerToken;
  return Math.round(head + text / charactersPerToken);
}

function lengthOf(record: AgentState['log']['records'][number]): number {
  const calls = record.role === 'assistant' ? toolCallsOf(record) : [];
  return textOf(record).length + calls.reduce((sum, call) => sum + call.arguments.length, 0);
}
