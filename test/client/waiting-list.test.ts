// What waits over many sessions: asked a few at a time, in order of age, whatever some of them answer.
import { expect, test } from 'vitest';
import { ClientError } from '../../src/client/client-error.ts';
import type { SessionListing } from '../../src/client/session-list.ts';
import { askWhatWaits } from '../../src/client/waiting-list.ts';
import type { PendingQuestion, Snapshot } from '@holdfast/vocabulary/snapshot';

const listing = (sessionId: string): SessionListing => ({
  sessionId,
  status: 'RUNNING',
  task: `task of ${sessionId}`,
  startedAt: 0,
  taskQueue: 'q',
});

function snapshotOf(sessionId: string, ...askedAt: number[]): Snapshot {
  const questions = askedAt.map((requestedAt): PendingQuestion => ({
    id: `c${requestedAt}`,
    question: 'Now?',
    turn: 1,
    requestedAt,
    deadline: requestedAt + 1,
  }));
  // the list reads nothing else
  return { sessionId, task: `task of ${sessionId}`, approvals: [], questions } as unknown as Snapshot;
}

test('[MODE-09a] [MODE-11a] at most eight sessions are asked at once, and all of them', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
  const gates = new Map(ids.map((id) => [id, Promise.withResolvers<void>()]));
  const asked: string[] = [];
  const list = askWhatWaits(ids.map(listing), async (id) => {
    asked.push(id);
    await gates.get(id)?.promise;
    return snapshotOf(id, Number(id.slice(1)));
  });
  await Promise.resolve();
  expect(asked).toEqual(ids.slice(0, 8));
  for (const gate of gates.values()) gate.resolve();
  expect((await list).waiting.map(({ sessionId }) => sessionId)).toEqual(ids);
});

test('[TOOL-20de] [MODE-11a] what the listing says of two thousand sessions is taken from it: only one that it says nothing of is asked', async () => {
  const noted = Array.from({ length: 2_000 }, (_, index) => {
    const { approvals, questions } = snapshotOf(`s${index}`, index + 1);
    return { ...listing(`s${index}`), waiting: { approvals, questions } };
  });
  const asked: string[] = [];
  const { waiting } = await askWhatWaits([...noted, listing('many')], async (id) => {
    asked.push(id);
    return snapshotOf(id, 0);
  });
  expect(asked).toEqual(['many']);
  expect(waiting.map(({ sessionId }) => sessionId)).toEqual(['many', ...noted.map((each) => each.sessionId)]);
  const [question] = noted[0]?.waiting.questions ?? [];
  expect(waiting[1]).toEqual({ kind: 'question', sessionId: 's0', task: 'task of s0', ...question });
});

test('[MODE-09a] items of all sessions are sorted by age; one that has ended is left out, one that does not answer is named', async () => {
  const list = await askWhatWaits(['old', 'ended', 'silent', 'new'].map(listing), async (id) => {
    if (id === 'ended') throw new ClientError('SessionClosed', 'It has ended.');
    if (id === 'silent') throw new ClientError('NoWorker', 'No worker is running.');
    return id === 'old' ? snapshotOf(id, 3, 1) : snapshotOf(id, 2);
  });
  expect(list.waiting.map(({ sessionId, id }) => [sessionId, id])).toEqual([
    ['old', 'c1'],
    ['new', 'c2'],
    ['old', 'c3'],
  ]);
  expect(list.unanswered).toEqual([
    { sessionId: 'silent', task: 'task of silent', code: 'NoWorker', message: 'No worker is running.' },
  ]);
  const bug = askWhatWaits([listing('s')], () => Promise.reject(new Error('a bug')));
  await expect(bug).rejects.toThrow('a bug');
});
