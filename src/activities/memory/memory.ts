// The memory of a worker: its files and the incidents of the past, indexed in a store. What is asked of it, by activities,
// tools and the command line. Runs in Node.
import { hasCode } from '../../core/base/has-code.ts';
import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../core/base/message-of.ts';
import type { MemoryRanking } from '../../core/model/agent-spec.ts';
import { sha256Hex } from '../context/digest.ts';
import { chunkText } from './chunk-text.ts';
import { type CapturedBlock, type FoundChunk, type MemoryChunk, type MemoryStore } from './memory-store.ts';
import { type Embed, embedAll, recall, search } from './ranking.ts';

export type MemorySettings = {
  /** Opened at its first use. */
  store: () => MemoryStore;
  /** Folder of the files; absolute. */
  dir: string;
  /** Names of the files in it that are indexed; one that is not there is none. */
  files: readonly string[];
  embed?: Embed | undefined;
};

/** What looks into the index brings it up to date with the files first; the embedder is asked only where vectors are compared. */
export type Memory = {
  /** For a run that begins: at most `limit` chunks. */
  recall(text: string, limit: number, ranking?: MemoryRanking): Promise<MemoryChunk[]>;
  search(query: string, limit: number): Promise<FoundChunk[]>;
  show(id: string): Promise<MemoryChunk | undefined>;
  forget(id: string): Promise<boolean>;
  /** False where the block was there: nothing is written. */
  append(block: CapturedBlock): Promise<boolean>;
  /** A text of its own name, in place of the one it had. */
  keep(source: string, markdown: string, at: number): Promise<void>;
  /** With the vectors of what is new. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** Far more than anybody has noted down: a larger one was named by mistake, or holds what belongs elsewhere. */
const maxFileBytes = 16 * 1024 * 1024;
/** Texts of one request to the embedder. */
const embeddedAtOnce = 100;

export function createMemory({ store: open, dir, files, embed }: MemorySettings): Memory {
  let opened: MemoryStore | undefined;
  const store = (): MemoryStore => (opened ??= open());
  /** What is known of each file: as it was when it was last looked at. */
  const seen = new Map<string, string>();
  let refreshing = Promise.resolve();

  async function indexFile(name: string): Promise<void> {
    const path = join(dir, name);
    const state = await stat(path).catch(ifMissing(undefined));
    const mark = state ? `${state.mtimeMs} ${state.size} ${state.ino}` : '';
    if (seen.get(name) === mark) return;
    if (state) assertNotes(path, state);
    const text = state ? await readFile(path, 'utf8').catch(ifMissing('')) : '';
    await put(name, text, state?.mtimeMs ?? 0);
    seen.set(name, mark);
  }
  async function put(source: string, text: string, at: number): Promise<void> {
    const digest = sha256Hex(text);
    const known = await store().digestOf(source);
    if (known === digest || (known === undefined && text === '')) return;
    await store().index(source, digest, chunkText(source, text, Math.round(at)));
  }
  async function embedNew(): Promise<void> {
    if (!embed) return;
    for (;;) {
      const chunks = await store().withoutVector(embeddedAtOnce);
      if (chunks.length === 0) return;
      const vectors = await embedAll(
        embed,
        chunks.map(({ title, text }) => `${title}\n${text}`.trim()),
      );
      await store().setVectors(
        chunks.map(({ id }, index) => ({ id, vector: vectors[index] ?? new Float32Array() })),
      );
    }
  }
  /** One after the other: two searches at once index a file once. */
  function update(withVectors: boolean): Promise<void> {
    const next = refreshing.then(async () => {
      for (const name of files) await indexFile(name);
      if (withVectors) await embedNew();
    });
    refreshing = next.catch(() => undefined);
    return next;
  }
  /** An embedder that is down keeps nobody from a search by words, or from forgetting. */
  const current = async (ranking: MemoryRanking = 'hybrid'): Promise<MemoryStore> => {
    await update(ranking !== 'keyword');
    return store();
  };
  return {
    recall: async (text, limit, ranking) =>
      recall({ store: await current(ranking), embed }, text, limit, ranking),
    search: async (query, limit) => search({ store: await current(), embed }, query, limit),
    show: async (id) => (await (await current('keyword')).get([id]))[0],
    forget: async (id) => (await current('keyword')).forget(id),
    append: (block) => store().appendOnce(block),
    keep: put,
    refresh: () => update(true),
    close: async () => opened?.close(),
  };
}

/** A pipe would be waited for without end. */
function assertNotes(path: string, state: Stats): void {
  if (!state.isFile()) throw unreadable(`${path} is no file.`);
  if (state.size <= maxFileBytes) return;
  const problem = `${path} has ${state.size} bytes: expected at most ${maxFileBytes}. Take out what is old.`;
  throw unreadable(problem);
}

function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (hasCode(error, 'ENOENT')) return value;
    throw unreadable(messageOf(error), error);
  };
}

function unreadable(problem: string, cause?: unknown): Error {
  return new Error(`A file of the memory cannot be read: ${problem}`, { cause });
}
