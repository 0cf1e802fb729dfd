// Questions of activities to their session.
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { createOwnWorkflow } from '../../../src/activities/base/own-workflow.ts';

/** Notes when each query begins and ends. The first one fails. */
function notingClient(notes: string[]): Client {
  const query = async (name: string): Promise<unknown> => {
    notes.push(`${name} asked`);
    await new Promise((resolve) => setImmediate(resolve));
    notes.push(`${name} answered`);
    if (notes.length === 2) throw new Error('no worker');
    return { queues: { steering: ['m1'], followUp: [] } };
  };
  const within = <T>(_: unknown, work: () => Promise<T>): Promise<T> => work();
  const workflow = { getHandle: () => ({ query }) };
  return Object({ workflow, withDeadline: within, withAbortSignal: within });
}

test('[FAULT-109] activities of a session ask it one query at a time, also after a query that failed', async () => {
  const notes: string[] = [];
  const client = notingClient(notes);
  const workflowExecution = { workflowId: 'asked', runId: randomUUID() };
  const ask = <T>(work: () => Promise<T>): Promise<T> =>
    new MockActivityEnvironment({ workflowExecution }, { client }).run<[], T, typeof work>(work);
  const [failed, undelivered] = await Promise.allSettled([
    ask(() => createOwnWorkflow().getMessages(0)),
    ask(() => createOwnWorkflow().getUndelivered()),
  ]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { type: 'Workflow.Unreachable' } });
  expect(undelivered).toEqual({ status: 'fulfilled', value: ['m1'] });
  expect(notes).toEqual(['getMessages asked', 'getMessages answered', 'snapshot asked', 'snapshot answered']);
});
