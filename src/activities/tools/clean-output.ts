// Makes what a handler returned fit to leave the process: valid text, plain JSON, no secrets, bounded. A
// handler may be anybody's code, so nothing of its types is believed. Runs in Node.
import type { Json } from '../../core/base/json.ts';
import type { ImagePart } from '../../core/model/messages.ts';
import { utf8Bytes } from '../../core/base/sizes.ts';
import { isTooDeep, maxJsonDepth } from '../../core/base/json-depth.ts';
import type { Redactor } from '../redaction/redaction.ts';
import { cutBetweenCharacters, sanitiseText } from '../redaction/sanitise.ts';

/** More of one output is not kept: a tool that makes it should write a file. In UTF-16 units. */
const maxKeptCharacters = 8 * 1024 * 1024;
const maxDetailsBytes = 8 * 1024;
const maxImages = 20;
const maxReasonCharacters = 4_000;

/** Valid, redacted text. Anything but a string is said to be a mistake of the tool. */
export function cleanText(value: unknown, redactor: Redactor): string {
  if (typeof value !== 'string') {
    return `[The tool returned ${value === null ? 'null' : `a ${typeof value}`} where its text belongs. It ran; its output is lost.]`;
  }
  if (value.length <= maxKeptCharacters) return redactor.text(sanitiseText(value));
  const kept = redactor.cutText(sanitiseText(cutBetweenCharacters(value, maxKeptCharacters)));
  return `${kept}\n[The output had ${value.length} characters; what follows the first ${maxKeptCharacters} was not kept.]`;
}

/** A failure's words, which stand in history too: redacted before they are cut, so that no part of a secret is left. */
export function cleanReason(text: string, redactor: Pick<Redactor, 'text'>): string {
  return cutBetweenCharacters(redactor.text(sanitiseText(text)), maxReasonCharacters);
}

/** Plain, redacted JSON; undefined for what is none, `notJson` says it in words. */
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

/** Image references that are whole; the bytes are in the store already. */
export function cleanImages(value: unknown): ImagePart[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap(toImagePart).slice(0, maxImages);
}

function toImagePart(value: unknown): ImagePart[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!('artifactId' in value && 'mediaType' in value && 'sha256' in value)) return [];
  const { artifactId, mediaType, sha256 } = value;
  if (typeof artifactId !== 'string' || typeof mediaType !== 'string' || typeof sha256 !== 'string')
    return [];
  return [{ type: 'image', artifactId, mediaType, sha256 }];
}

// Wire data leaves here: what JSON cannot say is dropped (undefined, functions) or named by the caller.
function toPlainJson(value: unknown): Json | undefined {
  try {
    return JSON.parse(JSON.stringify(value)) as Json;
  } catch {
    return undefined;
  }
}
