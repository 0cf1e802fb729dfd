// Makes the output of a tool or hook fit to leave the process: valid text, plain JSON, no secrets, bounded, and cut for
// the model. A body may be foreign code, so its types are not trusted. Runs in Node.
import { z } from 'zod';
import { utf8Bytes } from '@holdfast/base/sizes';
import type { ImagePart } from '@holdfast/vocabulary/messages';
import type { Redactor } from './redaction.ts';
import { cutText, endOfText } from '@holdfast/base/cut-text';
import { sanitiseText } from './sanitise.ts';
import { type Json, isTooDeep, maxJsonDepth, readJsonText } from '@holdfast/base/json';

/** Limit of one output held as one text, in UTF-16 units; the store has a longer one in pieces. */
export const maxKeptCharacters = 8 * 1024 * 1024;
const maxDetailsBytes = 8 * 1024;
const maxImages = 20;
const maxReasonCharacters = 4_000;

/** Valid, redacted text, in the middle cut if too long. Anything but a string becomes a note about the mistake. */
export function cleanText(value: unknown, redactor: Redactor): string {
  if (typeof value !== 'string') {
    return `[The tool returned ${value === null ? 'null' : `a ${typeof value}`} where its text belongs. It ran; its output is lost.]`;
  }
  if (value.length <= maxKeptCharacters) return redactor.text(sanitiseText(value));
  const head = cutText(value, maxKeptCharacters / 2, '');
  // drops the word at the cut, which may be half a secret
  const tail = endOfText(value, maxKeptCharacters / 2).replace(/^\S{1,8192}/, '');
  const cut = `[... ${value.length - head.length - tail.length} of ${value.length} characters are left out here ...]`;
  return `${redactor.cutText(sanitiseText(head))}\n${cut}\n${redactor.text(sanitiseText(tail))}`;
}

/** The reason of a failure, for history. Redacted before it is cut, so that no part of a secret is left. */
export function cleanReason(text: string, redactor: Pick<Redactor, 'text'>): string {
  return cutText(redactor.text(sanitiseText(text)), maxReasonCharacters, '');
}

/** Plain, redacted JSON; undefined if the value is not JSON (see `notJson`). */
export function cleanJson(value: unknown, redactor: Redactor): Json | undefined {
  const plain = toPlainJson(value);
  return plain === undefined || isTooDeep(plain) ? undefined : redactor.json(plain, sanitiseText);
}

export const notJson = `not JSON: a cycle, a BigInt, a toJSON that throws, or more than ${maxJsonDepth} levels`;

/** Details as plain, redacted JSON of at most 8 KiB; a value that cannot be kept is replaced by the reason. */
export function cleanDetails(value: unknown, redactor: Redactor): Json {
  const clean = cleanJson(value, redactor);
  if (clean === undefined) return { omitted: notJson };
  const sizeBytes = utf8Bytes(JSON.stringify(clean));
  return sizeBytes <= maxDetailsBytes
    ? clean
    : { omitted: `${sizeBytes} bytes, the limit is ${maxDetailsBytes}` };
}

const imagePart = z.object({
  type: z.literal('image').default('image'),
  artifactId: z.string(),
  mediaType: z.string(),
  sha256: z.string(),
});

/** Valid image references only; the bytes are in the store already. */
export function cleanImages(value: unknown): ImagePart[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((part) => imagePart.safeParse(part).data ?? []).slice(0, maxImages);
}

// JSON drops undefined and functions; the caller reports a value that it cannot hold
function toPlainJson(value: unknown): Json | undefined {
  try {
    return readJsonText(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
