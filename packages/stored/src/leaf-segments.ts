// Resolves lists of segments: a session with a long log names its newest stretches and a stored list of the others.
// Pure.
import type { Segment } from '@holdfast/vocabulary/frozen-context';

/**
 * The segments with records, oldest first, from the one with `fromSeq` on. A list that cannot be read is returned as it
 * is.
 */
export async function* leafSegments(
  segments: readonly Segment[],
  fromSeq: number,
  readList: (segment: Segment) => Promise<Segment[] | undefined>,
): AsyncGenerator<Segment> {
  for (const segment of segments) {
    if (segment.toSeq < fromSeq) continue;
    const parts = segment.isList ? await readList(segment) : undefined;
    if (parts) yield* leafSegments(parts, fromSeq, readList);
    else yield segment;
  }
}
