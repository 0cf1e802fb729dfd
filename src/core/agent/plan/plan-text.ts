// A plan in words, for the model and for people, with the instructions that come with it. Pure.
import { cutText } from '@holdfast/base/cut-text';
import { present } from '@holdfast/base/present';
import type { PlanStep, StepStatus } from '@holdfast/vocabulary/plan';
import { type Steps, allSteps, openSteps, progressOf } from './steps.ts';

const marks: Record<StepStatus, string> = { pending: '[ ]', in_progress: '[>]', done: '[x]', failed: '[!]' };

/** One line for each step. */
export function planText(steps: Steps): string {
  return allSteps(steps).map(stepLine).join('\n');
}

function stepLine({ id, text, status, criterion, dependsOn, verify, note, steps }: PlanStep): string {
  const facts = present([
    verify && 'verifies',
    dependsOn.length > 0 && `after ${dependsOn.join(', ')}`,
    status !== 'done' && !steps && `done when: ${criterion}`,
  ]);
  const more = facts.length === 0 ? '' : ` (${facts.join('; ')})`;
  return `${id.includes('.') ? '  ' : ''}${id} ${marks[status]} ${text}${more}${note ? ` - ${note}` : ''}`;
}

/** Such as `2/5, in hand 3: Look at the pool`. */
export function progressLine(steps: Steps): string {
  const { done, total, current } = progressOf(steps);
  if (!current) return `${done}/${total}`;
  const place = current.status === 'pending' ? 'next' : current.status === 'failed' ? 'failed' : 'in hand';
  return `${done}/${total}, ${place} ${current.id}: ${cutText(current.text, 120)}`;
}

/** Shown in front of a run's first message. */
export function planPreface(steps: Steps): string {
  return `<plan>\n${planText(steps).replaceAll('</plan', '<\\/plan')}\n</plan>\nThis is the plan for what follows. ${howToWork}`;
}

const howToWork =
  'Carry it out step by step, in this order. Before a step and after it call update_plan with its id and status; ' +
  'with done, say in the note what came of it. Where the plan turns out to be wrong, set a better one with update_plan.';

/** Sent instead of ending the run: a final answer came while steps are open (PLAN-04). */
export function openStepsReminder(steps: Steps): string {
  const open = openSteps(steps).map((step) => `- ${stepLine(step).trim()}`);
  return (
    `Steps of your plan are still open:\n${open.join('\n')}\n` +
    'Carry them out, or set a plan without them (update_plan), then give your answer again. If one cannot be done, ' +
    'mark it as failed and say in the answer what is missing.'
  );
}
