// The text of a file as UTF-8, whatever its form: UTF-16, compressed, with holes of NUL. Judged by the content, never by
// the name. Runs in Node; used by the tools read and grep.
import { isUtf8 } from 'node:buffer';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** The beginning of a file that its form is judged by. */
export const headBytes = 8_192;

type Bytes = AsyncIterable<Buffer>;
type Unpack = (bytes: Bytes) => Bytes;

export type FileText = {
  head: string;
  /** UTF-8, from the beginning. */
  chunks(): Bytes;
  /** Its places are not those of the bytes in the file. */
  isDecoded: boolean;
  /** That of the file, as in `formOf`. */
  encoding: string;
  /** True once `chunks` has ended before the text did. */
  isDamaged(): boolean;
};
/** The reason why a file has no text here. */
export type NoText = { reason: string };

// who reads what comes out gets the error
const ignore = (): void => undefined;

/** Magic numbers: RFC 1952, RFC 8878, and the file formats of bzip2 and xz. */
const packed = new Map<string, { magic: string; unpack: Unpack | undefined }>([
  ['gzip', { magic: '1f8b08', unpack: (bytes) => pipeline(bytes, createGunzip(), ignore) }],
  ['zstd', { magic: '28b52ffd', unpack: (bytes) => pipeline(bytes, createZstdDecompress(), ignore) }],
  ['bzip2', { magic: '425a68', unpack: program('bzip2') }],
  ['xz', { magic: 'fd377a585a00', unpack: program('xz') }],
]);

/** `open` gives the bytes of the file from their beginning. */
export async function readFileText(open: () => Bytes): Promise<FileText | NoText> {
  const head = await headOf(open());
  const form = formOf(head);
  if (form === 'binary') return { reason: form };
  const packing = packed.get(form);
  if (packing)
    return packing.unpack ? unpacked(packing.unpack, open) : { reason: `${form} is not installed` };
  return {
    head: new TextDecoder(form).decode(head),
    chunks: () => (form === 'utf-8' ? withoutNul(open()) : toUtf8(open(), form)),
    isDecoded: form.startsWith('utf-16'),
    encoding: form,
    isDamaged: () => false,
  };
}

async function headOf(bytes: Bytes): Promise<Buffer> {
  for await (const piece of bytes) return piece.subarray(0, headBytes);
  return Buffer.alloc(0);
}

async function unpacked(unpack: Unpack, open: () => Bytes): Promise<FileText | NoText> {
  let damaged = false;
  async function* untilDamaged(): AsyncGenerator<Buffer> {
    try {
      yield* unpack(open());
    } catch {
      damaged = true;
    }
  }
  const text = await readFileText(untilDamaged);
  return 'reason' in text ? text : { ...text, isDecoded: true, isDamaged: () => damaged };
}

/** Undefined where it is not installed. */
function program(name: string): Unpack | undefined {
  const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin'];
  const path = folders.map((folder) => join(folder, name)).find((each) => existsSync(each));
  if (path === undefined) return undefined;
  return async function* output(bytes): AsyncGenerator<Buffer> {
    const child = spawn(path, ['-dc'], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = once(child, 'close');
    ended.catch(ignore);
    // it may end before it has read everything
    pipeline(bytes, child.stdin, ignore);
    try {
      yield* child.stdout;
      const [code] = await ended;
      if (code !== 0) throw new Error(`${name} ended with ${code}`);
    } finally {
      child.kill('SIGKILL');
    }
  };
}

/**
 * `utf-16le`, `utf-16be`, those of `encodingOf`, `binary`, or the name of a compression. By marks, magic numbers, and
 * characters that no text has; holes of NUL are no sign of binary data.
 */
export function formOf(head: Buffer): string {
  const hex = head.toString('hex', 0, 8);
  for (const [form, { magic }] of packed) if (hex.startsWith(magic)) return form;
  if (hex.startsWith('fffe') && !hex.startsWith('fffe0000')) return 'utf-16le';
  if (hex.startsWith('feff')) return 'utf-16be';
  const encoding = encodingOf(head);
  const isText = encoding === 'utf-8';
  if (isText && !head.includes(0)) return encoding;
  const wide = wideForm(head);
  if (wide !== undefined) return wide;
  const bytes = head.toString('latin1').replaceAll(/\0{16,}/g, '');
  const shown = bytes.replaceAll('\0', '');
  return isOdd(shown) && (!isText || bytes.length > shown.length) ? 'binary' : encoding;
}

/** Without a mark: of characters below U+0100 every second byte is NUL, and of hardly any other. */
function wideForm(head: Buffer): string | undefined {
  const nulsAt = (place: number): number => head.filter((byte, at) => byte === 0 && at % 2 === place).length;
  const [even, odd] = [nulsAt(0), nulsAt(1)];
  if (Math.max(even, odd) * 50 < head.length || Math.min(even, odd) * 20 > Math.max(even, odd))
    return undefined;
  const form = odd > even ? 'utf-16le' : 'utf-16be';
  return isOdd(new TextDecoder(form).decode(head)) ? undefined : form;
}

/** True if more than two in a hundred are characters that no text has; escapes colour a terminal. */
function isOdd(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  const rest = text.replaceAll(/[\u0000-\u0007\u000e-\u001a\u001c-\u001f\u007f\ufffd]/g, '');
  return text.length - rest.length > text.length / 50;
}

/** `utf-8`, also with some broken bytes; or a guess: the usual encodings of two bytes a character, and of one. */
export function encodingOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return 'utf-8';
  // its end may be the first part of a character
  const decode = (encoding: string): string => new TextDecoder(encoding).decode(bytes, { stream: true });
  const others = decode('utf-8').replaceAll(/[\0-\x7f]/g, '');
  if (others.replaceAll('\ufffd', '').length * 2 >= others.length) return 'utf-8';
  const runs = bytes.toString('latin1').match(/[\x80-\xff]+/g) ?? [];
  // letters with accents stand alone
  const isWide = runs.join('').length >= 3 * runs.length && !decode('gb18030').includes('\ufffd');
  return isWide ? 'gb18030' : 'windows-1252';
}

async function* toUtf8(bytes: Bytes, form: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(form);
  for await (const piece of bytes) yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}

const nothing = Buffer.alloc(256 * 1024);

async function* withoutNul(bytes: Bytes): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    // a hole may have gigabytes
    if (piece.length <= nothing.length && piece.equals(nothing.subarray(0, piece.length))) continue;
    yield piece.includes(0) ? Buffer.from(piece.filter((byte) => byte !== 0)) : piece;
  }
}
