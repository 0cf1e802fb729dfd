// One suite over both stores: SQLite of Node, and a real PostgreSQL of Debian's package.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chunkText } from '../../../src/activities/notes/chunk-text.ts';
import type { Memory } from '../../../src/activities/notes/memory.ts';
import type { MemoryStore } from '../../../src/activities/notes/memory-store.ts';
import { PostgresStore } from '../../../src/activities/notes/postgres-store.ts';
import { SqliteStore } from '../../../src/activities/notes/sqlite-store.ts';
import { resolveConfig } from '../../../src/config/config.ts';
import { openMemoryOf } from '../../../src/config/memory.ts';
import { missingPrograms, postgresFolder, sharedPostgres } from '../../support/real-servers.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

/** Two stores over one place: as two workers have it. */
type Place = { first: MemoryStore; second: MemoryStore; notes?: string };

async function sqlitePlace(): Promise<Place> {
  const folder = await temporaryFolder();
  const [path, notes] = [join(folder, 'inside', 'memory.db'), join(folder, 'MEMORY.md')];
  return { first: new SqliteStore({ path, notes }), second: new SqliteStore({ path, notes }), notes };
}

const password = 'planted-password-1';

const noPostgres = postgresFolder() === undefined ? 'postgresql not installed' : missingPrograms('psql');

const noteText = `Words before the first section.

## Databases
The pool of checkout-db-1 is capped at 40 connections.

## Caches
Redis evicts keys when sessions_cache is full; see /var/log/redis/redis.log.
`;

const texts = (found: readonly { text: string }[]) => found.map(({ text }) => text);

