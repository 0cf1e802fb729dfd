// The session that the beginning of an id means, where the id was used again.
import { expect, test } from 'vitest';
import { findSession } from '../../src/cli/find-session.ts';
import type { ServerCommand } from '../../src/cli/server-access.ts';
import { ClientError } from '../../src/client.ts';

/** The server lists these, newest first; the store has those. */
function frameWith(ids: string[], stored: string[] = []): ServerCommand {
  const client = {
    session: (sessionId: string) => ({
      sessionId,
      describe: () => Promise.reject(new ClientError('UnknownSession', 'unknown')),
      storedResult: () => Promise.resolve(stored.includes(sessionId) ? {} : undefined),
    }),
    list: ({ limit }: { limit: number }) =>
      Promise.resolve(ids.slice(0, limit).map((sessionId) => ({ sessionId }))),
  };
  // the parts of the frame that it uses
  return { access: { client }, output: { say: () => undefined } } as unknown as ServerCommand;
}

const often = (id: string, times: number): string[] => Array.from({ length: times }, () => id);

test.each([2, 40])('[CLI-26a] [STATE-19f] %i sessions of one id are no several ids', async (times) => {
  const frame = frameWith(often('inc-42', times));
  expect(await findSession(frame, 'inc-4')).toMatchObject({ sessionId: 'inc-42' });
});

test('[CLI-26b] the many sessions of one id hide no other id that begins so', async () => {
  const frame = frameWith([...often('inc-42', 30), 'inc-43']);
  await expect(findSession(frame, 'inc-4')).rejects.toThrow(
    'Several sessions begin with "inc-4": name one.\n  inc-42\n  inc-43',
  );
  // too many to look through: nothing is meant
  const many = frameWith([...often('inc-42', 1_000), 'inc-43']);
  expect(await findSession(many, 'inc-4')).toMatchObject({ sessionId: 'inc-4' });
});

test('[CLI-26d] an id that the server has no longer and the store has is no beginning of another', async () => {
  for (const ids of [['inc-42-again'], ['inc-42-again', 'inc-42-more']]) {
    expect(await findSession(frameWith(ids, ['inc-42']), 'inc-42')).toMatchObject({ sessionId: 'inc-42' });
  }
});
