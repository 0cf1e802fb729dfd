// What is a plan: the numbers of its steps, and why one is refused.
import { describe, expect, test } from 'vitest';
import { maxSteps, readPlan, splitStep } from '../../../../src/core/agent/plan/read-plan.ts';
import type { Read } from '../../../../src/core/agent/plan/read-plan.ts';
import { allSteps } from '../../../../src/core/agent/plan/steps.ts';
import type { PlanStep } from '@holdfast/vocabulary/plan';

const look = { text: 'Look at the errors', criterion: 'their rate is known' };
const check = { text: 'Check the cause again', criterion: 'it explains all of them', verify: true };

const reasonOf = (read: Read<unknown>): string => (read.ok ? 'accepted' : read.reason);
function accepted(read: Read<PlanStep[]>): PlanStep[] {
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

test('[PLAN-02a] steps get their number, a status, and what they depend on', () => {
  const steps = accepted(readPlan([look, { ...check, dependsOn: [1] }]));
  expect(steps).toEqual([
    { id: '1', ...look, status: 'pending', dependsOn: [] },
    { id: '2', ...check, status: 'pending', dependsOn: ['1'] },
  ]);
  const again = accepted(readPlan([{ ...look, status: 'done', note: ' it was \n 4 % ' }, check]));
  expect(again[0]).toMatchObject({ status: 'done', note: 'it was 4 %' });
});

describe('[PLAN-03abc] a plan is refused with a reason', () => {
  test.each([
    ['without steps', [], /no steps/],
    ['that is no list', 'look, then check', /no steps/],
    ['[PLAN-03a] with a step without a criterion', [{ text: 'Look' }, check], /step 1 has no criterion/],
    ['[PLAN-03a] with a blank criterion', [{ ...look, criterion: ' ' }, check], /step 1 has no criterion/],
    ['with a step without a text', [{ criterion: 'x' }, check], /step 1 has no text/],
    [
      '[PLAN-03b] with a later dependency',
      [{ ...look, dependsOn: ['2'] }, check],
      /step 1 depends on 2, which does not come before/,
    ],
    [
      '[PLAN-03b] with itself as one',
      [look, { ...check, dependsOn: ['2'] }],
      /step 2 depends on 2, which does not come before/,
    ],
    [
      '[PLAN-03b] with a missing dependency',
      [look, { ...check, dependsOn: ['7'] }],
      /step 2 depends on 7, which the plan does not have/,
    ],
    ['[PLAN-03c] without a verification step', [look], /no step verifies/],
    ['[PLAN-03ac] with several faults at once', [{ text: 'Look' }], /no criterion.*; no step verifies/],
    ['with a step that is too long', [{ ...look, text: 'x'.repeat(301) }, check], /step 1 is too long/],
    [
      'with too many steps',
      Array.from({ length: maxSteps }, () => look).concat(check),
      /31 steps: at most 30/,
    ],
  ])('%s', (_what, steps, reason) => {
    expect(reasonOf(readPlan(steps))).toMatch(reason);
  });

  test('one that is larger than a plan may be', () => {
    const long = { text: 'x'.repeat(300), criterion: 'y'.repeat(300) };
    const steps = [...Array.from({ length: maxSteps - 1 }, () => long), check];
    expect(reasonOf(readPlan(steps))).toMatch(/bytes: at most 16384/);
  });
});

describe('sub-steps', () => {
  const nested = [look, { ...look, steps: [look, { ...look, dependsOn: ['1', '2.1'] }] }, check];

  test('[PLAN-06a] are numbered 2.1 and 2.2, and may depend on what comes before them', () => {
    const steps = accepted(readPlan(nested, { subSteps: true }));
    expect(allSteps(steps).map(({ id }) => id)).toEqual(['1', '2', '2.1', '2.2', '3']);
    expect(steps[1]?.steps?.[1]?.dependsOn).toEqual(['1', '2.1']);
  });

  test('[PLAN-06a] are taken only by the planning that has them', () => {
    expect(reasonOf(readPlan(nested))).toMatch(
      /step 2 has sub-steps, which only the planning "hierarchical" takes/,
    );
  });

  test.each([
    ['[PLAN-03a] without a criterion', { text: 'Look' }, /step 1.1 has no criterion/],
    [
      '[PLAN-03b] that depend on their own step',
      { ...look, dependsOn: ['1'] },
      /step 1.1 depends on 1, of which it is a part/,
    ],
    ['of sub-steps', { ...look, steps: [look] }, /two levels/],
  ])('%s are refused', (_what, part, reason) => {
    expect(reasonOf(readPlan([{ ...look, steps: [part] }, check], { subSteps: true }))).toMatch(reason);
  });

  test('[PLAN-06a] take the place of a step that turns out to be more than one', () => {
    const steps = accepted(readPlan([look, check]));
    const split = accepted(splitStep(steps, '1', [look, { ...look, status: 'done' }]));
    expect(split[0]).toMatchObject({ status: 'in_progress', steps: [{ id: '1.1' }, { id: '1.2' }] });
    expect(reasonOf(splitStep(steps, '4', [look]))).toMatch(/no step "4": the plan has 1, 2/);
    expect(reasonOf(splitStep(steps, '1', []))).toMatch(/no sub-steps/);
  });
});
