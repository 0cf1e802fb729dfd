// Ranks the chunks that fit a text: by their words, by their vectors, or by both. Runs in Node.
import type { MemoryRanking } from '@holdfast/vocabulary/agent-spec';
import type { FoundChunk, MemoryChunk, MemoryStore } from './memory-store.ts';
import { cutText } from '@holdfast/base/cut-text';
import { counted } from '@holdfast/base/words';
import { searchWords } from './search-words.ts';
import { nearness } from './vectors.ts';

/** Makes one vector for each text, all of one length. */
export type Embed = (texts: string[]) => Promise<number[][]>;

/** Counts in keyword ranking: matching chunks, and newest sections. */
const foundByWords = 5;
const newestSections = 5;
/** Weights of hybrid ranking. */
const vectorWeight = 0.7;
const wordWeight = 0.3;
/** Candidates compared for each wanted chunk. */
const candidates = 3;

/** `embedder`: the name. */
export type Source = { store: MemoryStore; embed?: Embed | undefined; embedder: string };

/** The chunks for a run's prompt: at most `limit`, best first. */
export async function recall(
  source: Source,
  text: string,
  limit: number,
  ranking: MemoryRanking = defaultRanking(source.embed),
): Promise<MemoryChunk[]> {
  if (ranking !== 'keyword') return search(source, text, limit, ranking);
  const found = await source.store.find(searchWords(text), foundByWords);
  const newest = await source.store.latest(newestSections);
  const ids = new Set(found.map(({ id }) => id));
  return [...found, ...newest.filter(({ id }) => !ids.has(id))].slice(0, limit);
}

/** Only chunks related to the query, best first. */
export async function search(
  source: Source,
  query: string,
  limit: number,
  ranking: MemoryRanking = defaultRanking(source.embed),
): Promise<FoundChunk[]> {
  const { store, embed, embedder } = source;
  if (ranking === 'keyword') return store.find(searchWords(query), limit);
  if (!embed) throw new Error(`Ranking "${ranking}" needs memory.embed in the config, and there is none.`);
  const near = await byVector(source, await embedAll(embed, embedder, [query]));
  if (ranking === 'vector') return withChunks(store, near.slice(0, limit));
  const wide = candidates * limit;
  const worded = await store.find(searchWords(query), wide);
  return withChunks(store, blend(near, worded, wide).slice(0, limit));
}

function defaultRanking(embed: Embed | undefined): MemoryRanking {
  return embed ? 'hybrid' : 'keyword';
}

type Scored = { id: string; score: number };

async function byVector({ store, embedder }: Source, [wanted]: Float32Array[]): Promise<Scored[]> {
  if (!wanted) return [];
  const scored = (await store.vectors()).map(({ id, vector }) => {
    if (vector.length === wanted.length) return { id, score: nearness(wanted, vector) };
    const came = `${wanted.length} numbers for the query, and the index has ${vector.length} for a text`;
    return refuse(embedder, came, 'as many (docs/memory.md: another model)');
  });
  return scored.sort(byScore);
}

/** The best of both lists, by both scores; the best chunk by words has the score 1. */
function blend(near: readonly Scored[], worded: readonly Scored[], wide: number): Scored[] {
  const nearBy = new Map(near.map(({ id, score }) => [id, score]));
  const best = worded[0]?.score ?? 1;
  const wordsBy = new Map(worded.map(({ id, score }) => [id, score / best]));
  const ids = new Set([...near.slice(0, wide), ...worded].map(({ id }) => id));
  const blended = [...ids].map((id) => ({
    id,
    score: vectorWeight * (nearBy.get(id) ?? 0) + wordWeight * (wordsBy.get(id) ?? 0),
  }));
  return blended.sort(byScore);
}

/** Orders equal scores the same everywhere. */
function byScore(left: Scored, right: Scored): number {
  return right.score - left.score || (left.id < right.id ? -1 : 1);
}

async function withChunks(store: MemoryStore, scored: readonly Scored[]): Promise<FoundChunk[]> {
  const scores = new Map(scored.map(({ id, score }) => [id, score]));
  const chunks = await store.get([...scores.keys()]);
  return chunks.map((chunk) => ({ ...chunk, score: scores.get(chunk.id) ?? 0 }));
}

/** Rejects, in words, unless there is one list of numbers a text, all of one length. */
export async function embedAll(embed: Embed, embedder: string, texts: string[]): Promise<Float32Array[]> {
  const lists: unknown = await embed(texts);
  const wanted = `${counted(texts.length, 'list')} of numbers, one a text`;
  if (!Array.isArray(lists)) return refuse(embedder, toShort(lists), wanted);
  if (lists.length !== texts.length) return refuse(embedder, `${lists.length} of them`, wanted);
  return lists.map((list: unknown, index) => {
    const place = `for text ${index + 1}`;
    if (!Array.isArray(list) || list.length === 0)
      return refuse(embedder, `${toShort(list)} ${place}`, 'a list of numbers');
    if (list.length !== lists[0].length)
      return refuse(embedder, `${list.length} numbers ${place} and ${lists[0].length} for text 1`, 'as many');
    // also what is no number in 32 bits: it would be near to nothing, without a word
    const wrong = list.findIndex((part) => typeof part !== 'number' || !Number.isFinite(Math.fround(part)));
    if (wrong < 0) return Float32Array.from(list);
    return refuse(embedder, `${toShort(list[wrong])} at place ${wrong + 1} ${place}`, 'a number');
  });
}

function refuse(embedder: string, came: string, wanted: string): never {
  throw new Error(`The embedder ${embedder} gave ${came}: expected ${wanted}.`);
}

function toShort(value: unknown): string {
  return typeof value === 'number' ? String(value) : cutText(JSON.stringify(value) ?? 'nothing', 60);
}
