// One attempt of the activity deliver: what it gives up at once, and what Temporal is to try again, and when.
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { workerLacks } from '@holdfast/base/failures';
import { createDeliver } from '../../../src/activities/delivery/deliver.ts';
import { DeliveryError } from '../../../src/activities/delivery/delivery-error.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import type { DeliverInput } from '@holdfast/vocabulary/deliver';
import { clientOf } from '../../support/own-workflow.ts';
import { memoryStore } from '../../support/model-bench.ts';

const input: DeliverInput = {
  id: 'delivery:s:run-1:start',
  point: 'start',
  to: ['team'],
  destination: 'team',
  sessionId: 's',
  runId: 'run-1',
  at: 0,
  task: 'Why?',
};

const question = { id: 'c', kind: 'question', sessionId: 's', text: 'Why?' } as const;

/** The failure of an attempt whose receiver throws this, and whether it was reached. */
async function attempt(thrown?: Error, more: Partial<DeliverInput> = {}, number = 1) {
  let isReached = false;
  const send = async (): Promise<void> => {
    isReached = true;
    if (thrown) throw thrown;
  };
  const deliver = createDeliver({
    identity: 'w1',
    destinations: new Map([['team', send]]),
    artifacts: memoryStore(),
    redactor: createRedactor(['hunter2-hunter2']),
  });
  const failure = await new MockActivityEnvironment({ activityType: 'deliver', attempt: number })
    .run(() => deliver({ ...input, ...more }))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  return { failure, isReached };
}

test('[DELIV-02b] [DELIV-05d] what is not taken is tried again, when the receiver says, in words without secrets', async () => {
  const { failure } = await attempt(new DeliveryError('x answered 503: hunter2-hunter2', { afterMs: 9_000 }));
  expect(failure).toMatchObject({ type: 'Delivery.NotTaken', nonRetryable: false, nextRetryDelay: 9_000 });
  expect(String(failure)).not.toContain('hunter2');
  expect(await attempt(new Error('unforeseen'))).toMatchObject({ failure: { nonRetryable: false } });
});

test('[DELIV-02c] what another attempt would get again is given up', async () => {
  const refused = { failure: { type: 'Delivery.Refused', nonRetryable: true } };
  expect(await attempt(new DeliveryError('x answered 404', { isFinal: true }))).toMatchObject(refused);
});

test('[DELIV-02c] a worker without the destination hands the delivery back, for as long as it is tried', async () => {
  for (const [number, nextRetryDelay] of [
    [1, '200ms'],
    [25, '200ms'],
    [26, undefined],
  ] as const) {
    const { failure, isReached } = await attempt(undefined, { destination: 'teem' }, number);
    expect(failure).toMatchObject({ type: workerLacks, nonRetryable: false });
    expect(failure).toHaveProperty('nextRetryDelay', nextRetryDelay);
    expect(String(failure)).toContain(
      'Worker w1 on task queue test has no destination "teem": expected team.',
    );
    expect(isReached).toBe(false);
  }
});

test('[DELIV-02c] a question is not sent once its deadline has passed', async () => {
  const late = await attempt(undefined, {
    point: 'question',
    question: { ...question, deadline: Date.now() - 1 },
  });
  expect(late).toMatchObject({ failure: { nonRetryable: true }, isReached: false });
  const open = await attempt(undefined, { question: { ...question, deadline: Date.now() + 60_000 } });
  expect(open).toEqual({ failure: undefined, isReached: true });
});

test('[DELIV-02c] a question that was answered meanwhile is not sent any more; one whose session does not answer is', async () => {
  const again = async (snapshot: () => Promise<object>) => {
    let isReached = false;
    const send = async (): Promise<void> => void (isReached = true);
    const deliver = createDeliver({
      identity: 'w1',
      destinations: new Map([['team', send]]),
      artifacts: memoryStore(),
      redactor: createRedactor([]),
    });
    const asked = { ...question, deadline: Date.now() + 60_000 };
    const failure = await new MockActivityEnvironment({ attempt: 2 }, { client: clientOf(snapshot) })
      .run(() => deliver({ ...input, point: 'question', question: asked }))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    return { failure, isReached };
  };
  expect(await again(async () => ({ approvals: [], questions: [] }))).toMatchObject({
    isReached: false,
    failure: { nonRetryable: true, message: expect.stringContaining('has been answered') },
  });
  expect(await again(async () => ({ approvals: [], questions: [question] }))).toEqual({
    isReached: true,
    failure: undefined,
  });
  expect(await again(() => Promise.reject(new Error('busy')))).toEqual({
    isReached: true,
    failure: undefined,
  });
});

test('[DELIV-01d] an attempt whose receiver does not answer ends before Temporal gives it up', async () => {
  const deliver = createDeliver({
    identity: 'w1',
    destinations: new Map([
      [
        'team',
        (_message, signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ],
    ]),
    artifacts: memoryStore(),
    redactor: createRedactor([]),
  });
  const environment = new MockActivityEnvironment({ scheduleToCloseTimeoutMs: 1_050 });
  const attempt = environment.run(() => deliver(input));
  await expect(attempt).rejects.toMatchObject({ type: 'Delivery.NotTaken', nonRetryable: false });
  expect(environment.context.cancellationSignal.aborted).toBe(false);
});
