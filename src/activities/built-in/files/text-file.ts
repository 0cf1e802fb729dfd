// The current content of a file before its change: whole, as text, with the hash that identifies it. Runs in Node.
import { sha256Hex } from '@holdfast/stored/sha256';
import { hasCode } from '@holdfast/base/has-code';
import { isUtf8 } from 'node:buffer';
import { access, constants, lstat, open } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { FileRefusal, openFlags, throwRefusal } from './file-access.ts';
import type { FileTarget } from './file-roots.ts';

/** Larger files are too long for a model to rewrite, and for a person to review. */
export const maxTextBytes = 1024 * 1024;

/** `id` identifies the content; `absent` if the file does not exist. */
export type TextFile = { id: string; text: string; stats: Stats } | { id: 'absent'; text?: undefined };

/** Throws a FileRefusal for anything but an ordinary text file. */
export async function readTextFile({ at }: Pick<FileTarget, 'at'>): Promise<TextFile> {
  const found = await lstat(at).catch((error: unknown) => {
    return hasCode(error, 'ENOENT') ? undefined : throwRefusal(error);
  });
  if (found === undefined) return { id: 'absent' };
  if (found.isSymbolicLink())
    throw new FileRefusal('Refused: that is a link. Name the file that it leads to.');
  if (found.isDirectory()) throw new FileRefusal('Refused: that is a folder.');
  if (!found.isFile()) throw new FileRefusal('Refused: that is not a regular file.');
  if (found.nlink > 1) {
    const names = `Refused: the file has ${found.nlink} names (hard links)`;
    throw new FileRefusal(`${names}, and a change would leave the others with the old text.`);
  }
  const bytes = await readWhole(at);
  // root may write anything; for others a new file in its place would get around the file's own rights
  await access(at, constants.W_OK).catch(() => {
    throw new FileRefusal("Refused: the worker's user may not write that file.");
  });
  return { id: sha256Hex(bytes), text: decodeFileText(bytes), stats: found };
}

async function readWhole(at: string): Promise<Buffer> {
  const handle = await open(at, openFlags).catch(throwRefusal);
  try {
    const { size } = await handle.stat();
    if (size > maxTextBytes) throw tooLarge('The file', size);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function decodeFileText(bytes: Buffer): string {
  if (bytes.includes(0)) throw new FileRefusal('Refused: that is a binary file.');
  if (!isUtf8(bytes)) throw new FileRefusal('Refused: the file is not UTF-8 text.');
  // the byte order mark stays in the text, and so in the file
  return bytes.toString();
}

/** The bytes to write. Throws a FileRefusal if the text cannot be written unchanged. */
export function encodeFileText(text: string): Buffer {
  if (!text.isWellFormed())
    throw new FileRefusal('Refused: the text has half a character (a lone surrogate).');
  if (text.includes('\0')) throw new FileRefusal('Refused: the text has a NUL character.');
  const bytes = Buffer.from(text);
  if (bytes.length > maxTextBytes) throw tooLarge('The new text', bytes.length);
  return bytes;
}

function tooLarge(what: string, sizeBytes: number): FileRefusal {
  return new FileRefusal(`Refused: ${what} has ${sizeBytes} bytes; the limit is ${maxTextBytes}.`);
}

/** The mark by which the model names a content that it has read. */
export function versionOf(id: string): string {
  return id.slice(0, 12);
}
