// An answer of the command line to a session that has ended.
import { expect, test } from 'vitest';
import { assertRuns } from '../../src/cli/commands/answer.ts';
import { sessionClosed } from '../../src/client/session-caller.ts';
import type { SessionListing } from '../../src/client/session-list.ts';
import type { SessionResult } from '@holdfast/vocabulary/run-result';

const answerTo = (status: string, result: () => Promise<Partial<SessionResult>>) =>
  assertRuns({
    sessionId: 'night',
    describe: async () => ({ status }) as SessionListing,
    result: async () => (await result()) as SessionResult,
  });

test('[MODE-22e] approve, deny and answer say what has ended the run, without a worker', async () => {
  const error = { code: 'Run.TimedOut', message: 'The run has reached its deadline.' };
  await expect(answerTo('COMPLETED', async () => ({ error }))).rejects.toThrow(
    sessionClosed('night', undefined, error.message),
  );
  const unknown = answerTo('COMPLETED', () => Promise.reject(new Error('no result')));
  await expect(unknown).rejects.toThrow(/continues from it in a new session\.$/);
  await answerTo('RUNNING', () => Promise.reject(new Error('not asked')));
});
