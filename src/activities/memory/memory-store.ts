// Where memory is kept: chunks of text by source, found by words or by vectors. One interface for one host (SQLite) and for
// many (PostgreSQL). Runs in Node.

/** A piece of a source, in the words that are shown. */
export type MemoryChunk = {
  /** Names source, title and text: a text that changes is another chunk. */
  id: string;
  /** Name of a file, or `incident:<session>/<run>`. */
  source: string;
  /** The heading that it is under; may be empty. */
  title: string;
  text: string;
  /** Of its `## ` section in the source, from 1; 0 is what is before the first. */
  section: number;
  /** In its section, from 0. */
  position: number;
  /** When the source was written, in ms since 1970. */
  at: number;
};

/** The higher, the better. */
export type FoundChunk = MemoryChunk & { score: number };

/** Facts that were taken down before a condense. `key` names the condense. */
export type CapturedBlock = { key: string; date: string; facts: readonly string[]; at: number };

export type ChunkVector = { id: string; vector: Float32Array };

/** Every method rejects where the store cannot be reached. */
export type MemoryStore = {
  /** Digest of the text that a source was indexed with. */
  digestOf(source: string): Promise<string | undefined>;
  /** Replaces the chunks of a source; of none of them the vector is lost that stays as it was. What was forgotten stays away. */
  index(source: string, digest: string, chunks: readonly MemoryChunk[]): Promise<void>;
  /** Chunks with any of the words, best first. */
  find(words: readonly string[], limit: number): Promise<FoundChunk[]>;
  /** The newest `## ` sections of the notes, newest first: of each its last chunk. */
  latest(limit: number): Promise<MemoryChunk[]>;
  get(ids: readonly string[]): Promise<MemoryChunk[]>;
  vectors(): Promise<ChunkVector[]>;
  withoutVector(limit: number): Promise<MemoryChunk[]>;
  setVectors(vectors: readonly ChunkVector[]): Promise<void>;
  /** False where there is no such chunk. */
  forget(id: string): Promise<boolean>;
  /** Adds to the notes. False where the block of this key is there. */
  appendOnce(block: CapturedBlock): Promise<boolean>;
  close(): Promise<void>;
};

/** Of the file that people and the agent write. */
export const notesFile = 'MEMORY.md';

/** Of chunks that are sorted, newest first: the first of each section. */
export function newestOfSections(chunks: readonly MemoryChunk[], limit: number): MemoryChunk[] {
  const sections = new Map<string, MemoryChunk>();
  for (const chunk of chunks) {
    const key = `${chunk.section} ${chunk.source}`;
    if (!sections.has(key)) sections.set(key, chunk);
  }
  return [...sections.values()].slice(0, limit);
}
