// The stored output of a tool call, for reading: one artifact, or, for a long output, pieces named by an index, so that
// no reader holds it whole and every store can keep it. Runs in Node.
import { parseJson } from '@holdfast/base/json';
import { z } from 'zod';
import { type ArtifactReader, isArtifactName, toolOutputPrefix } from './artifact-names.ts';

/** Positions of texts are in UTF-16 units and from 0, those of lines from 1. */
export type StoredOutput = { characters: number; lines: number; pieces: readonly StoredPiece[] };

export type StoredPiece = {
  from: number;
  characters: number;
  /** The line of its first character, which may have begun in an earlier piece. */
  fromLine: number;
  load(): Promise<string>;
};

const indexSchema = z.object({
  version: z.literal(1),
  lines: z.int().min(1),
  pieces: z.array(z.object({ name: z.string(), characters: z.int().min(0), lineFeeds: z.int().min(0) })),
});

export type OutputIndex = z.output<typeof indexSchema>;

const indexSuffix = '.pieces';

/** The artifact that names the pieces of a long output. No call id gives such a name. */
export function outputIndexName(outputId: string): string {
  return `${outputId}${indexSuffix}`;
}

export function isIndexName(artifactId: string): boolean {
  return artifactId.endsWith(indexSuffix);
}

/** The names of the pieces if the artifact is an index; else none. */
export function piecesNamedBy(artifactId: string, bytes: Uint8Array): string[] {
  const index = isIndexName(artifactId) ? readIndex(bytes) : undefined;
  return index?.pieces.map(({ name }) => name) ?? [];
}

/** Undefined unless `artifactId` is a stored tool output. */
export async function openOutput(
  store: ArtifactReader,
  sessionId: string,
  artifactId: string,
): Promise<StoredOutput | undefined> {
  if (!isArtifactName(artifactId) || !artifactId.startsWith(toolOutputPrefix)) return undefined;
  const bytes = await store.get(sessionId, artifactId);
  if (bytes === undefined) return undefined;
  if (!isIndexName(artifactId)) return onePiece(new TextDecoder().decode(bytes));
  const index = readIndex(bytes);
  if (index === undefined)
    throw new Error(`${artifactId} cannot be read: expected the index of a long output, of version 1.`);
  const { lines, pieces } = index;
  let [from, fromLine] = [0, 1];
  const placed = pieces.map(({ name, characters, lineFeeds }) => {
    const piece = { from, fromLine, characters, load: () => loadPiece(store, sessionId, name) };
    from += characters;
    fromLine += lineFeeds;
    return piece;
  });
  return { characters: from, lines, pieces: placed };
}

export function onePiece(text: string): StoredOutput {
  const characters = text.length;
  const piece = { from: 0, characters, fromLine: 1, load: () => Promise.resolve(text) };
  return { characters, lines: countLines(text), pieces: [piece] };
}

async function loadPiece(store: ArtifactReader, sessionId: string, name: string): Promise<string> {
  const bytes = await store.get(sessionId, name);
  if (bytes !== undefined) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  throw new Error(`The piece ${name} of this output is not in the store any more: run the command again.`);
}

function readIndex(bytes: Uint8Array): OutputIndex | undefined {
  return indexSchema.safeParse(parseJson(new TextDecoder().decode(bytes))).data;
}

export function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** A line feed at the end begins no further line. */
function countLines(text: string): number {
  return Math.max(1, countLineFeeds(text) + (text.endsWith('\n') ? 0 : 1));
}

export type Line = {
  number: number;
  /** Position of its first character in the whole output. */
  from: number;
  text: string;
  /** False if the line continues in the next piece, or the output ends without a line feed. */
  ended: boolean;
};

/**
 * The lines of one piece, one by one: an array of millions of short lines takes many times the memory of their text.
 */
export function* linesOf(
  text: string,
  { from, fromLine }: Pick<StoredPiece, 'from' | 'fromLine'>,
): Generator<Line> {
  let number = fromLine;
  for (let start = 0; start < text.length || start === 0; number += 1) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    yield { number, from: from + start, text: text.slice(start, end), ended: next >= 0 };
    start = end + 1;
  }
}

/** The pieces with the line and the lines after it. The line may begin in the piece before the one that is known to hold it. */
export function piecesFrom({ pieces }: StoredOutput, first: number): readonly StoredPiece[] {
  const at = pieces.findLastIndex(({ fromLine }) => fromLine < first);
  return pieces.slice(Math.max(0, at));
}

/**
 * The lines from `first` on, joined where pieces share one. A longer line than `longest` ends early, and its rest follows
 * under the same number.
 */
export async function* linesFrom(
  output: StoredOutput,
  first: number,
  longest = Infinity,
): AsyncGenerator<Line> {
  const pieces = piecesFrom(output, first);
  let open: Line | undefined;
  for (const piece of pieces) {
    for (const part of linesOf(await piece.load(), piece)) {
      if (part.number < first) continue;
      const line: Line = open ? { ...part, from: open.from, text: open.text + part.text } : part;
      const isWhole = line.ended || piece === pieces.at(-1) || line.text.length > longest;
      open = isWhole ? undefined : line;
      if (isWhole) yield line;
    }
  }
}
