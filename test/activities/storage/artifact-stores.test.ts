// The contract of an artifact store, held by every store that there is.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ArtifactStore, StoredArtifact } from '../../../src/activities/storage/artifact-store.ts';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { createS3ArtifactStore } from '../../../src/activities/storage/s3-artifact-store.ts';
import { createMemoryArtifactStore } from '../../../src/in-process/memory-artifact-store.ts';
import { type S3Server, s3Missing, startS3Server } from '../../support/s3-server.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const text = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');

let server: S3Server | undefined;
let stores = 0;
beforeAll(async () => {
  if (s3Missing === undefined) server = await startS3Server();
}, 600_000);
afterAll(() => server?.remove());

/** Two views of one new store, as two workers have them. */
type Open = () => Promise<[ArtifactStore, ArtifactStore]>;

const openMemory: Open = async () => {
  const store = createMemoryArtifactStore();
  return [store, store];
};
const openFiles: Open = async () => {
  const folder = await temporaryFolder();
  return [await createFileArtifactStore(folder), await createFileArtifactStore(folder)];
};
const openS3: Open = async () => {
  if (!server) throw new Error('there is no S3 server');
  const settings = { ...server.settings, prefix: `store ${(stores += 1)}/ü` };
  return [await createS3ArtifactStore(settings), await createS3ArtifactStore(settings)];
};

/** Every kind of workflow id. */
// oxfmt-ignore
const ids = [
  's1', 'S1', 's/1', 's-1', '../s1', '..', '.', '', 's1~x', '.session', 'store.json', 'checkpoints',
  'ü', '漢字/🙂', 'a b+c%20d?e=f&g#h', 'a'.repeat(300), 'A'.repeat(1_000), '\u0000', 'it\'s "quoted"',
];

async function listed(store: ArtifactStore, sessionId?: string): Promise<StoredArtifact[]> {
  if (!store.list) throw new Error('this store cannot list');
  const found: StoredArtifact[] = [];
  for await (const artifact of store.list(sessionId)) found.push(artifact);
  return found;
}

describe.each<[string, Open, string | undefined]>([
  ['in memory', openMemory, undefined],
  ['in a folder', openFiles, undefined],
  ['in S3', openS3, s3Missing],
])('a store %s', (_name, open, missing) => {
  describe.skipIf(missing !== undefined)(missing ?? 'as a worker uses it', () => {
    test('gives back what was put, to another worker too, and the newest of two', async () => {
      const [store, other] = await open();
      expect(other.id).toBe(store.id);
      await store.put('s1', 'tool-call_1', 'wörter 🙂');
      expect(text(await other.get('s1', 'tool-call_1'))).toBe('wörter 🙂');
      await other.put('s1', 'tool-call_1', new Uint8Array([0, 1, 255]));
      expect([...((await store.get('s1', 'tool-call_1')) ?? [])]).toEqual([0, 1, 255]);
      await store.put('s1', 'empty', '');
      expect((await store.get('s1', 'empty'))?.byteLength).toBe(0);
    });

    test('has nothing where nothing was put', async () => {
      const [store] = await open();
      await store.put('s1', 'x', 'x');
      expect(await store.get('s1', 'y')).toBeUndefined();
      expect(await store.get('s2', 'x')).toBeUndefined();
      expect(await store.get('../sessions/s1', 'x')).toBeUndefined();
      expect(await listed(store, 's2')).toEqual([]);
    });

    test('keeps sessions apart, whatever their ids are, and names them again', async () => {
      const [store, other] = await open();
      for (const id of ids) await store.put(id, 'own', `of ${id}`);
      for (const id of ids) expect(text(await other.get(id, 'own')), JSON.stringify(id)).toBe(`of ${id}`);
      const found = await listed(other);
      expect(found.map(({ sessionId }) => sessionId).sort()).toEqual([...ids].sort());
      for (const { sessionId, name, sizeBytes, storedAt } of found) {
        expect({ name, sizeBytes }).toEqual({ name: 'own', sizeBytes: Buffer.byteLength(`of ${sessionId}`) });
        expect(Math.abs(storedAt.getTime() - Date.now())).toBeLessThan(60_000);
      }
    });

    test('lists one session alone', async () => {
      const [store] = await open();
      await store.put('s1', 'x', 'x');
      await store.put('s10', 'y', 'y');
      const names = Array.from({ length: 30 }, (_, index) => `tool-call_${index}`);
      for (const name of names) await store.put('s/1', name, name);
      expect((await listed(store, 's1')).map(({ name }) => name)).toEqual(['x']);
      expect((await listed(store, 's/1')).map(({ name }) => name).sort()).toEqual(names.sort());
    });

    test.each(ids.map((id) => [JSON.stringify(id).slice(0, 30), id] as const))(
      'removes one artifact, then the whole session, and no other: %s',
      async (_shown, id) => {
        const [store, other] = await open();
        await store.put(id, 'x', 'x');
        await store.put(id, 'y', 'y');
        await store.put('stays', 'x', 'x');
        await other.remove?.(id, 'x');
        expect((await listed(store, id)).map(({ name }) => name)).toEqual(['y']);
        await other.remove?.(id);
        expect(await store.get(id, 'y')).toBeUndefined();
        expect((await listed(store)).map(({ sessionId }) => sessionId)).toEqual(['stays']);
        await other.remove?.(id);
        // an id may be used again
        await store.put(id, 'z', 'z');
        expect((await listed(other)).map(({ sessionId, name }) => `${sessionId}/${name}`).sort()).toEqual(
          [`${id}/z`, 'stays/x'].sort(),
        );
      },
    );

    test('a reader sees the old bytes or the new ones, never a part', async () => {
      const [store, other] = await open();
      const versions = ['a', 'b'].map((letter) => letter.repeat(400_000));
      await store.put('s1', 'x', versions[0] ?? '');
      const writes = (async () => {
        for (let round = 0; round < 20; round++) await store.put('s1', 'x', versions[round % 2] ?? '');
      })();
      for (let round = 0; round < 40; round++) expect(versions).toContain(text(await other.get('s1', 'x')));
      await writes;
      expect((await listed(store)).map(({ name }) => name)).toEqual(['x']);
    });
  });
});

