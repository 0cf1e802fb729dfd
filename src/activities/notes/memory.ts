// The memory of a worker: its files and past incidents, indexed in a store. Serves activities, tools and the command
// line. Runs in Node.
import { hasCode } from '@holdfast/base/has-code';
import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { filesOf, isMeant, isPattern } from './note-files.ts';
import { InOrder } from '@holdfast/base/in-order';
import { messageOf } from '@holdfast/base/message-of';
import type { MemoryRanking } from '@holdfast/vocabulary/agent-spec';
import { sha256Hex } from '@holdfast/stored/sha256';
import { chunkText } from './chunk-text.ts';
import { maxNumbers } from './vectors.ts';
import type { CapturedBlock, MemoryChunk, MemoryStore } from './memory-store.ts';
import { type Embed, embedAll, recall, search, type Source } from './ranking.ts';
import { toMarkdown } from './to-markdown.ts';

export type MemorySettings = {
  /** Opened at its first use. */
  store: () => MemoryStore;
  /** Folder of the files; absolute. */
  dir: string;
  /** Its name in the index, which other folders may share. Default: `dir`. */
  folder?: string;
  /** The indexed files in it, by name or pattern; a missing one is ignored. */
  files: readonly string[];
  /** Other hosts index into the store, too, and may have files that are not here yet. Default false. */
  isShared?: boolean;
  embed?: Embed | undefined;
  /** Name of the embedder: vectors by another one are made anew. Default: that of a function of the config. */
  embedder?: string;
};

export type Memory = ReturnType<typeof createMemory>;

/** Far more than anybody's notes: a larger file was named by mistake, or holds something else. */
const maxFileBytes = 16 * 1024 * 1024;
/** Texts of one request to the embedder. */
const embeddedAtOnce = 100;

/** Every search first updates the index from the files; the embedder is called only if vectors are compared. */
export function createMemory(settings: MemorySettings) {
  const index = new MemoryIndex(settings);
  const { outer } = index;
  return {
    /** For the start of a run: at most `limit` chunks. */
    recall: async (text: string, limit: number, ranking?: MemoryRanking) =>
      (await recall(await index.current(ranking), text, limit, ranking)).map(outer),
    search: async (query: string, limit: number) =>
      (await search(await index.current(), query, limit)).map(outer),
    show: async (id: string) => (await (await index.current('keyword')).store.get([id])).map(outer)[0],
    forget: async (id: string) => (await index.current('keyword')).store.forget(id),
    /** The number of facts that were new, and are written. */
    append: (block: CapturedBlock) => index.store().appendOnce(block),
    /** Stores a text under its source, replacing an earlier one. */
    keep: (source: string, markdown: string, at: number) => index.put(source, markdown, at),
    /** Updates the index, with the vectors of new chunks, and reads them. Resolves to a warning where they are too many. */
    refresh: () => index.refresh(),
    close: () => index.close(),
  };
}

/** The store, kept up to date with the files. */
class MemoryIndex {
  readonly #settings: MemorySettings;
  /** Begins the sources of its files. */
  readonly #prefix: string;
  #opened: MemoryStore | undefined;
  /** The state of each file when it was last indexed. */
  readonly #seen = new Map<string, string>();
  readonly #refreshing = new InOrder();
  /** The store knows the embedder of this process. */
  #isNamed = false;

  constructor(settings: MemorySettings) {
    this.#settings = settings;
    this.#prefix = `file:${settings.folder ?? settings.dir}/`;
  }

  store(): MemoryStore {
    return (this.#opened ??= this.#settings.store());
  }

  /** A chunk as others see it: its source is the name of the file. */
  outer = <Chunk extends MemoryChunk>(chunk: Chunk): Chunk => ({
    ...chunk,
    source: chunk.source.replace(this.#prefix, ''),
  });

  async close(): Promise<void> {
    await this.#opened?.close();
  }

  /** An embedder that is down must not prevent a search by words, or forgetting. */
  async current(ranking: MemoryRanking = 'hybrid'): Promise<Source> {
    await this.update(ranking !== 'keyword');
    const { embed, embedder = 'memory.embed' } = this.#settings;
    return { store: this.store(), embed, embedder };
  }

  async refresh(): Promise<string | undefined> {
    await this.update(true);
    if (!this.#settings.embed) return undefined;
    const numbers = (await this.store().vectors()).reduce((sum, { vector }) => sum + vector.length, 0);
    const problem = `The memory has ${numbers} numbers in its vectors, and a process keeps ${maxNumbers}`;
    const remedy = 'Narrow memory.files, or take an embedder with shorter vectors (docs/memory.md).';
    if (numbers > maxNumbers) return `${problem}: each search by meaning takes seconds. ${remedy}`;
    return undefined;
  }

  /** Serialised: two concurrent searches index a file once. */
  update(withVectors: boolean): Promise<void> {
    return this.#refreshing.run('', async () => {
      const names = [...(await this.#fileNames())];
      this.store().files = names.map((name) => `${this.#prefix}${name}`);
      for (const name of names) await this.#indexFile(name);
      if (withVectors) await this.#embedNew();
    });
  }

  async put(source: string, text: string, at: number): Promise<void> {
    const digest = sha256Hex(text);
    const known = await this.store().digestOf(source);
    if (known === digest || (known === undefined && text === '')) return;
    await this.store().index(source, digest, chunkText(source, text, Math.round(at)));
  }

  /** The files that are there, and those of the index that went away or that other hosts have. */
  async #fileNames(): Promise<Set<string>> {
    const { dir, files } = this.#settings;
    const patterns = files.filter(isPattern);
    const known = patterns.length === 0 ? [] : await this.store().sources();
    const here = known.filter((source) => source.startsWith(this.#prefix));
    const before = here.map((source) => source.replace(this.#prefix, ''));
    return new Set([...(await filesOf(dir, files)), ...before.filter((name) => isMeant(patterns, name))]);
  }

  async #indexFile(name: string): Promise<void> {
    const path = join(this.#settings.dir, name);
    const state = await stat(path).catch(ifMissing(undefined));
    const mark = state ? `${state.mtimeMs} ${state.size} ${state.ino}` : '';
    if (this.#seen.get(name) === mark) return;
    // another host has it, or had it
    if (!state && this.#settings.isShared && !this.#seen.has(name)) return;
    if (state) assertNotes(path, state);
    const text = state ? await readFile(path, 'utf8').catch(ifMissing('')) : '';
    if (text.includes('\0')) throw unreadable(`${path} is no text in UTF-8.`);
    await this.put(`${this.#prefix}${name}`, toMarkdown(name, text), state?.mtimeMs ?? 0);
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
        embedder,
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
