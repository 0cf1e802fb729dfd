// The snapshots that the status line reads: few, and the newest is never missed.
import { expect, test } from 'vitest';
import { createSpendWatch } from '../../../src/cli/live/spend-watch.ts';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import { until } from '../../support/until.ts';

test('a hundred events at once cost two snapshots, and the last one comes after all of them', async () => {
  let heard = 0;
  const asked: number[] = [];
  const got: number[] = [];
  const watch = createSpendWatch(
    {
      snapshot: async () => {
        asked.push(heard);
        return { turn: heard } as Snapshot;
      },
    },
    ({ turn }) => void got.push(turn),
  );
  for (let turn = 1; turn <= 100; turn += 1) {
    heard = turn;
    watch.hear({ type: 'turn_start', seq: turn, at: 0, runId: 'r', turn });
    watch.hear({ type: 'state_changed', seq: turn, at: 0, from: 'idle', to: 'thinking' });
  }
  await until('the newest is known', () => got.at(-1) === 100);
  expect(asked).toEqual([1, 100]);
  watch.close();
});
