// The steps of a plan as a list, and their progress. Pure. A step with sub-steps is never worked on itself: its status
// follows from its sub-steps.
import { defined } from '@holdfast/base/defined';
import type { PlanStep, StepStatus } from '@holdfast/vocabulary/plan';

export type Steps = readonly PlanStep[];

/** All steps in order: 1, 2, 2.1, 2.2, 3. */
export function allSteps(steps: Steps): PlanStep[] {
  return steps.flatMap((step) => [step, ...(step.steps ?? [])]);
}

/** The steps that work is done on: all but those with sub-steps. */
export function workSteps(steps: Steps): PlanStep[] {
  return allSteps(steps).filter((step) => step.steps === undefined);
}

export function openSteps(steps: Steps): PlanStep[] {
  return workSteps(steps).filter(({ status }) => status !== 'done');
}

export function isComplete(steps: Steps): boolean {
  return openSteps(steps).length === 0;
}

export type Progress = { done: number; total: number; current?: PlanStep };

/** `current`: the step in progress, or the next one. */
export function progressOf(steps: Steps): Progress {
  const work = workSteps(steps);
  const current =
    work.find(({ status }) => status === 'in_progress') ?? work.find(({ status }) => status !== 'done');
  const done = work.filter(({ status }) => status === 'done').length;
  return defined({ done, total: work.length, current });
}

/** Changes the step with that id, and updates the status of its parent step. */
export function withStep(steps: Steps, id: string, change: (step: PlanStep) => PlanStep): PlanStep[] {
  return steps.map((step) => {
    if (step.id === id) return change(step);
    return step.steps === undefined ? step : settled({ ...step, steps: withStep(step.steps, id, change) });
  });
}

/** The step with the status of its sub-steps, if it has any. */
export function settled(step: PlanStep): PlanStep {
  return step.steps === undefined ? step : { ...step, status: statusOf(step.steps) };
}

function statusOf(steps: Steps): StepStatus {
  if (steps.every(({ status }) => status === 'done')) return 'done';
  if (steps.some(({ status }) => status === 'failed')) return 'failed';
  return steps.every(({ status }) => status === 'pending') ? 'pending' : 'in_progress';
}
