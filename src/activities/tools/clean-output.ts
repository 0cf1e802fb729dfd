// Makes the output of a tool or hook fit to leave the process: valid text, plain JSON, no secrets, bounded, and cut for the
// model. A body may be anybody's code, so its types are not believed. Runs in Node.
import { z } from 'zod';
import type { Json } from '../../core/base/json.ts';
import { utf8Bytes } from '../../core/base/sizes.ts';
import type { ImagePart } from '../../core/model/messages.ts';
import type { Redactor } from '../redaction/redaction.ts';
import { cutText, endOfText } from '../../core/base/cut-text.ts';
import { sanitiseText } from '../redaction/sanitise.ts';
import { isTooDeep, maxJsonDepth } from '../../core/base/json.ts';

/** More of one output is not held as one text; the stored one has it in pieces. In UTF-16 units. */
export const maxKeptCharacters = 8 * 1024 * 1024;
const maxDetailsBytes = 8 * 1024;
const maxImages = 20;
const maxReasonCharacters = 4_000;

/** Valid, redacted text, of a longer one the beginning and the end. Anything but a string is said to be a mistake of the tool. */
export function cleanText(value: unknown, redactor: Redactor): string {
  if (typeof value !== 'string') {
    return `[The tool returned ${value === null ? 'null' : `a ${typeof value}`} where its text belongs. It ran; its output is lost.]`;
  }
  if (value.length <= maxKeptCharacters) return redactor.text(sanitiseText(value));
  const head = cutText(value, maxKeptCharacters / 2, '');
  // without the word at the cut, which may be half a secret
  const tail = endOfText(value, maxKeptCharacters / 2).replace(/^\S{1,8192}/, '');
  const cut = `[... ${value.length - head.length - tail.length} of ${value.length} characters are left out here ...]`;
  return `${redactor.cutText(sanitiseText(head))}\n${cut}\n${redactor.text(sanitiseText(tail))}`;
}

/** The words of a failure, for history: redacted before they are cut, so that no part of a secret is left. */
export function cleanReason(text: string, redactor: Pick<Redactor, 'text'>): string {
  return cutText(redactor.text(sanitiseText(text)), maxReasonCharacters, '');
}

/** Plain, redacted JSON; undefined for a value that is none, which `notJson` describes. */
export function cleanJson(value: unknown, redactor: Redactor): Json | undefined {
  const plain = toPlainJson(value);
  return plain === undefined || isTooDeep(plain) ? undefined : redactor.json(plain, sanitiseText);
}

export const notJson = `not JSON: a cycle, a BigInt, a toJSON that throws, or more than ${maxJsonDepth} levels`;

/** Details as plain, redacted JSON of at most 8 KiB; what cannot be kept is replaced by the reason. */
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

/** Image references that are whole; the bytes are in the store already. */
export function cleanImages(value: unknown): ImagePart[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((part) => imagePart.safeParse(part).data ?? []).slice(0, maxImages);
}

// JSON drops undefined and functions; the caller names a value that it cannot hold.
function toPlainJson(value: unknown): Json | undefined {
  try {
    return JSON.parse(JSON.stringify(value)) as Json;
  } catch {
    return undefined;
  }
}
