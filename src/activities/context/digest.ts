// SHA-256 over canonical JSON: the key of the message cache, the loop guard's result digest and the
// fingerprint that an approval is bound to. Runs in Node; the workflow only carries the results.
import { createHash } from 'node:crypto';

/** Hex digits of a digest: 128 bits, because every turn's history holds seven of them. */
const digestLength = 32;

/**
 * First 128 bits (hex) of SHA-256 of the canonical JSON of a value: object keys sorted, absent and undefined the
 * same. Equal values give equal digests on every worker, whatever the order of their keys.
 */
export function digestOf(value: unknown): string {
  return sha256Hex(canonicalJson(value)).slice(0, digestLength);
}

/** SHA-256 (hex) of bytes or UTF-8 text. */
export function sha256Hex(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** JSON with sorted keys and no blanks. Values that JSON drops are dropped; undefined alone is `null`. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? 'null';
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(byKey));
}

// Not localeCompare: the order must not depend on the machine's language.
function byKey([left]: [string, unknown], [right]: [string, unknown]): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
