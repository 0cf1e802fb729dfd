// The output of a process in bounded memory: its beginning, its end, and the number of bytes between them. Runs in Node.
import { sanitiseText } from '@holdfast/redaction/sanitise';

export type OutputBuffer = ReturnType<typeof createOutputBuffer>;

/** Memory grows with the output up to `keepBytes`, whatever the size and number of chunks. */
export function createOutputBuffer(keepBytes: number) {
  const headRoom = Math.ceil(keepBytes / 2);
  const tail = createRing(keepBytes - headRoom);
  let head = Buffer.alloc(0);
  let headSize = 0;
  let totalBytes = 0;
  const growTo = (size: number): void => {
    if (size <= head.length) return;
    const larger = Buffer.allocUnsafe(Math.min(headRoom, Math.max(size, 2 * head.length, 4_096)));
    head.copy(larger, 0, 0, headSize);
    head = larger;
  };
  const headBytes = () => head.subarray(0, headSize);
  return {
    // copied: references to chunks of a few bytes would cost far more than their bytes
    add(chunk: Uint8Array): void {
      totalBytes += chunk.length;
      const taken = Math.min(headRoom - headSize, chunk.length);
      growTo(headSize + taken);
      head.set(chunk.subarray(0, taken), headSize);
      headSize += taken;
      tail.add(chunk.subarray(taken));
    },
    totalBytes: () => totalBytes,
    /** All bytes; valid only while none are cut. */
    bytes: () => Buffer.concat([headBytes(), tail.bytes()]),
    /** Valid, harmless text. A line tells how many bytes are missing. Not redacted. */
    read(): { text: string; cutBytes: number } {
      const end = tail.bytes();
      if (headSize + end.length === totalBytes) {
        return { text: decodeOutput(this.bytes()), cutBytes: 0 };
      }
      const first = wholeLinesAtEnd(headBytes());
      const last = wholeLinesAtStart(end);
      const cutBytes = totalBytes - first.length - last.length;
      return { text: decodeOutput(first) + cutNotice(cutBytes, totalBytes) + decodeOutput(last), cutBytes };
    },
    /** The newest bytes as text, for watchers. Not sanitised, not redacted. */
    newest(bytes: number): string {
      const end = tail.bytes();
      const all = end.length >= bytes ? end : Buffer.concat([headBytes(), end]);
      return new TextDecoder().decode(all.subarray(-bytes));
    },
  };
}

/** Keeps the newest bytes, at most `room`. */
export function createRing(room: number) {
  let ring = Buffer.alloc(0); // most outputs need none
  let at = 0;
  let full = false;
  return {
    add(chunk: Uint8Array): void {
      if (chunk.length === 0 || room === 0) return;
      if (ring.length === 0) ring = Buffer.allocUnsafe(room);
      const newest = chunk.subarray(Math.max(0, chunk.length - room));
      const upToEnd = newest.subarray(0, room - at);
      ring.set(upToEnd, at);
      ring.set(newest.subarray(upToEnd.length), 0);
      full ||= at + newest.length >= room;
      at = (at + newest.length) % room;
    },
    bytes: (): Buffer =>
      full ? Buffer.concat([ring.subarray(at), ring.subarray(0, at)]) : ring.subarray(0, at),
  };
}

/** A separate line between the beginning and the end. */
export function cutNotice(cutBytes: number, totalBytes: number): string {
  return `\n[... ${cutBytes} of ${totalBytes} bytes are left out here ...]\n`;
}

/** True for the line of the notice, in the output of a process. */
export function isCutNotice(line: string): boolean {
  return line.startsWith('[... ') && /^\[\.\.\. \d+ of \d+ bytes are left out here \.\.\.\]$/.test(line);
}

function decodeOutput(bytes: Uint8Array): string {
  return sanitiseText(new TextDecoder().decode(bytes));
}

const lineFeed = 0x0a;
/** Bytes from the cut in which the end of a line is searched. */
const searchedBytes = 65_536;
/** Longest word that is dropped at a cut: half a secret matches no pattern. */
const wordBytes = 8_192;

/** Drops the line, or the word, that a cut after it may have halved. */
export function wholeLinesAtEnd(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(lineFeed);
  if (end >= bytes.length - searchedBytes && end >= 0) return bytes.subarray(0, end);
  let word = bytes.length;
  while (word > bytes.length - wordBytes && !isBlank(bytes[word - 1])) word--;
  return bytes.subarray(0, Math.max(0, word));
}

/** Drops the line, or the word, that a cut before it may have halved. */
export function wholeLinesAtStart(bytes: Buffer): Buffer {
  const start = bytes.indexOf(lineFeed);
  if (start >= 0 && start < searchedBytes) return bytes.subarray(start + 1);
  let word = 0;
  while (word < wordBytes && word < bytes.length && !isBlank(bytes[word])) word++;
  // a character of several bytes may begin before the cut
  while (word < bytes.length && ((bytes[word] ?? 0) & 0xc0) === 0x80) word++;
  return bytes.subarray(word);
}

function isBlank(byte: number | undefined): boolean {
  return byte === undefined || byte === 0x20 || byte === 0x09 || byte === lineFeed;
}
