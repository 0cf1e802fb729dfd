// Applies a call of update_plan: a new plan, sub-steps for one step, or one step marked. Pure.
import { defined } from '../../base/defined.ts';
import { type Json, isRecord, isText } from '../../base/json.ts';
import { type PlanStep, stepStatuses } from '../../model/plan.ts';
import { markStep } from './mark-step.ts';
import { type Read, readPlan, splitStep } from './read-plan.ts';
import { type Steps, allSteps } from './steps.ts';

/** `marked`: the step that the call marked; absent if it set steps. */
export type Updated = { steps: PlanStep[]; marked?: PlanStep };

/** `subSteps`: true if the agent's planning allows them. */
export function updateSteps(before: Steps, args: Json, subSteps: boolean): Read<Updated> {
  const { steps, id, status, note } = isRecord(args) ? args : {};
  if (steps !== undefined && id === undefined) return set(readPlan(steps, { subSteps }));
  if (!isText(id)) return refused(expected);
  if (before.length === 0) return refused('there is no plan yet: set one with {steps}');
  if (steps !== undefined) {
    if (!subSteps)
      return refused('only the planning "hierarchical" takes sub-steps: set a plan without them');
    return set(splitStep(before, id, steps));
  }
  const known = stepStatuses.find((candidate) => candidate === status);
  if (known === undefined) return refused(expected);
  const marked = markStep(before, { id, status: known, ...(isText(note) ? { note: note.trim() } : {}) });
  if (!marked.ok) return marked;
  const step = allSteps(marked.value).find((candidate) => candidate.id === id);
  return { ok: true, value: defined({ steps: marked.value, marked: step }) };
}

const expected =
  'expected {steps: [...]} to set the plan, {id, status, note?} to mark a step, or nothing to read the plan';

function set(read: Read<PlanStep[]>): Read<Updated> {
  return read.ok ? { ok: true, value: { steps: read.value } } : read;
}

function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
