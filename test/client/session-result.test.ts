// The result of a run, while nobody may answer.
import { expect, test } from 'vitest';
import { ClientError } from '../../src/client/client-error.ts';
import type { WatchItem } from '../../src/client/session-events.ts';
import { awaitRun } from '../../src/client/session-result.ts';
import type { RunResult } from '@holdfast/vocabulary/run-result';

const result = { runId: 'run-1', status: 'completed' } as RunResult;
const never = new AbortController().signal;
async function* ended(): AsyncGenerator<WatchItem> {
  yield { type: 'event', event: { type: 'agent_end', runId: 'run-1' } as never };
}
const silent = () => Promise.reject(new ClientError('WorkerBusy', 'busy'));

test('a worker that is busy when the run has ended is asked again', async () => {
  const answers = [() => Promise.resolve(null), silent, () => Promise.resolve(result)];
  const getResult = () => answers.shift()?.() ?? Promise.resolve(null);
  const storedResult = () => Promise.resolve({ ...result, runId: 'run-0' });
  expect(await awaitRun('run-1', { events: ended(), getResult, storedResult }, never)).toBe(result);
  expect(answers).toEqual([]);
});

test('if no worker is there any more, the store has the result', async () => {
  const stored = { ...result };
  const sources = { events: ended(), getResult: silent, storedResult: () => Promise.resolve(stored) };
  expect(await awaitRun('run-1', sources, never)).toBe(stored);
});

test('a worker that leaves during the wait has stored the result', async () => {
  async function* outage(): AsyncGenerator<WatchItem> {
    yield { type: 'unanswered', code: 'NoWorker', message: 'nobody', closed: true };
    // the stream asks on and on
    await new Promise(() => undefined);
  }
  const sources = { getResult: () => Promise.resolve(null), storedResult: () => Promise.resolve(result) };
  expect(await awaitRun('run-1', { events: outage(), ...sources }, never)).toBe(result);
});

test('a failure that no later try would change ends the wait, and so does its caller', async () => {
  const refused = () => Promise.reject(new ClientError('UnknownSession', 'no such session'));
  const storedResult = () => Promise.resolve(undefined);
  const unknown = awaitRun('run-1', { events: ended(), getResult: refused, storedResult }, never);
  await expect(unknown).rejects.toMatchObject({ code: 'UnknownSession' });
  const stop = new AbortController();
  const waiting = awaitRun('run-1', { events: ended(), getResult: silent, storedResult }, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
