// How often a task is offered to other workers, and how soon.
import { MockActivityEnvironment } from '@temporalio/testing';
import type { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { handBack, handedBack } from '../../../src/activities/base/hand-back.ts';
import { optionsOf } from '../../../src/workflows/activity-options.ts';

async function offered(activityType: string, attempt: number): Promise<ApplicationFailure> {
  const environment = new MockActivityEnvironment({ activityType, attempt, taskQueue: 'holdfast' });
  return environment.run(async () => handBack('w1', 'has no key.'));
}

test('[WORKER-01a] a task is offered five times, 200 ms apart; then its session waits visibly', async () => {
  const fourth = await offered('callModel', 4);
  expect(fourth).toMatchObject({ nonRetryable: false, nextRetryDelay: '200ms', category: 'BENIGN' });
  expect(fourth.message).toBe('Worker w1 on task queue holdfast has no key.');
  expect(await offered('callModel', 5)).toMatchObject({ nonRetryable: true });
});

test('[WORKER-01d] the wait is offered quickly 25 times, then as its retry policy says, without an end', async () => {
  expect(await offered('awaitWorker', 25)).toMatchObject({ nonRetryable: false, nextRetryDelay: '200ms' });
  const later = await offered('awaitWorker', 26);
  expect(later.nonRetryable).toBe(false);
  expect(later.nextRetryDelay).toBeUndefined();
  expect((await offered('awaitWorker', 5_000)).nonRetryable).toBe(false);
  const { retry } = optionsOf('awaitWorker', { contextDigest: 'd' });
  expect(retry).toEqual({ initialInterval: 3_000, maximumInterval: 3_000, maximumAttempts: Infinity });
});

test('[WORKER-01a] a model call that is handed back is offered like any other task, and its usage goes with it', async () => {
  const ledger = { failures: 1, spentMs: 200 };
  for (const attempt of [4, 5]) {
    const plain = await offered('callModel', attempt);
    const { message, type, nonRetryable, nextRetryDelay, category } = plain;
    const all = { message, type, nonRetryable, nextRetryDelay, category, details: [{ ledger }] };
    expect(handedBack(plain, ledger)).toMatchObject(all);
  }
});
