// Decides when the model's view is folded into a summary, and gives the words in its place. The strategy that the agent
// names answers these questions. Pure; only the view changes, never the log.
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { strategies } from './condense/strategies.ts';
import type { CondensePlan, CondenseStrategy, ViewHead } from './condense/strategy.ts';
import { budgetIsDue } from './condense/triggers.ts';
import { growToCall, keptMessages, planAt } from './condense/strategy.ts';
import { canFit, isViewTooLong, isTooMany, isWorthFolding, roomFor } from './fit-view.ts';
import { viewEntries } from './view-entries.ts';

/** `requested`: a person requested it while the session was idle. */
export type CondenseReason = 'usage' | 'budget' | 'overflow' | 'requested';

/**
 * The reason to condense the view before the next request; undefined if there is none. A refusal by the provider always
 * is a reason; a window of 0 turns off all others.
 */
export function condenseReason(state: AgentState): CondenseReason | undefined {
  const { run, context } = state;
  if (!run || !context) return undefined;
  if (run.overflow === 'refused') return 'overflow';
  const { condense, model } = context.settings;
  const { contextWindow } = model;
  if (contextWindow === 0 || (run.condenseTriedAt ?? 0) >= run.turn) return undefined;
  if (condense.trigger === 'budget') return budgetIsDue(state) ? 'budget' : undefined;
  return strategyOf(state).isDue(state) ? 'usage' : undefined;
}

/** The part to fold. Undefined if a fold would gain nothing: the view is short, or its newest messages are long. */
export function planFold(state: AgentState): CondensePlan | undefined {
  const plan = strategyOf(state).plan(state);
  const room = isViewTooLong(state) ? roomFor(state) : undefined;
  if (room === undefined) return plan;
  const kept = isTooMany(state, plan?.firstKeptSeq ?? 0, room) ? newestTurn(state) : plan;
  if (!kept || kept.reductions !== undefined) return kept;
  // if nothing can be cut instead, a small gain is better than none
  return isWorthFolding(state, kept.firstKeptSeq, room) || !canFit(state) ? kept : undefined;
}

/** Used when the messages that a strategy keeps by number exceed a small window. */
function newestTurn(state: AgentState): CondensePlan | undefined {
  const entries = viewEntries(state);
  return planAt(state, entries, growToCall(entries, entries.length - 1));
}

export function strategyOf({ context }: AgentState): CondenseStrategy {
  return strategies[context?.settings.condense.strategy ?? 'user_summary'];
}

/** True while the run may condense again: 0 is unlimited. */
export function hasCondenseLeft(state: AgentState): boolean {
  const max = state.context?.settings.condense.maxPerRun ?? 0;
  return (max === 0 || (state.run?.condenses ?? 0) < max) && !isPaused(state);
}

/** True if the condenses before gave no room, and the provider does not refuse the request. */
export function isPaused({ run }: AgentState): boolean {
  return (run?.condensePause?.until ?? 0) > (run?.turn ?? 0) && run?.overflow !== 'refused';
}

/** Built by the strategy of this epoch: the beginning of a request stays the same until the next epoch. */
export function viewHead({ view }: AgentState): ViewHead {
  if (view.summary === undefined) return { messages: [...(view.replaced ?? []), ...keptMessages(view)] };
  return strategies[view.strategy ?? 'user_summary'].head(view);
}
