// Vectors of chunks: as bytes in a store, the nearness of two, and those of an index in memory. Pure.
import type { ChunkVector } from './memory-store.ts';

export function toVectorBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** From rows with an id and the bytes of a vector, which are copied: a driver's may begin anywhere in a larger buffer. */
export function toVectors(rows: readonly Record<string, unknown>[]): ChunkVector[] {
  return rows.flatMap(({ id, vector }) =>
    vector instanceof Uint8Array
      ? [{ id: String(id), vector: new Float32Array(new Uint8Array(vector).buffer) }]
      : [],
  );
}

/** Cosine, from -1 to 1, of two of one length. */
export function nearness(left: Float32Array, right: Float32Array): number {
  let product = 0;
  let ofLeft = 0;
  let ofRight = 0;
  for (let index = 0; index < left.length; index++) {
    const a = left[index] ?? 0;
    const b = right[index] ?? 0;
    product += a * b;
    ofLeft += a * a;
    ofRight += b * b;
  }
  const length = Math.sqrt(ofLeft * ofRight);
  return length === 0 ? 0 : product / length;
}

/** About 40,000 chunks of 1,536 numbers; vectors beyond are read again for each search. */
export const maxNumbers = 64 * 1024 * 1024;

/**
 * The vectors of an index, each read from the database once: reading them takes most of a search. The id of a chunk is a
 * digest of its text, so that its vector changes only with the embedder, of which a process has one.
 */
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
