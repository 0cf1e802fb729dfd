// The session that the beginning of an id means, where the id was used again.
import { expect, test } from 'vitest';
import { findSession } from '../../src/cli/find-session.ts';
import type { ServerCommand } from '../../src/cli/server-access.ts';
import { ClientError } from '../../src/client.ts';

test('[CLI-26a] [STATE-19f] several sessions of one id are no several ids', async () => {
  const client = {
    session: (sessionId: string) => ({
      sessionId,
      describe: () => Promise.reject(new ClientError('UnknownSession', 'unknown')),
    }),
    list: () =>
      Promise.resolve([{ sessionId: 'inc-42' }, { sessionId: 'inc-42', storedAs: 'inc-42~1a2b3c4d' }]),
  };
  const frame = { access: { client }, output: { say: () => undefined } };
  // the parts of the frame that it uses
  expect(await findSession(frame as unknown as ServerCommand, 'inc-4')).toMatchObject({
    sessionId: 'inc-42',
  });
});
