// What the failure of an activity tells the loop.
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { noUsage } from '@holdfast/vocabulary/messages';
import { ledgerOf, toFailed, toModelFailed } from '../../../src/workflows/activity-failure.ts';

const failing = (cause: Error) =>
  new ActivityFailure('Activity task failed', 'callModel', '1', 'NON_RETRYABLE_FAILURE', 'worker', cause);

test('[EVENT-14a] [LOOP-15c] a failed model call tells its code, the last fault of its attempts, what follows, and what was paid', () => {
  const paid = { wasted: { ...noUsage, input: 300 }, costUsd: 0.5 };
  const details = { last: 'Model.StreamCut', ...paid };
  const cause = ApplicationFailure.create({
    type: 'Model.RetriesExhausted',
    message: 'cut',
    details: [details],
  });
  expect(toModelFailed(failing(cause))).toMatchObject({
    failure: { code: 'Model.RetriesExhausted', message: 'cut', last: 'Model.StreamCut' },
    recovery: 'fail',
    paid,
  });
});

test('a failure without a type of its own has the code of its activity, and nothing was paid', () => {
  const failed = toFailed(failing(new Error('a bug')), 'Model.CallFailed');
  expect(failed.failure).toEqual({ code: 'Model.CallFailed', message: 'a bug' });
  expect(failed).not.toHaveProperty('paid');
});

test('[WORKER-01a] a call that is handed back keeps the ledger of its attempts', () => {
  const ledger = { failures: 2 };
  const cause = ApplicationFailure.create({ type: 'Worker.Lacks', details: [{ ledger }] });
  expect(ledgerOf(failing(cause))).toEqual(ledger);
  expect(ledgerOf(failing(new Error('a bug')))).toBeUndefined();
});
