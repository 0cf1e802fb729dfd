// Applies a call of update_plan: a new plan, sub-steps for one step, or one step marked (PLAN-02, PLAN-04, PLAN-06). Pure.
import { defined } from '@holdfast/base/defined';
import { type Json, isText, fieldsOf } from '@holdfast/base/json';
import { type PlanStep, type StepStatus, stepStatuses } from '@holdfast/vocabulary/plan';
import { type Read, noteCharacters, readPlan, splitStep, unknownStep } from './read-plan.ts';
import { type Steps, allSteps, withStep, workSteps } from './steps.ts';

/** `marked`: the step that the call marked; absent if it set steps. */
export type Updated = { steps: PlanStep[]; marked?: PlanStep };

/** `subSteps`: true if the agent's planning allows them. */
export function updateSteps(before: Steps, args: Json, subSteps: boolean): Read<Updated> {
  const { steps, id, status, note } = fieldsOf(args);
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
  const marked = markStep(
    before,
    defined({ id, status: known, note: isText(note) ? note.trim() : undefined }),
  );
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

export type StepMark = { id: string; status: StepStatus; note?: string };

/** The plan after the mark. A step may begin only after all earlier steps have begun and its dependencies are done. */
export function markStep(steps: Steps, { id, status, note }: StepMark): Read<PlanStep[]> {
  const step = allSteps(steps).find((candidate) => candidate.id === id);
  const reason = !step
    ? unknownStep(steps, id)
    : (problemOfParts(step) ??
      (note !== undefined && note.length > noteCharacters
        ? `the note has ${note.length} characters: at most ${noteCharacters} are taken`
        : undefined) ??
      (status === 'in_progress' || status === 'done' ? notYet(steps, step) : undefined));
  if (reason !== undefined) return { ok: false, reason };
  const marked = withStep(steps, id, (found) => ({
    ...found,
    status,
    ...defined({ note: note || undefined }),
  }));
  return { ok: true, value: marked };
}

function problemOfParts({ id, steps }: PlanStep): string | undefined {
  if (steps === undefined) return undefined;
  const parts = steps.map((part) => part.id).join(', ');
  return `step ${id} is done when its sub-steps are: mark ${parts}`;
}

function notYet(steps: Steps, step: PlanStep): string | undefined {
  const work = workSteps(steps);
  const before = work.slice(0, work.indexOf(step));
  const waiting = before.find(({ status }) => status === 'pending');
  if (waiting) {
    return `steps are taken in order, and step ${waiting.id} has not begun: begin it first, or set a new plan without it`;
  }
  const parent = steps.find((candidate) => candidate.steps?.includes(step));
  const needed = [...(parent?.dependsOn ?? []), ...step.dependsOn];
  const missing = allSteps(steps).find(({ id, status }) => needed.includes(id) && status !== 'done');
  return missing && `step ${step.id} needs step ${missing.id}, which is ${missing.status.replace('_', ' ')}`;
}