function suite(open: () => Promise<Place>): void {
  async function stores(): Promise<Place> {
    const place = await open();
    onTestFinished(async () => void (await Promise.all([place.first.close(), place.second.close()])));
    return place;
  }

  test('chunks are found by the parts of names and paths, best first, and by another worker too', async () => {
    const { first, second } = await stores();
    await first.index('MEMORY.md', 'digest-1', chunkText('MEMORY.md', noteText, 1_000));
    expect(await second.digestOf('MEMORY.md')).toBe('digest-1');
    const [best, ...others] = await second.find(['connections', 'checkout'], 5);
    expect(best).toMatchObject({
      source: 'MEMORY.md',
      title: 'Databases',
      section: 1,
      position: 0,
      at: 1_000,
    });
    expect(best?.text).toBe('The pool of checkout-db-1 is capped at 40 connections.');
    expect(best?.score).toBeGreaterThan(0);
    expect(others).toEqual([]);
    expect(texts(await first.find(['log'], 5))).toEqual([expect.stringContaining('/var/log/redis')]);
    expect(texts(await first.find(['cache', 'pool'], 1))).toHaveLength(1);
    // words in another form
    expect(texts(await first.find(['connection'], 5))).toHaveLength(1);
    expect(await first.find(['kafka'], 5)).toEqual([]);
    expect(await first.find([], 5)).toEqual([]);
  });

  test('[MEM-01d] a source that is indexed again has only its new chunks, and those that stayed keep their vector', async () => {
    const { first } = await stores();
    await first.index('MEMORY.md', 'digest-1', chunkText('MEMORY.md', noteText, 1_000));
    const chunks = await first.withoutVector(10);
    expect(chunks).toHaveLength(3);
    await first.useEmbedder('e');
    await first.setVectors(
      'e',
      chunks.map(({ id }, index) => ({ id, vector: Float32Array.of(index, 0.25) })),
    );
    expect(await first.withoutVector(10)).toEqual([]);
    const changed = noteText.replace('capped at 40', 'capped at 60');
    await first.index('MEMORY.md', 'digest-2', chunkText('MEMORY.md', changed, 2_000));
    expect(texts(await first.find(['pool'], 5))).toEqual([expect.stringContaining('capped at 60')]);
    expect(texts(await first.withoutVector(10))).toEqual([expect.stringContaining('capped at 60')]);
    const kept = await first.vectors();
    expect(kept.map(({ vector }) => [...vector])).toContainEqual([2, 0.25]);
    expect(kept).toHaveLength(2);
    await first.index('MEMORY.md', 'digest-3', []);
    expect(await first.find(['pool', 'redis', 'words'], 5)).toEqual([]);
  });

  test('[MEM-07d] the vectors of another embedder are dropped, those of the same one stay, for all workers', async () => {
    const { first, second } = await stores();
    await first.index('MEMORY.md', 'one', chunkText('MEMORY.md', noteText, 0));
    const embedAll = async (store: MemoryStore, name: string) => {
      const chunks = await store.withoutVector(10);
      const vectors = chunks.map(({ id }) => ({ id, vector: Float32Array.of(1, 0) }));
      return (await store.setVectors(name, vectors)) ? chunks.length : 'refused';
    };
    await first.useEmbedder('openai:small');
    const all = await embedAll(first, 'openai:small');
    expect(all).toBeGreaterThan(1);
    await second.useEmbedder('openai:small');
    expect(await second.withoutVector(10)).toEqual([]);
    await second.useEmbedder('openai:large');
    // one that has not heard of it mixes nothing in
    expect(await embedAll(first, 'openai:small')).toBe('refused');
    expect(await embedAll(first, 'openai:large')).toBe(all);
    expect(await first.sources()).toEqual(['MEMORY.md']);
  });

  test('[MEM-03a] [MEM-07d] vectors that were read are those of the index, whatever another worker or another embedder changes', async () => {
    const { first, second } = await stores();
    const fill = async (store: MemoryStore, name: string, value: number) => {
      await store.useEmbedder(name);
      const chunks = await store.withoutVector(10);
      const vectors = chunks.map(({ id }) => ({ id, vector: Float32Array.of(value) }));
      await store.setVectors(name, vectors);
    };
    const values = async () =>
      (await first.vectors()).map(({ vector }) => vector[0] ?? 0).sort((a, b) => a - b);
    await first.index('MEMORY.md', 'one', chunkText('MEMORY.md', noteText, 0));
    await fill(first, 'small', 1);
    expect(await values()).toEqual([1, 1, 1]);
    await second.index(
      'MEMORY.md',
      'two',
      chunkText('MEMORY.md', noteText.replace('capped at 40', 'none'), 0),
    );
    await fill(second, 'small', 2);
    expect(await values()).toEqual([1, 1, 2]);
    await fill(first, 'large', 3);
    expect(await values()).toEqual([3, 3, 3]);
    await second.index('MEMORY.md', 'three', []);
    expect(await values()).toEqual([]);
  });

  test('a text that is there twice, and one without letters, do not stop the rest', async () => {
    const { first } = await stores();
    const twice =
      '## A\nequal words\n## A\nequal words\n## B\n"quoted" \'words\' -- ; drop table chunks; * OR NEAR(\n';
    await first.index('notes', 'digest', chunkText('notes', twice, 1));
    expect(await first.find(['equal'], 5)).toHaveLength(1);
    expect(await first.find(['near', 'or', 'quoted'], 5)).toHaveLength(1);
  });

  test('control characters, and words of any length, in a note and in a prompt', async () => {
    const { first } = await stores();
    const note = `## A\u0000B\nthe pool\u0000 is \u001b[31mred ${'x'.repeat(5_000)}\n`;
    await first.index('notes', 'digest', chunkText('notes', note, 1));
    expect(await first.find(['y'.repeat(5_000), 'pool'], 5)).toMatchObject([
      { title: 'AB', text: expect.stringMatching(/^the pool is red x/) },
    ]);
    const block = { key: 'key-1', date: '2026-11-20', facts: ['Redis\u0000 evicts.'], at: 5_000 };
    expect(await first.appendOnce(block)).toBe(1);
  });

  test('[MEM-03b] the latest sections are the last ones of the notes, each once, by its last chunk', async () => {
    const { first } = await stores();
    const long = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ');
    const sections = [1, 2, 3, 4].map((number) => `## Section ${number}\ntext ${number}\n`);
    const notes = `before\n${sections.join('')}## Section 5\n${long} end\n`;
    await first.index('MEMORY.md', 'digest', chunkText('MEMORY.md', notes, 1_000));
    await first.index('AGENTS.md', 'digest', chunkText('AGENTS.md', '## Other\nof another file\n', 2_000));
    const latest = await first.latest(3);
    expect(latest.map(({ title }) => title)).toEqual(['Section 5', 'Section 4', 'Section 3']);
    expect(latest[0]?.text).toMatch(/ end$/);
    expect((await first.latest(10)).map(({ section }) => section)).toEqual([5, 4, 3, 2, 1]);
  });

  test('what was forgotten is gone, and does not come back with its source', async () => {
    const { first, second } = await stores();
    const chunks = chunkText('MEMORY.md', noteText, 1_000);
    await first.index('MEMORY.md', 'digest-1', chunks);
    const [found] = await first.find(['redis'], 1);
    expect(await first.forget(found?.id ?? '')).toBe(true);
    expect(await first.forget(found?.id ?? '')).toBe(false);
    expect(await second.find(['redis'], 5)).toEqual([]);
    await second.index('MEMORY.md', 'digest-2', chunks);
    expect(await second.find(['redis'], 5)).toEqual([]);
    expect(await second.find(['pool'], 5)).toHaveLength(1);
    expect(await second.get([found?.id ?? '', chunks[0]?.id ?? ''])).toEqual([chunks[0]]);
  });

  test('[MEM-14a] of files only those of the configuration are found, by words, as latest, by vectors and for the embedder', async () => {
    const { first } = await stores();
    const sources = ['file:a/MEMORY.md', 'file:b/MEMORY.md', 'incident:s/run-1'];
    for (const source of sources)
      await first.index(source, 'd', chunkText(source, `## A\nthe pool of ${source}`, 1));
    const look = async () => [
      await first.find(['pool'], 9),
      await first.latest(9),
      await first.withoutVector(9),
    ];
    const sourcesOf = (found: { source: string }[]) => found.map(({ source }) => source).sort();
    first.files = ['file:a/MEMORY.md'];
    const [worded, latest, unembedded] = (await look()).map(sourcesOf);
    expect(worded).toEqual(['file:a/MEMORY.md', 'incident:s/run-1']);
    expect(latest).toEqual(['file:a/MEMORY.md']);
    expect(unembedded).toEqual(['file:a/MEMORY.md', 'incident:s/run-1']);
    first.files = sources;
    await first.useEmbedder('e');
    const chunks = await first.withoutVector(9);
    await first.setVectors(
      'e',
      chunks.map(({ id }) => ({ id, vector: Float32Array.of(1) })),
    );
    expect(await first.vectors()).toHaveLength(3);
    first.files = ['file:b/MEMORY.md'];
    const seen = await first.get((await first.vectors()).map(({ id }) => id));
    expect(sourcesOf(seen)).toEqual(['file:b/MEMORY.md', 'incident:s/run-1']);
  });

  test('[MEM-11a] a fact that is there is not added again, whatever its case, blanks, list mark and final stop', async () => {
    const { first, second } = await stores();
    const add = (store: MemoryStore, key: string, facts: string[]) =>
      store.appendOnce({ key, date: '2026-11-20', facts, at: 1_000 });
    expect(await add(first, 'k1', ['The pool has 40.', 'the POOL  has 40', 'Redis evicts keys'])).toBe(2);
    expect(await add(second, 'k2', ['* The pool has 40 .', 'redis\u00a0evicts\tkeys.', 'Kafka lags.'])).toBe(
      1,
    );
    expect(await add(second, 'k3', ['kafka lags'])).toBe(0);
    // other numbers, and more words, are another fact
    expect(await add(first, 'k4', ['The pool has 41.', 'The pool has 40.5.', 'Kafka lags often.'])).toBe(3);
  });

  test('[MEM-11c] a fact that names the note in its place is there for the bare fact, and says more than it', async () => {
    const { first, second } = await stores();
    const add = (store: MemoryStore, key: string, facts: string[]) =>
      store.appendOnce({ key, date: '2026-11-20', facts, at: 1_000 });
    const after = 'The pool has 50. (instead of: The pool has 41.)';
    expect(await add(second, 'k5', ['The pool has 50.'])).toBe(1);
    expect(await add(first, 'k6', [after, `${after}.`, 'the pool has 50'])).toBe(1);
    expect(await add(first, 'k7', ['The pool has 60 (instead of: The pool has 50)'])).toBe(1);
    expect(await add(second, 'k8', ['The pool has 60.'])).toBe(0);
  });

  test('[MEM-04e] a block is added once, whichever worker tries again, and is found afterwards', async () => {
    const { first, second, notes } = await stores();
    const block = { key: 'key-1', date: '2026-11-20', facts: ['The pool has 40 connections.'], at: 5_000 };
    const tries = await Promise.all([first, second, first, second].map((store) => store.appendOnce(block)));
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect(await second.appendOnce({ ...block, key: 'key-2', facts: ['Redis evicts.'], at: 6_000 })).toBe(1);
    if (notes !== undefined) {
      const text = await readFile(notes, 'utf8');
      await first.index('MEMORY.md', 'digest', chunkText('MEMORY.md', text, 1));
    }
    const found = await first.find(['pool', 'redis'], 5);
    expect(new Set(found.map(({ title }) => title))).toEqual(new Set(['Auto-captured -- 2026-11-20']));
    const words = found.map(({ text }) => text).join('\n');
    expect(words.split('The pool has 40 connections.')).toHaveLength(2);
    expect(words).toContain('- Redis evicts.');
    expect((await first.latest(5))[0]?.text).toContain('- Redis evicts.');
  });
}

