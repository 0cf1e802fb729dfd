// Texts and times of a payload as an alert keeps them: clean, of a bounded size, and nothing that JavaScript could take
// for something else. Pure.
import { cutToBytes } from '@holdfast/base/cut-text';
import type { JsonRecord } from '@holdfast/base/json';
import { readTime } from '@holdfast/base/time-text';
import { toReadable } from '@holdfast/base/visible';

/**
 * The text of a value, at most `limit` bytes of UTF-8; a cut ends with `…`. Characters that steer a terminal or hide
 * text are escaped; a list or an object is JSON. Undefined for nothing, null and ''.
 */
export function toCappedText(value: unknown, limit: number): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // the rest of a longer one is cut anyway, and cleaning it takes time
  return cutToBytes(toReadable(text.slice(0, limit + 1)), limit);
}

/** The texts of a list in one, with commas; that of anything else. */
export function toJoined(values: unknown, limit: number): string | undefined {
  const texts = [values].flat().flatMap((value) => toCappedText(value, limit) ?? []);
  return texts.join(', ');
}

/** The texts of a record by name, without the empty ones. Every name is a property of its own, `__proto__` too. */
export function toTexts(record: JsonRecord, limit: number): Record<string, string> {
  const entries = Object.entries(record).flatMap(([name, value]): [string, string][] => {
    const text = toCappedText(value, limit);
    return text === undefined ? [] : [[toCappedText(name, 1_024) ?? '', text]];
  });
  return Object.fromEntries(entries);
}

/**
 * Milliseconds since the epoch, from ISO 8601 with a zone, or from seconds or milliseconds since the epoch. Undefined
 * for anything else, also for a time without a zone, and for the year 1, with which Go says that there is none.
 */
export function parseTime(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d/.test(text)) return undefined;
  const at = /^\d{12,14}$/.test(text) ? Number(text) : readTime(text, Number.NaN);
  return at !== undefined && at > 0 ? at : undefined;
}

/** True where the sender gives no time, in any of the ways in which senders say so. */
export function isNoTime(value: unknown): boolean {
  if (typeof value === 'string') return value === '' || value.startsWith('0001-');
  return value === undefined || value === null || value === 0;
}
