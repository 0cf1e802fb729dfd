// The store of memory: chunks of text by source, found by words or by vectors. One interface for one host (SQLite) and
// for many (PostgreSQL). Runs in Node.

/** A piece of a source, in the words that are shown. */
export type MemoryChunk = {
  /** A digest of source, title and text: a changed text is another chunk. */
  id: string;
  /** Name of a file, `MEMORY.md#<key>` of facts in a database, or `incident:<session>/<run>`. */
  source: string;
  /** The heading above it; may be empty. */
  title: string;
  text: string;
  /** The number of its `## ` section in the source, from 1; 0 for the text before the first. */
  section: number;
  /** The position in its section, from 0. */
  position: number;
  /** Time at which the source was written, in ms since 1970. */
  at: number;
};

/** A higher score is better. */
export type FoundChunk = MemoryChunk & { score: number };

/** Facts captured before a condense. `key` names the condense. */
export type CapturedBlock = { key: string; date: string; facts: readonly string[]; at: number };

export type ChunkVector = { id: string; vector: Float32Array };

/** Every method rejects if the store cannot be reached. */
export type MemoryStore = {
  /** The sources that are found of those of files, `file:<folder>/<name>`; the others are of other configurations. */
  files: readonly string[];
  /** Digest of the text from which a source was indexed. */
  digestOf(source: string): Promise<string | undefined>;
  /** Names of all sources that were ever indexed. */
  sources(): Promise<string[]>;
  /** Replaces the chunks of a source. An unchanged chunk keeps its vector, and a forgotten one stays forgotten. */
  index(source: string, digest: string, chunks: readonly MemoryChunk[]): Promise<void>;
  /** Chunks with any of the words, best first. */
  find(words: readonly string[], limit: number): Promise<FoundChunk[]>;
  /** The last chunk of each of the newest `## ` sections of the notes, newest first. */
  latest(limit: number): Promise<MemoryChunk[]>;
  get(ids: readonly string[]): Promise<MemoryChunk[]>;
  vectors(): Promise<ChunkVector[]>;
  /** Drops all vectors if another embedder has made them. */
  useEmbedder(name: string): Promise<void>;
  withoutVector(limit: number): Promise<MemoryChunk[]>;
  /** False if another embedder is in use by now; nothing is written then. */
  setVectors(embedder: string, vectors: readonly ChunkVector[]): Promise<boolean>;
  /** False if there is no such chunk. */
  forget(id: string): Promise<boolean>;
  /** Adds to the notes the facts that they do not have, none if they have the block of this key. Resolves to their number. */
  appendOnce(block: CapturedBlock): Promise<number>;
  close(): Promise<void>;
};

/** A chunk from a row of a database. */
export function toChunk(row: Record<string, unknown>): MemoryChunk {
  const text = (name: string): string => String(row[name]);
  const [section, position, at] = [Number(row['section']), Number(row['position']), Number(row['at'])];
  const words = { source: text('source'), title: text('title'), text: text('text') };
  return { id: text('id'), ...words, section, position, at };
}

/** The file that people and the agent write. */
export const notesFile = 'MEMORY.md';

/** The first chunk of each section; `chunks` are sorted, newest first. */
export function newestOfSections(chunks: readonly MemoryChunk[], limit: number): MemoryChunk[] {
  const sections = Map.groupBy(chunks, ({ section, source }) => `${section} ${source}`);
  return [...sections.values()].flatMap(([newest]) => newest ?? []).slice(0, limit);
}
