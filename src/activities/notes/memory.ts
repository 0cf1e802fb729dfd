// The memory of a worker: its files and past incidents, indexed in a store. Serves activities, tools and the command
// line. Runs in Node.
import { hasCode } from '../../core/base/has-code.ts';
import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { filesOf, isNote, isPattern } from './note-files.ts';
import { messageOf } from '../../core/base/message-of.ts';
import type { MemoryRanking } from '../../core/model/agent-spec.ts';
import { sha256Hex } from '../../stored/sha256.ts';
import { chunkText } from './chunk-text.ts';
import { type CapturedBlock, type FoundChunk, type MemoryChunk, type MemoryStore } from './memory-store.ts';
import { type Embed, embedAll, recall, search } from './ranking.ts';

export type MemorySettings = {
  /** Opened at its first use. */
  store: () => MemoryStore;
  /** Folder of the files; absolute. */
  dir: string;
  /** The indexed files in it, by name or pattern; a missing one is ignored. */
  files: readonly string[];
  /** Other hosts index into the store, too, and may have files that are not here yet. Default false. */
  isShared?: boolean;
  embed?: Embed | undefined;
  /** Name of the embedder: vectors by another one are made anew. Default: that of a function of the config. */
  embedder?: string;
};

/** Every search first updates the index from the files; the embedder is called only if vectors are compared. */
export type Memory = {
  /** For the start of a run: at most `limit` chunks. */
  recall(text: string, limit: number, ranking?: MemoryRanking): Promise<MemoryChunk[]>;
  search(query: string, limit: number): Promise<FoundChunk[]>;
  show(id: string): Promise<MemoryChunk | undefined>;
  forget(id: string): Promise<boolean>;
  /** False if the block exists already; nothing is written then. */
  append(block: CapturedBlock): Promise<boolean>;
  /** Stores a text under its source, replacing an earlier one. */
  keep(source: string, markdown: string, at: number): Promise<void>;
  /** Updates the index, with the vectors of new chunks. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** Far more than anybody's notes: a larger file was named by mistake, or holds something else. */
const maxFileBytes = 16 * 1024 * 1024;
/** Texts of one request to the embedder. */
const embeddedAtOnce = 100;

export function createMemory(settings: MemorySettings): Memory {
  const { embed } = settings;
  const index = new MemoryIndex(settings);
  return {
    recall: async (text, limit, ranking) =>
      recall({ store: await index.current(ranking), embed }, text, limit, ranking),
    search: async (query, limit) => search({ store: await index.current(), embed }, query, limit),
    show: async (id) => (await (await index.current('keyword')).get([id]))[0],
    forget: async (id) => (await index.current('keyword')).forget(id),
    append: (block) => index.store().appendOnce(block),
    keep: (source, markdown, at) => index.put(source, markdown, at),
    refresh: () => index.update(true),
    close: () => index.close(),
  };
}

/** The store, kept up to date with the files. */
class MemoryIndex {
  readonly #settings: MemorySettings;
  #opened: MemoryStore | undefined;
  /** The state of each file when it was last indexed. */
  readonly #seen = new Map<string, string>();
  #refreshing = Promise.resolve();
  /** The store knows the embedder of this process. */
  #isNamed = false;

  constructor(settings: MemorySettings) {
    this.#settings = settings;
  }

  store(): MemoryStore {
    return (this.#opened ??= this.#settings.store());
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }

  /** An embedder that is down must not prevent a search by words, or forgetting. */
  async current(ranking: MemoryRanking = 'hybrid'): Promise<MemoryStore> {
    await this.update(ranking !== 'keyword');
    return this.store();
  }

  /** Serialised: two concurrent searches index a file once. */
  update(withVectors: boolean): Promise<void> {
    const next = this.#refreshing.then(async () => {
      for (const name of await this.#fileNames()) await this.#indexFile(name);
      if (withVectors) await this.#embedNew();
    });
    this.#refreshing = next.catch(() => undefined);
    return next;
  }

  async put(source: string, text: string, at: number): Promise<void> {
    const digest = sha256Hex(text);
    const known = await this.store().digestOf(source);
    if (known === digest || (known === undefined && text === '')) return;
    await this.store().index(source, digest, chunkText(source, text, Math.round(at)));
  }

  /** The files that are there, and those of the index that went away. */
  async #fileNames(): Promise<Set<string>> {
    const { dir, files, isShared } = this.#settings;
    const patterns = files.filter(isPattern);
    const known = patterns.length === 0 ? [] : await this.store().sources();
    const isMeant = (name: string) => patterns.some((pattern) => matchesGlob(name, pattern));
    const wasHere = (name: string) => !isShared || Boolean(this.#seen.get(name));
    const before = known.filter((name) => isNote(name) && isMeant(name) && wasHere(name));
    return new Set([...(await filesOf(dir, files)), ...before]);
  }

  async #indexFile(name: string): Promise<void> {
    const path = join(this.#settings.dir, name);
    const state = await stat(path).catch(ifMissing(undefined));
    const mark = state ? `${state.mtimeMs} ${state.size} ${state.ino}` : '';
    if (this.#seen.get(name) === mark) return;
    if (state) assertNotes(path, state);
    const text = state ? await readFile(path, 'utf8').catch(ifMissing('')) : '';
    await this.put(name, text, state?.mtimeMs ?? 0);
    this.#seen.set(name, mark);
  }

  async #embedNew(): Promise<void> {
    const { embed, embedder = 'memory.embed' } = this.#settings;
    if (!embed) return;
    if (!this.#isNamed) await this.store().useEmbedder(embedder);
    this.#isNamed = true;
    for (;;) {
      const chunks = await this.store().withoutVector(embeddedAtOnce);
      if (chunks.length === 0) return;
      const vectors = await embedAll(
        embed,
        chunks.map(({ title, text }) => `${title}\n${text}`.trim()),
      );
      const isWritten = await this.store().setVectors(
        embedder,
        chunks.map(({ id }, index) => ({ id, vector: vectors[index] ?? new Float32Array() })),
      );
      if (!isWritten)
        throw new Error(
          `Another worker has indexed the memory with another embedder than ${embedder}: give all of them the same one.`,
        );
    }
  }
}

/** Reading a pipe would never end. */
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
