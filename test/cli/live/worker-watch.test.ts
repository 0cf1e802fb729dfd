// The worker of a session that is only watched: its going and its coming are said once each.
import { expect, test } from 'vitest';
import type { Liveness } from '../../../src/client.ts';
import type { WaitingFor } from '@holdfast/vocabulary/events';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import { createWorkerWatch } from '../../../src/cli/live/worker-watch.ts';

type Answer = Liveness['worker'] | 'away';

/** What is said while the server gives these answers, one after another. */
async function follow(answers: Answer[], isKnown = false, waitingFor: WaitingFor[] = []): Promise<string[]> {
  const said: string[] = [];
  const stop = new AbortController();
  const liveness = async (): Promise<Liveness> => {
    const worker = answers.shift();
    if (worker === undefined) {
      stop.abort();
      throw new Error('no more answers');
    }
    if (worker === 'away') throw new Error('no server');
    return { worker, taskQueue: 'q' };
  };
  const say = (line: string): void => void said.push(line);
  // Only what the watch looks at.
  const snapshot = async () => ({ waitingFor: waitingFor.shift() ?? 'approval' }) as Snapshot;
  const inFlight = async () => ({ retries: [], running: [] });
  const session = { sessionId: 'x', liveness, snapshot, inFlight };
  const watch = createWorkerWatch({ session, say, everyMs: 1 });
  if (isKnown) watch.noteAbsence();
  await watch.run(stop.signal);
  return said;
}

const gone = expect.stringMatching(/No worker is running for session x any more.*holdfast watch x --worker/);
const back = '  A worker is running again.';

test('a worker that goes and comes is told once each time', async () => {
  const answers: Answer[] = ['answers', 'none', 'none', 'away', 'none', 'answers', 'answers', 'none', 'none'];
  expect(await follow(answers)).toEqual([gone, back, gone]);
});

test('one that is only slow, or reconnects, is not told as gone', async () => {
  expect(await follow(['answers', 'none', 'answers', 'none', 'answers'])).toEqual([]);
  expect(await follow(['silent', 'away', 'answers', 'silent'])).toEqual([]);
});

test('a worker that lacks a part of the session is not told as one that runs it', async () => {
  const answers: Answer[] = ['none', 'none', 'answers', 'answers', 'answers'];
  expect(await follow(answers, false, ['worker', 'worker', 'approval'])).toEqual([gone, back]);
  expect(await follow(['none', 'none', 'answers'], false, ['worker'])).toEqual([gone]);
});

test('what the events have told is not told again', async () => {
  expect(await follow(['none', 'answers'], true)).toEqual([back]);
});
