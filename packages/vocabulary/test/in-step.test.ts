import { expect, test } from 'vitest';
import { askAgain, awaitStep, outOfStep } from '@holdfast/base/in-step';

const scheduled = { pendingWorkflowTask: { state: 1 } };
const started = { pendingWorkflowTask: { state: 2 } };

test('[FAULT-118c] a query that comes too early is asked again, after growing pauses; another failure is the answer', async () => {
  const pauses: number[] = [];
  const answers = [outOfStep, `invalid query: ${outOfStep}`, undefined];
  const ask = async () => {
    const failure = answers.shift();
    if (failure !== undefined) throw new Error(failure);
    return 'answer';
  };
  const pause = async (ms: number) => void pauses.push(ms);
  expect(await askAgain(ask, pause)).toBe('answer');
  expect(pauses).toEqual([50, 100]);
  await expect(askAgain(() => Promise.reject(new Error('no such query')), pause)).rejects.toThrow(
    'no such query',
  );
  expect(pauses).toHaveLength(2);
});

test('[FAULT-118c] a message waits while the next task has not begun, and not for a worker that never comes', async () => {
  let waited = 0;
  const pause = async (ms: number) => void (waited += ms);
  await awaitStep(async () => (waited < 150 ? scheduled : started), pause, 10_000);
  expect(waited).toBe(150);
  waited = 0;
  await awaitStep(async () => ({}), pause, 10_000);
  expect(waited).toBe(0);
  await awaitStep(async () => scheduled, pause, 10_000);
  expect(waited).toBe(2_000);
  waited = 0;
  await awaitStep(async () => scheduled, pause, 500);
  expect(waited).toBe(100);
});
