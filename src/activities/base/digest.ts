// SHA-256 over canonical JSON: names messages and frozen contexts, compares results and settings, and binds an approval
// to its call. Runs in Node; the workflow only carries digests.
import { isRecord } from '@holdfast/base/json';
import { sha256Hex } from '@holdfast/stored/sha256';

/** Hex digits, 128 bits: every turn's history holds seven digests. */
const digestLength = 32;

/**
 * The first 32 hex digits of the SHA-256 of a value's canonical JSON. Equal values give equal digests on every worker,
 * whatever the order of their keys; an undefined field counts as absent.
 */
export function digestOf(value: unknown): string {
  return sha256Hex(canonicalJson(value)).slice(0, digestLength);
}

/** JSON with sorted keys and no blanks. Values that JSON drops are dropped; undefined alone is `null`. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? 'null';
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  // by code unit: the order must not depend on the machine's language
  const sorted = Object.keys(value).sort();
  return Object.fromEntries(sorted.map((key) => [key, value[key]]));
}
