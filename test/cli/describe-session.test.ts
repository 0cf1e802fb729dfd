// A session's state for people.
import { noColors } from '../../src/cli/colors.ts';
import { expect, test } from 'vitest';
import { describeSnapshot } from '../../src/cli/render/describe-session.ts';
import { calls, inTurn, says } from '../support/memory-model.ts';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import { MemorySession } from '../support/memory-session.ts';

test('[STATE-03a] the modes of a run are shown, and left out before the first run', async () => {
  const settings = { mode: 'act', dryRun: true, offTheRecord: true } as const;
  const session = new MemorySession({ model: inTurn(says('ok')), settings });
  const shown = () => describeSnapshot(session.snapshot, noColors, 0);
  expect(shown()).not.toContain('mode');
  await session.ask('go');
  expect(shown()).toContain('\nmode     act, dry run, off the record\n');
});

test('[STATE-21] how often it continued in a new execution is shown, and left out where it never did', () => {
  const { snapshot } = new MemorySession({ model: inTurn() });
  const shown = (continuedAsNew: number) => describeSnapshot({ ...snapshot, continuedAsNew }, noColors, 0);
  expect(shown(0)).not.toContain('history');
  expect(shown(1)).toContain('\nhistory  continued as new 1 time');
  expect(shown(3)).toContain('\nhistory  continued as new 3 times');
});

test('the subagents are counted, with the command that shows them', () => {
  const { snapshot } = new MemorySession({ model: inTurn() });
  // oxfmt-ignore
  const child = (state: 'ended' | 'running') => ({
    id: 's/a-task-1', name: 'a-task-1', agent: 'a', prefix: '', depth: 1, task: 'x', callId: 'c',
    state, startedAt: 0, usage: {}, costUsd: 0,
  });
  const shown = (children: Snapshot['children']) => describeSnapshot({ ...snapshot, children }, noColors, 0);
  expect(shown([])).not.toContain('subagent');
  expect(shown([child('ended'), child('running')])).toMatch(
    /\nteam {5}2 subagents, 1 running: .*holdfast show \S+ --tree(\n|$)/,
  );
});

test('[STATE-03a] the plan is shown step by step, with how far it is', async () => {
  const steps = [
    { text: 'Look at the pool', criterion: 'its size is known', status: 'done', note: 'it is 2' },
    { text: 'Check again', criterion: 'it explains all', verify: true },
  ];
  const session = new MemorySession({
    model: inTurn(calls(`a:update_plan:${JSON.stringify({ steps })}`), says('ok'), says('ok')),
    specs: { update_plan: { runsIn: 'workflow' } },
  });
  await session.ask('go');
  expect(describeSnapshot(session.snapshot, noColors, 0)).toContain(
    [
      'plan     1/2, next 2: Check again',
      '  1 [x] Look at the pool - it is 2',
      '  2 [ ] Check again (verifies; done when: it explains all)',
    ].join('\n'),
  );
});

test('[HYP-02d] the hypotheses are shown with their predictions, and how many are tested', async () => {
  const predictions = [{ call: 'read pool', expect: 'all in use', refutes: true }];
  const add = [{ statement: 'It is too small.', component: 'pool', kind: 'capacity', predictions }];
  const session = new MemorySession({
    model: inTurn(calls(`a:hypotheses:${JSON.stringify({ add })}`), says('ok')),
    specs: { hypotheses: { runsIn: 'workflow' } },
  });
  await session.ask('go');
  expect(describeSnapshot(session.snapshot, noColors, 0)).toContain(
    [
      'hypotheses 1, 0 of 1 prediction tested',
      '  h1 [open] pool (capacity): It is too small.',
      '    h1.1 read pool: all in use (else refuted) - not tested',
    ].join('\n'),
  );
});
