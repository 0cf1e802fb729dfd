// The triggers of a condense, as predicates over the state. Pure.
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import {
  estimateInputTokens,
  estimateSystemTokens,
  estimateViewTokens,
  countedReplies,
} from '../estimate.ts';
import { inputTotal } from '@holdfast/vocabulary/messages';

/** Share of the context window at which a condense is due (COND-01). */
const usageShare = 0.8;
/** Share of the room for history at which trigger `budget` asks for one (COND-05). */
const budgetShare = 0.7;
/** Tokens of the window left free of history, beside the system prompt and the tools. */
const reservedTokens = 4_096;

/**
 * Uses the provider's count plus an estimate of the messages since, or the own estimate of the whole view where it leaves
 * some out (COND-32). A count from before the last condense is void (COND-02).
 */
export function usageIsDue(state: AgentState, share = usageShare): boolean {
  const { context } = state;
  if (!context) return false;
  const { condense, model } = context.settings;
  const { contextWindow, maxResponseTokens } = model;
  const [last] = countedReplies(state);
  if (!last) return estimateViewTokens(state) > contextWindow - maxResponseTokens;
  const tokens = condense.includeAppended ? estimateInputTokens(state) : inputTotal(last.usage);
  return tokens >= share * contextWindow;
}

/** Checked once, at run start, before the first request. */
export function budgetIsDue(state: AgentState): boolean {
  const { run, context } = state;
  if (!run || run.turn !== 1 || run.condenses > 0) return false;
  const history = estimateInputTokens(state) - estimateSystemTokens(context);
  return history >= budgetShare * historyBudget(state);
}

/** Tokens for the messages of a request: at least enough for one response. */
export function historyBudget({ context }: AgentState): number {
  if (!context) return 0;
  const { contextWindow, maxResponseTokens } = context.settings.model;
  return Math.max(maxResponseTokens, contextWindow - estimateSystemTokens(context) - reservedTokens);
}