describe('sqlite', () => {
  suite(sqlitePlace);

  test('nobody else on the host may read the index', async () => {
    const { first, notes = '' } = await sqlitePlace();
    onTestFinished(() => first.close());
    const { mode } = await stat(join(dirname(notes), 'inside', 'memory.db'));
    expect(mode & 0o777).toBe(0o600);
  });

  test('[MEM-04b] facts come under the heading of their day; words of a person, and what follows them, stay as they are', async () => {
    const { first, notes = '' } = await sqlitePlace();
    onTestFinished(() => first.close());
    await writeFile(notes, '# Notes\n\nOf a person');
    await first.appendOnce({ key: 'k1', date: '2026-11-20', facts: ['one', 'two'], at: 0 });
    await first.appendOnce({ key: 'k2', date: '2026-11-20', facts: ['three'], at: 0 });
    await first.appendOnce({ key: 'k3', date: '2026-11-21', facts: ['four'], at: 0 });
    expect(await readFile(notes, 'utf8')).toBe(
      // oxfmt-ignore
      [
        '# Notes', '', 'Of a person', '',
        '## Auto-captured -- 2026-11-20', '', '<!-- holdfast: k1 -->', '- one', '- two',
        '<!-- holdfast: k2 -->', '- three', '',
        '## Auto-captured -- 2026-11-21', '', '<!-- holdfast: k3 -->', '- four', '',
      ].join('\n'),
    );
  });
});

