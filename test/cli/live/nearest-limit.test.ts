// The limit that a run is nearest to, by the share of it that is used.
import { expect, test } from 'vitest';
import { nearestLimit } from '../../../src/cli/live/describe-live.ts';
import type { Budget } from '@holdfast/vocabulary/agent-spec';
import type { RunProgress } from '@holdfast/vocabulary/snapshot';

const minute = 60_000;
const run: RunProgress = {
  startedAt: 0,
  workFrom: 0,
  responses: 40,
  maxTurns: 100,
  turns: 40,
  tokens: 600_000,
  costUsd: 0.3,
  toolCalls: 9,
};

const cases: [string, Partial<RunProgress>, Budget, expected: string | undefined][] = [
  [
    'turns of the run',
    { responses: 75 },
    { costUsd: 3, tokens: 3_000_000, wallMs: 60 * minute },
    'turn 75 of 100',
  ],
  ['turns that are not near their limit', { responses: 74 }, { costUsd: 3 }, undefined],
  ['turns of the work', {}, { turns: 50 }, 'turn 40 of 50 in all'],
  ['tokens', {}, { tokens: 1_000_000 }, 'tokens'],
  ['money', {}, { costUsd: 0.5 }, 'cost'],
  ['calls', {}, { toolCalls: 10 }, 'call 9 of 10'],
  ['time of work', {}, { wallMs: 15 * minute }, '5 min of work left'],
  ['people took most of the time', { workFrom: 9 * minute }, { wallMs: 15 * minute }, undefined],
  ['a deadline', { deadline: 12 * minute }, { costUsd: 3 }, '2 min left'],
  ['no limit', { maxTurns: 0 }, {}, undefined],
];

test.each(cases)('[EVENT-16] %s', (_title, more, budget, expected) => {
  const words = nearestLimit({ run: { ...run, ...more }, budget }, { at: 10 * minute, isWaiting: false });
  expect(words).toBe(expected && `nearest limit: ${expected}`);
});

test('[EVENT-16] a budget that stands still or does not see the cost is not near', () => {
  const spent = { run, budget: { wallMs: 15 * minute, costUsd: 0.31 } };
  expect(nearestLimit(spent, { at: 10 * minute, isWaiting: true })).toBe('nearest limit: cost');
  const unknown = nearestLimit({ ...spent, costUnknown: true }, { at: 10 * minute, isWaiting: true });
  expect(unknown).toBeUndefined();
});