describe.skipIf(s3Missing !== undefined)(`a bucket${s3Missing ? ` (${s3Missing})` : ''}`, () => {
  const settings = () => {
    if (!server) throw new Error('there is no S3 server');
    return server.settings;
  };

  test('has one marker for each prefix, also when workers start together', async () => {
    const open = (prefix: string) => createS3ArtifactStore({ ...settings(), prefix });
    const together = await Promise.all(Array.from({ length: 6 }, () => open('together')));
    expect(new Set(together.map(({ id }) => id)).size).toBe(1);
    expect((await open('/together/')).id).toBe(together[0]?.id);
    expect((await open('other')).id).not.toBe(together[0]?.id);
  });

  test.each(['../other', 'a/b', '', '.session', 'a\u0000b'])(
    'refuses an artifact name that could leave the folder: %j',
    async (name) => {
      const store = await createS3ArtifactStore(settings());
      await expect(store.put('s1', name, 'x')).rejects.toThrow(/Artifact name .* refused/);
      await expect(store.remove?.('s1', name)).rejects.toThrow(/Artifact name .* refused/);
      expect(await store.get('s1', name)).toBeUndefined();
    },
  );

  test('lists over several pages of the server', async () => {
    const store = await createS3ArtifactStore({ ...settings(), prefix: 'pages' });
    const names = Array.from({ length: 1_003 }, (_, index) => `tool-${index}`);
    for (let first = 0; first < names.length; first += 50)
      await Promise.all(names.slice(first, first + 50).map((name) => store.put('s1', name, 'x')));
    expect((await listed(store)).map(({ name }) => name).sort()).toEqual(names.sort());
    await store.remove?.('s1');
    expect(await listed(store)).toEqual([]);
  });

  test('that is not there, and keys that are not taken, are said at the start', async () => {
    const open = (change: object) => createS3ArtifactStore({ ...settings(), ...change });
    await expect(open({ bucket: 'nobody-made-it' })).rejects.toMatchObject({ code: 'NoSuchBucket' });
    const { AWS_SECRET_ACCESS_KEY: right } = process.env;
    process.env['AWS_SECRET_ACCESS_KEY'] = 'another';
    try {
      await expect(open({})).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' });
    } finally {
      process.env['AWS_SECRET_ACCESS_KEY'] = right;
    }
  });

  test('[FAULT-88] that does not answer rejects, and works again when it is back', async () => {
    const own = await startS3Server();
    try {
      const store = await createS3ArtifactStore(own.settings);
      await store.put('s1', 'x', 'kept');
      await own.stop();
      await expect(store.get('s1', 'x')).rejects.toMatchObject({ name: 'S3Error', code: 'ECONNREFUSED' });
      await expect(store.put('s1', 'y', 'y')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await expect(listed(store)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await expect(store.remove?.('s1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await own.start();
      expect(text(await store.get('s1', 'x'))).toBe('kept');
      await store.put('s1', 'y', 'y');
    } finally {
      await own.remove();
      Object.assign(process.env, server?.credentials);
    }
  });
});

test('without the SDK the error says what to install', async () => {
  const store = pathToFileURL(
    resolve(import.meta.dirname, '../../../src/activities/storage/s3-artifact-store.ts'),
  );
  // as Node says it where the package is not installed
  const program = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(name, context, next) {
        if (name !== '@aws-sdk/client-s3') return next(name, context);
        throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
      },
    });
    const { createS3ArtifactStore } = await import(${JSON.stringify(store.href)});
    await createS3ArtifactStore({ bucket: 'b' }).catch(({ message }) => process.stdout.write(message));`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toContain('Run "npm install @aws-sdk/client-s3" where holdfast is installed.');
});

test('a stray file among the sessions of a folder is no session', async () => {
  const folder = await temporaryFolder();
  const store = await createFileArtifactStore(folder);
  await store.put('s1', 'x', 'x');
  await mkdir(join(folder, 'sessions', 'without-note~0123'));
  await mkdir(join(folder, 'sessions', '.left'));
  expect(await listed(store)).toMatchObject([{ sessionId: 's1' }]);
});
