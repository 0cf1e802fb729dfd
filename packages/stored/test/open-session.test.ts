// Stored sessions through an artifact store that somebody else has written.
import { expect, test } from 'vitest';
import { openStoredSession } from '../src/open-session.ts';

test.each(['../../other/secrets', 'a/b', '', '..'])(
  'a run or a call of the name %j leads to no path of the store',
  async (name) => {
    const asked: string[] = [];
    const get = (_: string, artifactId: string) => (asked.push(artifactId), Promise.resolve(undefined));
    const session = openStoredSession({ get }, 'session-1');
    expect(await session.report(name)).toBeUndefined();
    expect(await session.output(name)).toBeUndefined();
    for (const artifactId of asked) expect(artifactId).toMatch(/^[\w-][\w.-]*$/);
  },
);
