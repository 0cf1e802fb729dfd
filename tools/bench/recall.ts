// `node tools/bench/recall.ts FOLDER`: how many questions have the right runbook among the first 1, 3 and 5, by the search of
// find_runbook and by that of search_memory. EMBED_URL and EMBED_MODEL name an embedder (OpenAI's endpoint), for hybrid.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createMemory } from '../../src/activities/notes/memory.ts';
import type { Embed } from '../../src/activities/notes/ranking.ts';
import { readRunbooks } from '../../src/activities/notes/read-runbooks.ts';
import { searchRunbooks } from '../../src/activities/notes/find-runbook.ts';
import { SqliteStore } from '../../src/activities/notes/sqlite-store.ts';
import { runbookQuestions } from '../../test/support/runbook-questions.ts';

/** Chunks asked for: several may be of one runbook. */
const chunks = 40;
const places = [1, 3, 5];

const folder = resolve(process.argv[2] ?? '.');
const { runbooks } = await readRunbooks({ folders: [folder], base: folder });
const names = runbooks.map(({ name }) => name);
const spacedNames = names.map((name): [string, string] => [
  name.replaceAll(/([a-z])([A-Z])/g, '$1 $2'),
  name,
]);
const asked = { 'plain words': runbookQuestions, 'names, spaced': spacedNames };

type Search = (query: string) => Promise<string[]>;

async function inMemory<Result>(
  embed: Embed | undefined,
  work: (search: Search) => Promise<Result>,
): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-recall-'));
  const store = new SqliteStore({ path: join(dir, 'memory.db'), notes: join(dir, 'MEMORY.md') });
  const memory = createMemory({ store: () => store, dir: folder, files: ['**'], embed });
  try {
    return await work(async (query) => {
      const found = (await memory.search(query, chunks)).map(({ source }) => basename(source, '.md'));
      return [...new Set(found)].filter((name) => names.includes(name));
    });
  } finally {
    await memory.close();
    await rm(dir, { recursive: true, force: true });
  }
}

async function print(ranking: string, search: Search): Promise<void> {
  for (const [words, questions] of Object.entries(asked)) {
    const found = await Promise.all(
      questions.map(async ([query, name]) => (await search(query)).indexOf(name)),
    );
    const counts = places.map((limit) => found.filter((place) => place >= 0 && place < limit).length);
    process.stdout.write(`| ${ranking} | ${words} | ${questions.length} | ${counts.join(' | ')} |\n`);
  }
}

function embedderOf({ EMBED_URL: url, EMBED_MODEL: model }: NodeJS.ProcessEnv): Embed | undefined {
  if (url === undefined || model === undefined) return undefined;
  return async (input) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ model, input }) });
    const { data } = (await response.json()) as { data: { embedding: number[] }[] };
    return data.map(({ embedding }) => embedding);
  };
}

process.stdout.write('| search | words | asked | first 1 | first 3 | first 5 |\n|---|---|---|---|---|---|\n');
await print('find_runbook', async (query) =>
  (await searchRunbooks(runbooks, query, runbooks.length)).map(({ name }) => name),
);
await inMemory(undefined, (search) => print('search_memory, keyword', search));
const embed = embedderOf(process.env);
if (embed) await inMemory(embed, (search) => print('search_memory, hybrid', search));
