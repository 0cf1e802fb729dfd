import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const text = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');

test.each(['../other', 'a/b', '', '.hidden', 'a\u0000b', 'x'.repeat(201)])(
  'an artifact name that could leave the folder is refused: %j',
  async (name) => {
    const store = await createFileArtifactStore(await temporaryFolder());
    await expect(store.put('s1', name, 'x')).rejects.toThrow(/Artifact name .* refused/);
    expect(await store.get('s1', name)).toBeUndefined();
  },
);

describe('the marker', () => {
  test('is made once and kept, also by workers that start together', async () => {
    const folder = join(await temporaryFolder(), 'store');
    const stores = await Promise.all(Array.from({ length: 8 }, () => createFileArtifactStore(folder)));
    expect(new Set(stores.map((store) => store.id)).size).toBe(1);
    expect((await createFileArtifactStore(folder)).id).toBe(stores[0]?.id);
    expect(await readdir(folder)).toEqual(['store.json']);
  });

  test('that is not a marker is named', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'store.json'), 'something else');
    await expect(createFileArtifactStore(folder)).rejects.toThrow(/not a store marker/);
    expect(await readFile(join(folder, 'store.json'), 'utf8')).toBe('something else');
  });

  test('is asked for again before a folder is made: a share that went away is not replaced', async () => {
    const folder = join(await temporaryFolder(), 'share');
    const store = await createFileArtifactStore(folder);
    await store.put('s1', 'x', 'x');
    await rename(folder, `${folder}-away`);
    await mkdir(folder);
    await expect(store.put('s1', 'x', 'y')).rejects.toThrow(/not there/);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
    await rename(`${folder}-away`, folder);
    await store.put('s2', 'x', 'y');
    expect(text(await store.get('s2', 'x'))).toBe('y');
  });
});
