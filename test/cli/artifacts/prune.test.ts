// The removal itself: what has changed since the list was shown.
import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { prune } from '../../../src/cli/artifacts/prune.ts';
import { createOutput } from '../../../src/cli/cli.ts';
import type { Cli } from '../../../src/cli/cli.ts';
import { resolveConfig } from '../../../src/config/config.ts';
import type { ArtifactStore } from '../../../src/config/define-config.ts';

const long = new Date('2026-01-02T03:04:05Z');

/** A store of one artifact for each session; `onList` runs before each look at one of them. */
function storeOf(storedAt: Map<string, Date>, onList: (sessionId: string) => void): ArtifactStore {
  return {
    id: 'own',
    put: () => Promise.resolve(),
    get: () => Promise.resolve(undefined),
    async *list(only) {
      if (only !== undefined) onList(only);
      for (const [sessionId, at] of storedAt)
        if (only === undefined || only === sessionId)
          yield { sessionId, name: 'x', sizeBytes: 1, storedAt: at };
    },
    remove: (sessionId) => Promise.resolve(void storedAt.delete(sessionId)),
  };
}

test('a session that was started or has stored something in the meantime stays', async () => {
  const storedAt = new Map(['gone', 'started', 'busy'].map((id) => [id, long]));
  const artifacts = storeOf(storedAt, (sessionId) => {
    if (sessionId === 'busy') storedAt.set('busy', new Date());
  });
  let said = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      said += String(chunk);
      done();
    },
  });
  const streams = { stdin: Readable.from([]), stdout: sink, stderr: sink } as unknown as Pick<Cli, 'stdin'>;
  const cli = { ...streams, cwd: '/', environment: {}, exitCode: 0 } as Cli;
  const config = { ...resolveConfig({ cwd: '/', environment: {} }), artifacts };
  const asked: string[] = [];
  const opened = { cli, output: createOutput(cli, {}), config };
  await prune(opened, { olderThan: 1, yes: true }, async (sessionId) => {
    asked.push(sessionId);
    // between the list and the removal
    return sessionId === 'started' && asked.filter((id) => id === 'started').length > 1;
  });
  expect([...storedAt.keys()]).toEqual(['started', 'busy']);
  expect(said).toContain('Removed 1 entry, 1 B.');
});
