// Which rules the loop decides by. They are frozen with a run's context, like the estimator: what is replayed must be
// decided as it was. Pure.
import type { AgentState } from '../model/agent-state.ts';

/**
 * Raised with every change of what is commanded in a situation that older histories can hold. The old branch can go
 * when no session lives whose run began before the date.
 * 2 (2026-11): a message that interrupts a condense is taken before the next request; a budget is looked at before every
 * request, not only between turns, and for every tool call; continued work goes on with its budget after any end; a hook
 * that a stop reaches counts: its answer is taken, without one its tool does not run, or its result is withheld; the end
 * of a run is not interrupted.
 */
export const loopRules = 2;

export function goesBy(rules: number, { context }: AgentState): boolean {
  return context === undefined || (context.rules ?? 1) >= rules;
}
