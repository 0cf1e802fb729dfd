// Folders as sources of the memory: patterns, files that come and go, and what no pattern means.
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMemory, type MemorySettings } from '../../../src/activities/notes/memory.ts';
import { SqliteStore } from '../../../src/activities/notes/sqlite-store.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

async function folderWith(files: Record<string, string>) {
  const folder = await temporaryFolder();
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const open = (patterns: string[], settings: Partial<MemorySettings> = {}) => {
    const store = () => new SqliteStore({ path: join(folder, '.db'), notes: join(folder, 'MEMORY.md') });
    const memory = createMemory({ store, dir: folder, files: patterns, ...settings });
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
  const gone = (await first.memory.search('cache', 1))[0]?.id ?? '';
  expect(await first.memory.show(gone)).toMatchObject({ source: 'runbooks/cache.md' });
  await rm(join(folder, 'runbooks/cache.md'));
  // has never seen the file that is gone
  const later = open(['runbooks/**']);
  expect(await later.found('pool')).toEqual(['runbooks/pools.md']);
  // and its words are not in the index any more
  expect(await later.memory.show(gone)).toBeUndefined();
  await write('runbooks/pools.md', 'the queue is small');
  expect(await later.found('pool')).toEqual([]);
  await write('runbooks/pools.md', 'the pool is small');
  // an incident is no file, whatever the pattern
  await first.memory.keep('incident:s/run-1', 'the pool was empty', 0);
  expect(await open(['**']).found('pool')).toEqual(['incident:s/run-1', 'runbooks/pools.md']);
});

const embedded: string[] = [];
const embed = async (texts: string[]): Promise<number[][]> => (
  embedded.push(...texts),
  texts.map(() => [1, 1])
);

test.each(['keyword', 'vector', 'hybrid'] as const)(
  '[MEM-14a] by %s a file that has left memory.files, or that only another config of the folder names, is not found',
  async (ranking) => {
    const { open } = await folderWith({
      'MEMORY.md': '## Notes\nthe pool',
      'USER.md': 'the pool',
      'runbooks/pool.md': 'the pool',
      'drafts/pool.md': 'the pool',
    });
    const of = (files: string[]) => {
      const { memory } = open(files, { embed });
      return async () => (await memory.recall('pool', 20, ranking)).map(({ source }) => source).sort();
    };
    const before = of(['MEMORY.md', 'USER.md', 'runbooks/**']);
    const all = ['MEMORY.md', 'USER.md', 'runbooks/pool.md'];
    expect(await before()).toEqual(all);
    const after = of(['USER.md', 'drafts/*']);
    expect(await after()).toEqual(['USER.md', 'drafts/pool.md']);
    // both go on side by side, and what is there is embedded once
    embedded.length = 0;
    expect(await before()).toEqual(all);
    expect(await after()).toEqual(['USER.md', 'drafts/pool.md']);
    expect(embedded.filter((text) => text !== 'pool')).toEqual([]);
  },
);

test('[MEM-14b] a name whose file is gone is not found, shown or forgotten by a worker that starts later', async () => {
  const { folder, open } = await folderWith({ 'USER.md': 'the pool', 'MEMORY.md': 'words' });
  const [{ id } = { id: '' }] = await open(['USER.md']).memory.search('pool', 1);
  await rm(join(folder, 'USER.md'));
  expect(await open(['USER.md']).found('pool')).toEqual([]);
  const { memory } = open(['MEMORY.md']);
  expect(await memory.show(id)).toBeUndefined();
  expect(await memory.forget(id)).toBe(false);
});

test('[MEM-14c] two folders that share an index keep their files of the same name apart', async () => {
  const first = await folderWith({ 'MEMORY.md': '## A\nthe pool of shop' });
  const second = await folderWith({ 'MEMORY.md': '## A\nthe pool of bank' });
  const of = (dir: string) => {
    const { memory } = first.open(['MEMORY.md'], { dir });
    return async () => (await memory.recall('pool', 5)).map(({ source, text }) => [source, text]);
  };
  const [shop, bank] = [of(first.folder), of(second.folder)];
  for (const _ of [1, 2]) {
    expect(await shop()).toEqual([['MEMORY.md', 'the pool of shop']]);
    expect(await bank()).toEqual([['MEMORY.md', 'the pool of bank']]);
  }
});

test('[MEM-16a] runbooks in other kinds of text are found by their parts; data only where a pattern names its ending', async () => {
  const { open } = await folderWith({
    'r/pool.rst':
      'Runbooks\n========\n\nPool full\n---------\nraise the pool\n\nDisk full\n~~~~~~~~~\nclean the disk\n',
    'r/pool.adoc': '= Runbooks\n\n== Pool empty\nlower the pool\n\n=== Disk empty\nfill it\n',
    'r/pool.html':
      '<head><title>x</title></head><h1>Runbooks</h1><h2 id=a>\n Pool &amp; disk</h2><p>drain the <b>pool</b></p><pre>psql\npool -x &gt; 1</pre><script>pool()</script><h2>Other</h2>none',
    'r/rules.yaml':
      '# of the team\ngroups:\n  - name: db\n    rules:\n      - alert: PoolFull\n        # ask Ada\n        expr: pool > 40\n      - alert: "DiskFull"\n        expr: disk > 90\n',
    'r/hosts.json': '{"hosts":[{"name":"db-1","pool":40},{"name":"db-2","disk":9}]}',
    'r/broken.json': '{"pool":',
    'r/graph.png': 'pool',
    'r/NOTES': 'the pool of notes',
  });
  const found = async (...files: string[]) =>
    (await open(files).memory.search('pool', 50))
      .map(({ source, title, text }): [string, string, string] => [source, title, text])
      .sort(([left], [right]) => (left < right ? -1 : 1));
  expect(await found('r/**')).toEqual([
    ['r/pool.adoc', 'Pool empty', 'lower the pool'],
    ['r/pool.html', 'Pool & disk', 'drain the pool\npsql\npool -x > 1'],
    ['r/pool.rst', 'Pool full', 'raise the pool'],
  ]);
  expect(await found('r/*.{yaml,json}', 'r/NOTES')).toEqual([
    ['r/NOTES', '', 'the pool of notes'],
    ['r/broken.json', '', '{"pool":'],
    ['r/hosts.json', 'db-1', '- name: db-1\n    pool: 40'],
    ['r/rules.yaml', 'PoolFull', '- alert: PoolFull\n        # ask Ada\n        expr: pool > 40'],
  ]);
});

test('[MEM-16b] bytes that are no text are named, and not indexed', async () => {
  const { folder, open } = await folderWith({});
  await writeFile(join(folder, 'core.txt'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]));
  await expect(open(['core.txt']).found('pool')).rejects.toThrow(
    `A file of the memory cannot be read: ${join(folder, 'core.txt')} is no text in UTF-8.`,
  );
});
