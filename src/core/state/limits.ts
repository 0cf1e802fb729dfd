// The limits that end a run early (turns, budget, deadline), and the budget of its children. Small predicates over state, pure.
import { advice } from '@holdfast/base/failures';
import { messageOf } from '@holdfast/base/message-of';
import type { AgentState, RunState, Spent, RunEnd } from '@holdfast/vocabulary/agent-state';
import type { Budget } from '@holdfast/vocabulary/agent-spec';
import { counted, toDuration } from '@holdfast/base/words';
import { tokensOf } from '@holdfast/vocabulary/messages';

/** True when the run has had all its model responses; 0 is unlimited (LOOP-06). */
export function turnLimitReached(run: RunState, maxTurns: number): boolean {
  return maxTurns > 0 && run.responses >= maxTurns;
}

const units: [keyof Budget, (limit: number) => string][] = [
  ['turns', (limit) => counted(limit, 'turn')],
  ['tokens', (limit) => counted(limit, 'token')],
  ['costUsd', (limit) => `${limit} USD`],
  ['wallMs', (limit) => `${toDuration(limit)} of work`],
  ['toolCalls', (limit) => counted(limit, 'tool call')],
];

/** The exceeded part of the budget, as a sentence; undefined while every part has some left (SAFE-03). */
export function spentBudget(run: RunState, budget: Budget, now: number): string | undefined {
  const spent = toSpent(run, now);
  for (const [field, inWords] of units) {
    const limit = budget[field];
    if (limit !== undefined && spent[field] >= limit)
      return `budget of ${inWords(limit)} is used up (${spent[field]})`;
  }
  return undefined;
}

/** Number of further tool calls that the budget allows. */
export function toolCallsLeft(state: AgentState, run: RunState): number {
  const { toolCalls = Infinity } = budgetOf(state);
  return toolCalls - toSpent(run, run.startedAt).toolCalls;
}

/** The amounts used by the run and by the earlier runs of the same work. */
export function toSpent(run: RunState, now: number): Spent {
  const { before } = run;
  return {
    // a turn that has not sent its request does not count yet
    turns: run.turn - (run.cursor === 'ready' ? 1 : 0) + (before?.turns ?? 0),
    tokens: tokensOf(run.usage) + (before?.tokens ?? 0),
    costUsd: run.costUsd + (before?.costUsd ?? 0),
    // waiting for people does not count: the agent does no work then
    wallMs: now - run.startedAt - (run.waitedMs ?? 0) + (before?.wallMs ?? 0),
    toolCalls: run.toolCalls + (run.childToolCalls ?? 0) + (before?.toolCalls ?? 0),
  };
}

/** The agent's budget plus what was added to it. A part without a limit stays unlimited. */
export function budgetOf({ context, budgetAdded }: AgentState): Budget {
  const budget = context?.settings.budget ?? {};
  if (!budgetAdded) return budget;
  const limits = units.flatMap(([field]): [keyof Budget, number][] => {
    const limit = budget[field];
    return limit === undefined ? [] : [[field, limit + (budgetAdded[field] ?? 0)]];
  });
  return Object.fromEntries(limits);
}

export function addBudget(left: Budget, right: Budget): Budget {
  const parts = units.map(([field]) => [field, (left[field] ?? 0) + (right[field] ?? 0)] as const);
  return Object.fromEntries(parts.filter(([, sum]) => sum > 0));
}

/** The budget of each task; or, as the rest of a sentence, the reason that none may start. */
export type ChildShare = { budget: Budget } | { spent: string };

/**
 * An even share of the part that their parent has left and has not set aside for others. Children run at the same time, so each
 * may use all the remaining time. Turns are counted for each session alone.
 */
export function shareOf(state: AgentState, tasks: number, now: number): ChildShare {
  const { run, children = [] } = state;
  if (!run) return { budget: {} };
  const { turns: _, ...whole } = budgetOf(state);
  const spent = spentBudget(run, whole, now);
  if (spent !== undefined) return { spent: `the ${spent}` };
  const used = toSpent(run, now);
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

/**
 * The end of a run after an error inside it. Throws the error again if the workflow should wait for fixed code
 * (HOOK-14).
 */
export function endOfError({ run, context }: AgentState, error: unknown): RunEnd {
  // an error that repeats while the run ends would loop forever
  if (!run || run.end || context?.settings.loop.onError !== 'fail') throw error;
  const message = `An error inside the run: ${messageOf(error)}`;
  return { status: 'failed', error: { code: 'Run.Exception', message } };
}

/** The end of a run that a person or its deadline stopped. */
export function stoppedEnd({ timedOut }: RunState): RunEnd {
  if (!timedOut) return { status: 'aborted' };
  const message = `The run has reached its deadline. ${advice['Run.TimedOut']}`;
  return { status: 'timed_out', error: { code: 'Run.TimedOut', message } };
}

export function turnLimitEnd(maxTurns: number): RunEnd {
  const message = `The run reached its limit of ${counted(maxTurns, 'model response')}. ${advice['Run.MaxTurns']}`;
  return { status: 'max_iterations', error: { code: 'Run.MaxTurns', message } };
}

/** The end after the one request without tools that onLimit `finalize` allows (LOOP-07). */
export const finalizedEnd: RunEnd = { status: 'max_iterations' };

export function budgetEnd(spent: string): RunEnd {
  const message = `The ${spent}. ${advice['Run.Budget']}`;
  return { status: 'budget_exceeded', error: { code: 'Run.Budget', message } };
}
