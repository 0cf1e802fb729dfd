// Several plans for one task made into one: by the steps that most of them have (PLAN-08), or by the best of them
// (PLAN-07). Pure.
import type { PlanOption, PlanStep } from '../../model/plan.ts';
import { settled } from './steps.ts';
import type { Steps } from './steps.ts';

/** The entries that at least half of the lists have, the most frequent first; of equals, the one that was named first. */
export function voted<T>(lists: readonly (readonly T[])[], keyOf: (entry: T) => string): T[] {
  const found = new Map<string, { entry: T; votes: number }>();
  for (const list of lists) {
    const own = new Map(list.map((entry) => [keyOf(entry), entry]));
    for (const [key, entry] of own) {
      const known = found.get(key);
      found.set(key, { entry: known?.entry ?? entry, votes: (known?.votes ?? 0) + 1 });
    }
  }
  return [...found.values()]
    .filter(({ votes }) => votes * 2 >= lists.length)
    .toSorted((left, right) => right.votes - left.votes)
    .map(({ entry }) => entry);
}

/**
 * The steps that at least half of the plans have, in that order and numbered anew; what verifies comes last, and is taken
 * from the first plan where the vote has left none. Empty where no step is common.
 */
export function votedPlan(plans: readonly Steps[]): PlanStep[] {
  const kept = voted(plans, keyOf);
  if (kept.length === 0) return [];
  const checks = kept.filter(({ verify }) => verify);
  const fallback = plans[0]?.filter(({ verify }) => verify).slice(0, 1) ?? [];
  const order = [...kept.filter(({ verify }) => !verify), ...(checks.length > 0 ? checks : fallback)];
  return order.map((step, index) => renumbered(step, index, order, plans));
}

/** The same step in the words of two plans: case, spaces and punctuation tell nothing. */
function keyOf({ text }: PlanStep): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Of what it depended on in its own plan, what comes before it now. */
function renumbered(
  step: PlanStep,
  index: number,
  order: readonly PlanStep[],
  plans: readonly Steps[],
): PlanStep {
  const { steps: _, ...rest } = step;
  const own = plans.find((plan) => plan.includes(step)) ?? [];
  const needed = own.filter(({ id }) => step.dependsOn.includes(id)).map(keyOf);
  const dependsOn = order
    .slice(0, index)
    .flatMap((other, at) => (needed.includes(keyOf(other)) ? [String(at + 1)] : []));
  return settled({ ...rest, id: String(index + 1), dependsOn });
}

/** Index of the option with the highest score; of equals the first. */
export function bestOption(options: readonly Pick<PlanOption, 'score'>[]): number {
  return options.reduce((best, { score }, index) => (score > (options[best]?.score ?? 0) ? index : best), 0);
}
