// Lines of a text in one pass over its bytes, whatever its size, and the bytes of an open file. Runs in Node; used by the
// tool read.
import { defined } from '@holdfast/base/defined';
import type { OpenedFile } from './file-access.ts';

/** Files up to this size are read to their end, to count their lines. */
export const countableBytes = 32 * 1024 * 1024;
const maxKeptBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;

/** The next page of a long line begins before the end of this one: what was half a word there is whole here. */
const overlapBytes = 4_096;

/** The rest of a word where a text begins inside a line: it may be the end of a secret. Nothing if it has no end there. */
export function restOfWord(text: string): number {
  const end = text.slice(0, 1_000).search(/[\s"',;{}[\]<>()|]/);
  return Math.max(0, end);
}

/** `offset` counts lines from 1, `byte` those of the first line. */
export type Wanted = { offset: number; limit: number; byte?: number | undefined };
/** The wanted lines, unchanged. `cut`: the byte of the last line that comes next. `total` is known if the pass reached the end. */
export type FoundLines = { bytes: Buffer; count: number; cut?: number; total?: number };

/** Collects the wanted lines, at most 1 MiB of them. Reads on to the end to count the rest if `isCountable`. */
export async function collectLines(
  chunks: AsyncIterable<Buffer>,
  { offset, limit, byte = 1 }: Wanted,
  isCountable: boolean,
): Promise<FoundLines> {
  const kept: Buffer[] = [];
  let room = maxKeptBytes;
  let line = 1;
  let at = 1;
  let count = 0;
  let cut: number | undefined;
  for await (const chunk of chunks) {
    for (const piece of linePieces(chunk)) {
      if (line >= offset && line < offset + limit && cut === undefined) {
        const skipped = line === offset ? toCharacter(piece, byte - at) : 0;
        const shown = piece.subarray(skipped, toCharacter(piece, skipped + room, -1));
        kept.push(shown);
        if (at === 1) count++;
        if (skipped + shown.length < piece.length) cut = at + skipped + shown.length - overlapBytes;
        room -= shown.length;
      }
      at += piece.length;
      if (piece.at(-1) !== newline) continue;
      line++;
      at = 1;
    }
    if (!isCountable && (cut !== undefined || line >= offset + limit))
      return { bytes: Buffer.concat(kept), count, ...defined({ cut }) };
  }
  return { bytes: Buffer.concat(kept), count, ...defined({ cut }), total: at > 1 ? line : line - 1 };
}

/** `at`, or the nearest beginning of a character after it, or before it. */
function toCharacter(piece: Buffer, at: number, step: 1 | -1 = 1): number {
  let found = Math.min(Math.max(at, 0), piece.length);
  while (found > 0 && ((piece[found] ?? 0) & 0xc0) === 0x80) found += step;
  return found;
}

/** The start of the last `lines` lines; looks back at most 64 MiB. */
export async function startOfLastLines(
  file: OpenedFile,
  lines: number,
  signal: AbortSignal,
): Promise<number> {
  let end = file.sizeBytes;
  // the line end of the last line does not begin another one
  let left = lines + 1;
  const furthest = Math.max(0, file.sizeBytes - 64 * 1024 * 1024);
  for (let isLast = true; end > furthest; isLast = false) {
    signal.throwIfAborted();
    const start = Math.max(furthest, end - chunkBytes);
    const chunk = await readAt(file, start, end - start);
    if (isLast && chunk.at(-1) !== newline) left--;
    for (let at = chunk.lastIndexOf(newline); at >= 0; at = chunk.subarray(0, at).lastIndexOf(newline))
      if (--left === 0) return start + at + 1;
    end = start;
  }
  return furthest;
}

const newline = 10;

function* linePieces(chunk: Buffer): Generator<Buffer> {
  for (let from = 0; from < chunk.length;) {
    const found = chunk.indexOf(newline, from);
    const to = found < 0 ? chunk.length : found + 1;
    yield chunk.subarray(from, to);
    from = to;
  }
}

/** The bytes of a file from `fromByte` on, as it was when it was opened. */
export async function* chunksOf(file: OpenedFile, signal: AbortSignal, fromByte = 0): AsyncGenerator<Buffer> {
  // the size at the start is the end: a log that grows faster than it is read must not hold the call. Files of the kernel
  // (/proc) have no size; they end where nothing more comes
  const end = file.sizeBytes === 0 ? countableBytes : file.sizeBytes;
  for (let position = fromByte; position < end;) {
    signal.throwIfAborted();
    const chunk = await readAt(file, position, Math.min(chunkBytes, end - position));
    if (chunk.length === 0) return;
    position += chunk.length;
    yield chunk;
  }
}

/** Reads up to `length` bytes from `position` on. */
export async function readAt(file: OpenedFile, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
