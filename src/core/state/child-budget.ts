// The budget of children: an even share of the part that their parent has left and has not set aside for others. Pure.
import type { Budget } from '../model/agent-spec.ts';
import type { AgentState } from '../model/agent-state.ts';
import { budgetOf, spentBudget, spentOf } from './limits.ts';

/** The budget of each task; or, as the rest of a sentence, the reason that none may start. */
export type ChildShare = { budget: Budget } | { spent: string };

/** Children run at the same time, so each may use all the remaining time. Turns are counted for each session alone. */
export function shareOf(state: AgentState, tasks: number, now: number): ChildShare {
  const { run, children = [] } = state;
  if (!run) return { budget: {} };
  const { turns: _, ...whole } = budgetOf(state);
  const spent = spentBudget(run, whole, now);
  if (spent !== undefined) return { spent: `the ${spent}` };
  const used = spentOf(run, now);
  const share: Budget = {};
  for (const field of ['tokens', 'costUsd', 'wallMs', 'toolCalls'] as const) {
    const limit = whole[field];
    if (limit === undefined) continue;
    const left = limit - used[field];
    const reserved = children.reduce((sum, child) => sum + (child.reserved?.[field] ?? 0), 0);
    const free = field === 'wallMs' ? left : (left - reserved) / Math.max(1, tasks);
    const part = field === 'costUsd' ? free : Math.floor(free);
    if (part <= 0) return { spent: `nothing is left for it of the budget (${field}: ${limit})` };
    share[field] = part;
  }
  return { budget: share };
}
