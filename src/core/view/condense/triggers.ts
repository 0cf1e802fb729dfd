// When a condense is due, as predicates over the state. Pure.
import type { AgentState } from '../../model/agent-state.ts';
import {
  estimateInputTokens,
  estimateSystemTokens,
  estimateTokens,
  estimateViewTokens,
  lastCounted,
} from '../estimate.ts';
import { inputTotal } from '../../model/messages.ts';

/** Share of the context window at which a condense is due (COND-01). */
const usageShare = 0.8;
/** Share of the room for history at which trigger `budget` asks for one (COND-05). */
const budgetShare = 0.7;
/** Left free of history, beside the system prompt and the tools. */
const reservedTokens = 4_096;

/**
 * By the provider's own count and what came since. Our estimate alone decides only before there is a count (COND-03),
 * and a count from before the last condense is void (COND-02).
 */
export function usageIsDue(state: AgentState, share = usageShare): boolean {
  const { context, log } = state;
  if (!context) return false;
  const { contextWindow, maxResponseTokens, condense } = context.settings;
  const last = lastCounted(state);
  if (!last) return estimateViewTokens(state) > contextWindow - maxResponseTokens;
  if (!condense.includeAppended) return inputTotal(last.usage) >= share * contextWindow;
  const since = log.records.filter((record) => record.seq > last.seq);
  const tokens = inputTotal(last.usage) + last.usage.output + estimateTokens(since, context);
  return tokens >= share * contextWindow;
}

/** At run start, before its first request; once. */
export function budgetIsDue(state: AgentState): boolean {
  const { run, context } = state;
  if (!run || run.turn !== 1 || run.condenses > 0) return false;
  const history = estimateInputTokens(state) - estimateSystemTokens(context);
  return history >= budgetShare * historyBudget(state);
}

/** Tokens that the messages of a request may have: at least those of one response. */
export function historyBudget({ context }: AgentState): number {
  if (!context) return 0;
  const { contextWindow, maxResponseTokens } = context.settings;
  return Math.max(maxResponseTokens, contextWindow - estimateSystemTokens(context) - reservedTokens);
}
