// Makes one plan out of several for the same task: from the steps that most of them have (PLAN-08), or the best one
// (PLAN-07). Pure.
import { omit } from '@holdfast/base/omit';
import type { PlanOption, PlanStep } from '@holdfast/vocabulary/plan';
import { type Steps, settled } from './steps.ts';

/** The entries that at least half of the lists have, most frequent first; in a tie, the one named first. */
export function voted<T>(lists: readonly (readonly T[])[], keyOf: (entry: T) => string): T[] {
  const votes = lists.flatMap((list) => [...new Map(list.map((entry) => [keyOf(entry), entry])).values()]);
  return [...Map.groupBy(votes, keyOf).values()]
    .filter(({ length }) => length * 2 >= lists.length)
    .toSorted((left, right) => right.length - left.length)
    .flatMap(([entry]) => (entry === undefined ? [] : [entry]));
}

/**
 * The steps that at least half of the plans have, in order of votes and renumbered. Verifying steps come last; if the
 * vote has left none, one comes from the first plan. Empty if no step is common.
 */
export function votedPlan(plans: readonly Steps[]): PlanStep[] {
  const kept = voted(plans, keyOf);
  if (kept.length === 0) return [];
  const checks = kept.filter(({ verify }) => verify);
  const fallback = plans[0]?.filter(({ verify }) => verify).slice(0, 1) ?? [];
  const order = [...kept.filter(({ verify }) => !verify), ...(checks.length > 0 ? checks : fallback)];
  return order.map((step, index) => renumbered(step, index, order, plans));
}

/** Equal for the same step in the words of two plans: case, spaces and punctuation do not count. */
function keyOf({ text }: PlanStep): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Keeps the dependencies that come before the step in the new order. */
function renumbered(
  step: PlanStep,
  index: number,
  order: readonly PlanStep[],
  plans: readonly Steps[],
): PlanStep {
  const own = plans.find((plan) => plan.includes(step)) ?? [];
  const needed = own.filter(({ id }) => step.dependsOn.includes(id)).map(keyOf);
  const dependsOn = order
    .slice(0, index)
    .flatMap((other, at) => (needed.includes(keyOf(other)) ? [String(at + 1)] : []));
  return settled({ ...omit(step, 'steps'), id: String(index + 1), dependsOn });
}

/** Index of the option with the highest score; the first one wins a tie. */
export function bestOption(options: readonly Pick<PlanOption, 'score'>[]): number {
  return options.reduce((best, { score }, index) => (score > (options[best]?.score ?? 0) ? index : best), 0);
}
