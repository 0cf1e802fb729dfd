// The loop's effects in one process: their activities are those of a worker, and no time passes between two attempts.
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import type { WorkerActivities } from '../../src/activities/index.ts';
import { LocalEffects } from '../../src/in-process/local-effects.ts';
import { MemoryHost } from '../../src/in-process/memory-host.ts';

test('a store that refuses is asked ten times, not as often as a workflow asks it over days', async () => {
  let asked = 0;
  const refuse = () => {
    asked += 1;
    throw ApplicationFailure.retryable('the store is read-only', 'Artifacts.Unavailable');
  };
  // the only activity that is called here
  const activities = { archiveSegment: refuse } as unknown as WorkerActivities;
  const effects = new LocalEffects(new MemoryHost({}, { id: 's' }), activities);
  const input = { sessionId: 's', fromSeq: 1, toSeq: 2 };
  expect(await effects.call('archiveSegment', input)).toMatchObject({
    type: 'failed',
    failure: { code: 'Artifacts.Unavailable', message: 'the store is read-only' },
  });
  expect(asked).toBe(10);
});

test('a failure without a type of its own has the code of its activity', async () => {
  const fail = () => Promise.reject(new TimeoutFailure('no time left', undefined, 'START_TO_CLOSE'));
  const activities = { summarize: fail, searchMemory: fail } as unknown as WorkerActivities;
  const effects = new LocalEffects(new MemoryHost({}, { id: 's' }), activities);
  const codeOf = async (name: 'summarize' | 'searchMemory') => {
    const outcome = await effects.call(name, {} as never);
    return outcome.type === 'failed' ? outcome.failure.code : outcome.type;
  };
  expect(await codeOf('summarize')).toBe('Model.CallFailed');
  expect(await codeOf('searchMemory')).toBe('Activity.Failed');
});
