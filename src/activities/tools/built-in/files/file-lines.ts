// Lines of an open file, in one pass over its bytes, whatever its size. Runs in Node; used by the tool read.
import type { OpenedFile } from './file-access.ts';

/** Files up to this size are read to their end, to count their lines. */
export const countableBytes = 32 * 1024 * 1024;
const maxKeptBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;

/** `offset` counts lines from 1, starting at the byte `fromByte`. */
export type Wanted = { offset: number; limit: number; fromByte?: number };
/** The wanted lines, unchanged. `total` is known if the pass reached the end. */
export type FoundLines = { bytes: Buffer; count: number; cut: boolean; total?: number };

/** Collects the wanted lines, at most 1 MiB of them. Reads on to the end of files up to 32 MiB to count the rest. */
export async function collectLines(
  file: OpenedFile,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<FoundLines> {
  const { offset, limit, fromByte = 0 } = wanted;
  const isCountable = file.sizeBytes - fromByte <= countableBytes;
  const kept: Buffer[] = [];
  let room = maxKeptBytes;
  let line = 1;
  let count = 0;
  let cut = false;
  let lineIsOpen = false;
  for await (const chunk of chunksOf(file, fromByte, signal)) {
    for (const piece of linePieces(chunk)) {
      if (line >= offset && line < offset + limit && !cut) {
        kept.push(piece.subarray(0, room));
        if (!lineIsOpen && room > 0) count++;
        cut = piece.length > room;
        room = Math.max(0, room - piece.length);
      }
      lineIsOpen = piece.at(-1) !== newline;
      if (!lineIsOpen) line++;
    }
    if (!isCountable && (cut || line >= offset + limit)) return { bytes: Buffer.concat(kept), count, cut };
  }
  return { bytes: Buffer.concat(kept), count, cut, total: lineIsOpen ? line : line - 1 };
}

/** The number of lines of a file, including a last one without a line end. */
export async function countLines(file: OpenedFile, signal: AbortSignal): Promise<number> {
  const { total = 0 } = await collectLines(file, { offset: 1, limit: 0 }, signal);
  return total;
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
    for (
      let at = chunk.lastIndexOf(newline);
      at >= 0;
      at = at === 0 ? -1 : chunk.lastIndexOf(newline, at - 1)
    ) {
      left--;
      if (left === 0) return start + at + 1;
    }
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

async function* chunksOf(file: OpenedFile, fromByte: number, signal: AbortSignal): AsyncGenerator<Buffer> {
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
