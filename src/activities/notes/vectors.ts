// Vectors of chunks: as bytes in a store, and the nearness of two. Pure.
import type { ChunkVector } from './memory-store.ts';

export function toBytes(vector: Float32Array): Uint8Array {
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
