// Marking the steps of a plan: in order, after what they need, and a step with sub-steps only by these.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StepMark, markStep } from '../../../../src/core/agent/plan/update-plan.ts';
import { readPlan } from '../../../../src/core/agent/plan/read-plan.ts';
import {
  allSteps,
  isComplete,
  openSteps,
  progressOf,
  workSteps,
} from '../../../../src/core/agent/plan/steps.ts';
import { stepStatuses } from '@holdfast/vocabulary/plan';
import type { PlanStep } from '@holdfast/vocabulary/plan';

const step = (more: object = {}) => ({ text: 'Look', criterion: 'seen', ...more });
const check = step({ verify: true });

function planned(...steps: object[]): PlanStep[] {
  const read = readPlan(steps, { subSteps: true });
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

/** A mark that is refused changes nothing. */
function marked(steps: PlanStep[], ...marks: StepMark[]): PlanStep[] {
  return marks.reduce((before, mark) => {
    const after = markStep(before, mark);
    return after.ok ? after.value : before;
  }, steps);
}

function refusal(steps: PlanStep[], mark: StepMark): string {
  const after = markStep(steps, mark);
  return after.ok ? 'accepted' : after.reason;
}

const done = (id: string): StepMark => ({ id, status: 'done' });
const begun = (id: string): StepMark => ({ id, status: 'in_progress' });

test('[PLAN-04ab] a step is marked with what came of it, and the plan is complete when all are done', () => {
  const plan = planned(step(), check);
  const first = marked(plan, { id: '1', status: 'done', note: 'the rate is 4 %' });
  expect(first[0]).toMatchObject({ status: 'done', note: 'the rate is 4 %' });
  expect(progressOf(first)).toMatchObject({ done: 1, total: 2, current: { id: '2' } });
  expect(isComplete(first)).toBe(false);
  const all = marked(first, done('2'));
  expect(isComplete(all)).toBe(true);
  expect(progressOf(all)).toEqual({ done: 2, total: 2 });
});

describe('a mark is refused', () => {
  const plan = planned(step(), step({ dependsOn: ['1'] }), check);

  test('[PLAN-02e] of a step that the plan does not have', () => {
    expect(refusal(plan, done('9'))).toBe('there is no step "9": the plan has 1, 2, 3');
  });

  test('[PLAN-04a] before those before it have begun', () => {
    expect(refusal(plan, begun('3'))).toMatch(/in order, and step 1 has not begun/);
    expect(refusal(plan, done('2'))).toMatch(/step 1 has not begun/);
  });

  test('[PLAN-04a] while a step that it needs is not done; others may be worked on at once', () => {
    const open = marked(plan, begun('1'));
    expect(refusal(open, begun('2'))).toBe('step 2 needs step 1, which is in progress');
    const parallel = planned(step(), step(), check);
    expect(refusal(marked(parallel, begun('1')), begun('2'))).toBe('accepted');
    expect(refusal(marked(plan, { id: '1', status: 'failed' }), begun('2'))).toMatch(
      /step 1, which is failed/,
    );
  });

  test('that has too much to say', () => {
    expect(refusal(plan, { ...done('1'), note: 'x'.repeat(501) })).toMatch(/501 characters/);
  });
});

describe('a step with sub-steps', () => {
  const plan = planned(step(), step({ dependsOn: ['1'], steps: [step(), step()] }), check);

  test('[PLAN-06b] is done only when all of them are, and is marked by them alone', () => {
    const first = marked(plan, done('1'), done('2.1'));
    expect(first[1]?.status).toBe('in_progress');
    expect(refusal(first, done('2'))).toBe('step 2 is done when its sub-steps are: mark 2.1, 2.2');
    expect(marked(first, { id: '2.2', status: 'failed' })[1]?.status).toBe('failed');
    const all = marked(first, done('2.2'));
    expect(all[1]?.status).toBe('done');
    expect(openSteps(all).map(({ id }) => id)).toEqual(['3']);
  });

  test('[PLAN-04a] needs for each of them what it needs itself', () => {
    expect(refusal(marked(plan, begun('1')), begun('2.1'))).toBe(
      'step 2.1 needs step 1, which is in progress',
    );
  });
});

test('[PLAN-04a] [PLAN-06b] whatever is marked: a step is done only after what it needs was, a parent when all its parts are', () => {
  const plan = planned(
    step(),
    step({ steps: [step(), step({ dependsOn: ['2.1'] })] }),
    step({ dependsOn: ['2'] }),
    check,
  );
  const ids = workSteps(plan).map(({ id }) => id);
  const marks = fc.array(
    fc.record({ id: fc.constantFrom(...ids), status: fc.constantFrom(...stepStatuses) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(marks, (each) => {
      each.reduce((before, mark) => {
        const after = marked(before, mark);
        const parent = after[1];
        expect(parent?.status === 'done').toBe(parent?.steps?.every(({ status }) => status === 'done'));
        if (after !== before && mark.status === 'done') {
          const needed = allSteps(after).find(({ id }) => id === mark.id)?.dependsOn ?? [];
          const open = allSteps(after).filter(({ id, status }) => needed.includes(id) && status !== 'done');
          expect(open).toEqual([]);
        }
        expect(allSteps(after).map(({ id }) => id)).toEqual(allSteps(plan).map(({ id }) => id));
        return after;
      }, plan);
    }),
  );
});
