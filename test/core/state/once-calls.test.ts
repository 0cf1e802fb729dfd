import { expect, test } from 'vitest';
import { newAgentState } from '@holdfast/vocabulary/agent-state';
import { reduce } from '../../../src/core/state/reduce.ts';

test('[FAULT-48b] `once` calls are counted by kind, and the newest 500 kinds are kept', () => {
  const keys = [...Array.from({ length: 501 }, (_, index) => `restart:${index}`), 'restart:1', 'restart:501'];
  const { begunOnce = {} } = keys.reduce(
    (state, key) => reduce(state, { type: 'once_begun', key }, 0).state,
    newAgentState('session-1'),
  );
  expect(Object.keys(begunOnce)).toHaveLength(500);
  expect(begunOnce).toMatchObject({ 'restart:1': 2, 'restart:500': 1, 'restart:501': 1 });
  expect(begunOnce).not.toHaveProperty('restart:0');
  expect(begunOnce).not.toHaveProperty('restart:2');
});
