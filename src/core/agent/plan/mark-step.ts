// Marks a step of a plan, or gives the reason for refusing the mark (PLAN-02, PLAN-04, PLAN-06). Pure.
import type { PlanStep, StepStatus } from '../../model/plan.ts';
import { type Read, noteCharacters, unknownStep } from './read-plan.ts';
import { type Steps, allSteps, withStep, workSteps } from './steps.ts';

export type Mark = { id: string; status: StepStatus; note?: string };

/** The plan after the mark. A step may begin only after all earlier steps have begun and its dependencies are done. */
export function markStep(steps: Steps, { id, status, note }: Mark): Read<PlanStep[]> {
  const step = allSteps(steps).find((candidate) => candidate.id === id);
  const reason = !step
    ? unknownStep(steps, id)
    : (problemOfParts(step) ??
      (note !== undefined && note.length > noteCharacters
        ? `the note has ${note.length} characters: at most ${noteCharacters} are taken`
        : undefined) ??
      (status === 'in_progress' || status === 'done' ? notYet(steps, step) : undefined));
  if (reason !== undefined) return { ok: false, reason };
  const marked = withStep(steps, id, (found) => ({ ...found, status, ...(note ? { note } : {}) }));
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
