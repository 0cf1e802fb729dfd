// An answer of the command line to a session that has ended.
import { expect, test } from 'vitest';
import { assertRuns } from '../../src/cli/commands/answer.ts';
import { sessionClosed } from '../../src/client/session-caller.ts';
import type { SessionListing } from '../../src/client/session-list.ts';
import type { Snapshot } from '../../src/core/model/snapshot.ts';

const answerTo = (status: string, snapshot: () => Promise<Partial<Snapshot>>) =>
  assertRuns({
    sessionId: 'night',
    describe: async () => ({ status }) as SessionListing,
    snapshot: async () => (await snapshot()) as Snapshot,
  });

test('[MODE-22e] approve, deny and answer say what has ended the run, where a worker knows it', async () => {
  const error = { code: 'Run.TimedOut', message: 'The run has reached its deadline.' };
  await expect(answerTo('COMPLETED', async () => ({ error }))).rejects.toThrow(
    sessionClosed('night', undefined, error.message),
  );
  const unknown = answerTo('COMPLETED', () => Promise.reject(new Error('no worker')));
  await expect(unknown).rejects.toThrow(/continues from it in a new session\.$/);
  await answerTo('RUNNING', () => Promise.reject(new Error('not asked')));
});
