// Ranks the chunks that fit a text: by their words, by their vectors, or by both. Runs in Node.
import type { MemoryRanking } from '../../core/model/agent-spec.ts';
import type { FoundChunk, MemoryChunk, MemoryStore } from './memory-store.ts';
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

type Source = { store: MemoryStore; embed?: Embed | undefined };

/** The chunks for a run's prompt: at most `limit`, best first. */
export async function recall(
  { store, embed }: Source,
  text: string,
  limit: number,
  ranking: MemoryRanking = defaultRanking(embed),
): Promise<MemoryChunk[]> {
  if (ranking !== 'keyword') return (await search({ store, embed }, text, limit, ranking)).map(bare);
  const found = await store.find(searchWords(text), foundByWords);
  const newest = await store.latest(newestSections);
  const ids = new Set(found.map(({ id }) => id));
  return [...found.map(bare), ...newest.filter(({ id }) => !ids.has(id))].slice(0, limit);
}

/** Only chunks related to the query, best first. */
export async function search(
  { store, embed }: Source,
  query: string,
  limit: number,
  ranking: MemoryRanking = defaultRanking(embed),
): Promise<FoundChunk[]> {
  if (ranking === 'keyword') return store.find(searchWords(query), limit);
  if (!embed) throw new Error(`Ranking "${ranking}" needs memory.embed in the config, and there is none.`);
  const near = await byVector(store, await embedOne(embed, query));
  if (ranking === 'vector') return withChunks(store, near.slice(0, limit));
  const wide = candidates * limit;
  const worded = await store.find(searchWords(query), wide);
  return withChunks(store, blend(near, worded, wide).slice(0, limit));
}

function defaultRanking(embed: Embed | undefined): MemoryRanking {
  return embed ? 'hybrid' : 'keyword';
}

type Scored = { id: string; score: number };

async function byVector(store: MemoryStore, wanted: Float32Array): Promise<Scored[]> {
  const scored = (await store.vectors()).flatMap(({ id, vector }) => {
    const score = nearness(wanted, vector);
    return score === undefined ? [] : [{ id, score }];
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

function bare({ score: _, ...chunk }: FoundChunk): MemoryChunk {
  return chunk;
}

async function embedOne(embed: Embed, text: string): Promise<Float32Array> {
  const [vector] = await embedAll(embed, [text]);
  return vector ?? new Float32Array();
}

/** Rejects if the embedder returns anything but one vector a text. */
export async function embedAll(embed: Embed, texts: string[]): Promise<Float32Array[]> {
  const vectors: unknown = await embed(texts);
  if (Array.isArray(vectors) && vectors.length === texts.length && vectors.every(isVector))
    return vectors.map((vector) => Float32Array.from(vector));
  throw new Error(
    `memory.embed was given ${texts.length} texts: expected as many lists of numbers, none of them empty.`,
  );
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => Number.isFinite(part));
}
