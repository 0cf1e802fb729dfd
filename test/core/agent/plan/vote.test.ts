// One plan out of several: by the steps that most of them have, or by the best of them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlan } from '../../../../src/core/agent/plan/read-plan.ts';
import { bestOption, voted, votedPlan } from '../../../../src/core/agent/plan/vote.ts';
import type { PlanStep } from '@holdfast/vocabulary/plan';

const same = (entry: string) => entry;
const lists = ['ABCD', 'ABEF', 'ACDG', 'ABCH', 'ABDI'].map((list) => list.split(''));

/** A step per letter; `*` marks one that verifies, `<A` what it depends on. */
function planOf(...words: string[]): PlanStep[] {
  const names = words.map((word) => word.replace(/[*<].*$/, ''));
  const steps = words.map((word) => ({
    text: word.replace(/[*<].*$/, ''),
    criterion: 'seen',
    verify: word.includes('*'),
    dependsOn: word
      .replace(/^[^<]*/, '')
      .replaceAll('<', '')
      .split('')
      .map((on) => String(names.findIndex((name) => name.includes(on)) + 1)),
  }));
  const read = readPlan(steps);
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

test('[PLAN-08] steps in at least half of the plans are kept, by frequency', () => {
  expect(voted(lists, same)).toEqual(['A', 'B', 'C', 'D']);
  const plans = lists.map((list) => planOf(...list, 'V*'));
  expect(votedPlan(plans).map(({ id, text }) => `${id} ${text}`)).toEqual([
    '1 A',
    '2 B',
    '3 C',
    '4 D',
    '5 V',
  ]);
});

test('[PLAN-08] of whatever lists: what is kept is in half of them, and none that is in half is lost', () => {
  const list = fc.uniqueArray(fc.constantFrom(...'ABCDEF'.split('')), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 7 }), (all) => {
      const votes = (entry: string) => all.filter((each) => each.includes(entry)).length;
      const kept = voted(all, same);
      const wanted = [...new Set(all.flat())].filter((entry) => votes(entry) * 2 >= all.length);
      expect(kept.toSorted()).toEqual(wanted.toSorted());
      expect(kept.map(votes)).toEqual(kept.map(votes).toSorted((left, right) => right - left));
    }),
  );
});

test('[PLAN-08] what verifies comes last, from the first plan where none is common', () => {
  const common = votedPlan([planOf('V*', 'A'), planOf('V*', 'B'), planOf('V*', 'A')]);
  expect(common.map(({ text }) => text)).toEqual(['A', 'V']);
  const own = votedPlan([planOf('A', 'V*'), planOf('A', 'W*'), planOf('A', 'X*')]);
  expect(own).toMatchObject([{ text: 'A' }, { id: '2', text: 'V', verify: true }]);
  expect(votedPlan([planOf('A*'), planOf('B*'), planOf('C*')])).toEqual([]);
});

test('[PLAN-08] a step of the same words is the same, and keeps of what it depended on what comes before it', () => {
  const plans = [planOf('Look: at L!', 'B<L', 'V*'), planOf('look at l', 'B', 'V*')];
  expect(votedPlan(plans)).toMatchObject([
    { text: 'Look: at L!' },
    { text: 'B', dependsOn: ['1'] },
    { text: 'V' },
  ]);
  // B comes first now, so it can no longer wait for A
  const turned = votedPlan([planOf('A', 'B<A', 'V*'), planOf('B', 'V*'), planOf('B', 'A', 'V*')]);
  expect(turned.map(({ text, dependsOn }) => [text, dependsOn])).toEqual([
    ['B', []],
    ['A', []],
    ['V', []],
  ]);
});

test('[PLAN-07b] the option with the highest score is the best; of equals the first', () => {
  expect(bestOption([{ score: 3 }, { score: 8 }, { score: 8 }])).toBe(1);
  expect(bestOption([{ score: 0 }, { score: 0 }])).toBe(0);
});
