// When the model's view is folded into a summary, and the words in its place: the questions that the loop asks,
// answered by the strategy that the agent names. Pure; the log is never touched, only the view.
import type { AgentState } from '../model/agent-state.ts';
import { strategies } from './condense/strategies.ts';
import type { CondensePlan, CondenseStrategy, ViewHead } from './condense/strategy.ts';
import { budgetIsDue } from './condense/triggers.ts';
import { growToCall, keptMessages, planAt } from './condense/strategy.ts';
import { canFit, isTooLong, isTooMany, isWorthFolding, roomFor } from './fit-view.ts';
import { viewEntries } from './view-entries.ts';

/** `requested`: by a person, while idle. */
export type CondenseReason = 'usage' | 'budget' | 'overflow' | 'requested';

/**
 * Why the view should be condensed before the next request; undefined when it need not. A refusal by the provider
 * always asks for it; a window of 0 turns everything else off.
 */
export function condenseReason(state: AgentState): CondenseReason | undefined {
  const { run, context } = state;
  if (!run || !context) return undefined;
  if (run.overflow === 'refused') return 'overflow';
  const { contextWindow, condense } = context.settings;
  if (contextWindow === 0 || (run.condenseTriedAt ?? 0) >= run.turn) return undefined;
  if (condense.trigger === 'budget') return budgetIsDue(state) ? 'budget' : undefined;
  return strategyOf(state).isDue(state) ? 'usage' : undefined;
}

/** What is folded. Undefined where it would give nothing: the view is short, or its length is in its newest messages. */
export function planCondense(state: AgentState): CondensePlan | undefined {
  const plan = strategyOf(state).plan(state);
  const room = isTooLong(state) ? roomFor(state) : undefined;
  if (room === undefined) return plan;
  const kept = isTooMany(state, plan?.firstKeptSeq ?? 0, room) ? newestTurn(state) : plan;
  if (!kept || kept.reductions !== undefined) return kept;
  // where nothing can be cut instead, the little that a fold gives is still something
  return isWorthFolding(state, kept.firstKeptSeq, room) || !canFit(state) ? kept : undefined;
}

/** What a strategy keeps by number may be more than a small window holds. */
function newestTurn(state: AgentState): CondensePlan | undefined {
  const entries = viewEntries(state);
  return planAt(state, entries, growToCall(entries, entries.length - 1));
}

export function strategyOf({ context }: AgentState): CondenseStrategy {
  return strategies[context?.settings.condense.strategy ?? 'user_summary'];
}

/** True while the run may still condense: 0 is without limit. */
export function hasCondenseLeft(state: AgentState): boolean {
  const max = state.context?.settings.condense.maxPerRun ?? 0;
  return max === 0 || (state.run?.condenses ?? 0) < max;
}

/** By the strategy that made this epoch: what a request begins with stays as it is until the next one. */
export function viewHead({ view }: AgentState): ViewHead {
  if (view.summary === undefined) return { messages: [...(view.replaced ?? []), ...keptMessages(view)] };
  return strategies[view.strategy ?? 'user_summary'].head(view);
}