describe.skipIf(noPostgres !== undefined)(
  `postgresql${noPostgres ? ` (skipped: ${noPostgres})` : ''}`,
  () => {
    const postgres = sharedPostgres(password);
    suite(async () => {
      const url = await postgres.newUrl();
      const open = () => new PostgresStore(async () => ({ url, password }));
      return { first: open(), second: open() };
    });

    test('a worker of many hosts finds its files there; the password is named by reference', async () => {
      const url = await postgres.newUrl();
      const [here, there] = [await temporaryFolder(), await temporaryFolder()];
      const open = (cwd: string): Memory => {
        const config = resolveConfig({
          cwd,
          environment: { MEMORY_PASSWORD: password },
          file: {
            path: join(cwd, 'holdfast.config.yaml'),
            config: {
              memory: { store: { postgres: { url, password: 'secret://memory-password' } } },
              secrets: { 'memory-password': { env: 'MEMORY_PASSWORD' } },
            },
          },
        });
        const memory = openMemoryOf(config, []);
        if (!memory) throw new Error('a memory was expected');
        onTestFinished(() => memory.close());
        return memory;
      };
      for (const folder of [here, there]) await writeFile(join(folder, 'MEMORY.md'), noteText);
      const [first, second] = [open(here), open(there)];
      await first.append({
        key: 'k1',
        date: '2026-11-20',
        facts: ['Kafka lags on mondays.'],
        at: Date.now() + 1,
      });
      await first.keep('incident:s1/run-1', '## Past incident of 2026-11-20\nThe broker was full.\n', 1);
      const found = await second.recall('kafka broker pool', 5);
      expect(found.map(({ source }) => source.replace(/#.*/, ''))).toEqual(
        expect.arrayContaining(['MEMORY.md', 'incident:s1/run-1']),
      );
      expect(texts(found)).toContain('- Kafka lags on mondays.');
      // the file of a host is its own: what sessions take down is in the database
      expect(await readFile(join(here, 'MEMORY.md'), 'utf8')).toBe(noteText);
    });

    test('a database that refuses is an error in its words, and is asked again later', async () => {
      const settings = { url: await postgres.newUrl(), password: 'wrong' };
      const store = new PostgresStore(async () => settings);
      onTestFinished(() => store.close());
      await expect(store.digestOf('MEMORY.md')).rejects.toThrow('password authentication failed');
      settings.password = password;
      expect(await store.digestOf('MEMORY.md')).toBeUndefined();
    });
  },
);
