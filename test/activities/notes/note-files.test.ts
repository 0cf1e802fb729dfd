// Folders as sources of the memory: patterns, files that come and go, and what no pattern means.
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMemory } from '../../../src/activities/notes/memory.ts';
import { SqliteStore } from '../../../src/activities/notes/sqlite-store.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

async function folderWith(files: Record<string, string>) {
  const folder = await temporaryFolder();
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const open = (patterns: string[]) => {
    const store = () => new SqliteStore({ path: join(folder, '.db'), notes: join(folder, 'MEMORY.md') });
    const memory = createMemory({ store, dir: folder, files: patterns });
    onTestFinished(() => memory.close());
    const found = async (query: string) =>
      (await memory.search(query, 50)).map(({ source }) => source).sort();
    return { memory, found };
  };
  return { folder, write, open };
}

test('[MEM-08a] a pattern means the Markdown and text files of folders, and nothing hidden', async () => {
  const { open } = await folderWith({
    'runbooks/pool.md': 'the pool is small',
    'runbooks/db/locks.markdown': 'a pool of locks',
    'runbooks/notes.txt': 'pool words',
    'runbooks/graph.svg': 'pool',
    'runbooks/.git/pool.md': 'pool',
    'runbooks/node_modules/pool/README.md': 'pool',
    'postmortems/2026/pool.md': 'the pool was empty',
    'pool.md': 'pool',
    'MEMORY.md': 'pool',
  });
  const { found } = open(['runbooks/**', 'postmortems/*/*.md', 'MEMORY.md']);
  expect(await found('pool')).toEqual([
    'MEMORY.md',
    'postmortems/2026/pool.md',
    'runbooks/db/locks.markdown',
    'runbooks/notes.txt',
    'runbooks/pool.md',
  ]);
});

test('[MEM-08b] a link is not followed, to a file or to a folder, wherever it leads', async () => {
  const outside = await folderWith({ 'secret.md': 'the pool' });
  const { folder, open } = await folderWith({ 'runbooks/pool.md': 'the pool' });
  await symlink(join(outside.folder, 'secret.md'), join(folder, 'runbooks/linked.md'));
  await symlink(outside.folder, join(folder, 'runbooks/folder'));
  expect(await open(['runbooks/**']).found('pool')).toEqual(['runbooks/pool.md']);
});

test('[MEM-08c] files that come, change, move or go are known at the next search, also by a worker that starts later', async () => {
  const { folder, write, open } = await folderWith({ 'runbooks/pool.md': 'the pool is small' });
  const first = open(['runbooks/**']);
  expect(await first.found('pool')).toEqual(['runbooks/pool.md']);
  await write('runbooks/cache.md', 'the cache has a pool');
  expect(await first.found('pool')).toEqual(['runbooks/cache.md', 'runbooks/pool.md']);
  await rename(join(folder, 'runbooks/pool.md'), join(folder, 'runbooks/pools.md'));
  expect(await first.found('pool')).toEqual(['runbooks/cache.md', 'runbooks/pools.md']);
  await rm(join(folder, 'runbooks/cache.md'));
  // has never seen the file that is gone
  expect(await open(['runbooks/**']).found('pool')).toEqual(['runbooks/pools.md']);
  // an incident is no file, whatever the pattern
  await first.memory.keep('incident:s/run-1', 'the pool was empty', 0);
  expect(await open(['**']).found('pool')).toEqual(['incident:s/run-1', 'runbooks/pools.md']);
});
