// The effect of a plan change on the state, and the plan's open steps at the end of a run. Pure.
import { defined } from '@holdfast/base/defined';
import { planText } from '../agent/plan/plan-text.ts';
import { allSteps, isComplete, progressOf } from '../agent/plan/steps.ts';
import { cutToBytes } from '@holdfast/base/cut-text';
import { eventTextBytes } from '@holdfast/base/sizes';
import type { AgentState, RunState } from '@holdfast/vocabulary/agent-state';
import type { Plan } from '@holdfast/vocabulary/plan';
import type { RunResult } from '@holdfast/vocabulary/run-result';
import type { Draft } from './draft.ts';
import type { FactOf } from './facts.ts';

export function changePlan(draft: Draft, { plan, stepId }: FactOf<'plan_changed'>): void {
  draft.state = { ...draft.state, plan };
  const { done, total } = progressOf(plan.steps);
  const step = allSteps(plan.steps).find(({ id }) => id === stepId);
  draft.events.push({
    type: 'plan_update',
    done,
    total,
    ...(step
      ? { step: defined({ id: step.id, text: step.text, status: step.status, note: step.note || undefined }) }
      : {}),
    text: cutToBytes(planText(plan.steps), eventTextBytes),
  });
}

/** The plan of this run; a new task is not held to an older plan. */
function planOf({ plan }: AgentState, { runId }: RunState): Plan | undefined {
  return plan?.runId === runId ? plan : undefined;
}

/** True if open steps must be held against the answer that would end the run (PLAN-04). */
export function owesSteps(state: AgentState, run: RunState): boolean {
  const plan = planOf(state, run);
  if (run.planReminded || run.terminated || run.completion || run.final) return false;
  return plan !== undefined && !isComplete(plan.steps);
}

export function planResultOf(state: AgentState, run: RunState): Pick<RunResult, 'plan' | 'planComplete'> {
  const plan = planOf(state, run);
  return plan ? { plan, planComplete: isComplete(plan.steps) } : {};
}
