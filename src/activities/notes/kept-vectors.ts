// The vectors of an index, each read from the database once: reading them takes most of a search. The id of a chunk is a
// digest of its text, so that its vector changes only with the embedder, of which a process has one. Runs in Node.
import type { ChunkVector } from './memory-store.ts';

/** About 40,000 chunks of 1,536 numbers; vectors beyond are read again for each search. */
export const maxNumbers = 64 * 1024 * 1024;

export class KeptVectors {
  #kept = new Map<string, ChunkVector>();

  clear(): void {
    this.#kept.clear();
  }

  /** The vectors of `ids`. `read` loads those that are not kept; vectors of other ids are dropped. */
  async of(ids: readonly string[], read: (ids: string[]) => Promise<ChunkVector[]>): Promise<ChunkVector[]> {
    const former = this.#kept;
    const missing = ids.filter((id) => !former.has(id));
    const added = missing.length === 0 ? [] : await read(missing);
    const all = [...ids.flatMap((id) => former.get(id) ?? []), ...added];
    let left = maxNumbers;
    this.#kept = new Map();
    for (const one of all) {
      left -= one.vector.length;
      if (left >= 0) this.#kept.set(one.id, one);
    }
    return all;
  }
}
