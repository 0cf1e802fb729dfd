// Reads times as models write them, in the same forms for every tool. Pure; the current time is an argument.

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const duration = /^(?:\d+(?:\.\d+)?\s*(?:s|m|h|d|w|sec|min|second|minute|hour|day|week)s?\s*)+$/;
const part = /(\d+(?:\.\d+)?)\s*([smhdw])/g;
const withZone = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s*(?:z|utc|[+-]\d\d:?\d\d)$/;
const seconds = /^@?(\d{9,11}(?:\.\d+)?)$/;

/** The forms in words, for a description and for a refusal. */
export const timeForms = '-30m, now or RFC 3339';

/**
 * Milliseconds since 1970, from `now`, a time before now (`-30m`, `30m`, `1h30m ago`, `now-2d`), RFC 3339 with its
 * zone, or seconds since 1970. Undefined for anything else, also for a time without a zone, which could only be
 * guessed.
 */
export function readTime(text: string, now: number): number | undefined {
  const plain = text.trim().toLowerCase();
  if (plain === 'now') return now;
  const ago = plain
    .replace(/^now\s*(?=-)/, '')
    .replace(/^-\s*/, '')
    .replace(/\s*ago$/, '');
  if (duration.test(ago)) return now - parseDuration(ago);
  const since1970 = seconds.exec(plain)?.[1];
  if (since1970 !== undefined) return Number(since1970) * 1_000;
  if (!withZone.test(plain)) return undefined;
  const written = plain
    .replace(/^(\S{10})[t ]/, '$1T')
    .replace(',', '.')
    .replace(/\s*(?:z|utc)$/, 'Z');
  const at = Date.parse(written.replace(/\s+/g, '').toUpperCase());
  return Number.isNaN(at) ? undefined : at;
}

/** The fault of a text that is no such time. */
export function timeFault(text: string): string {
  const hasTime = /\d{4}-\d\d-\d\d/.test(text);
  return hasTime
    ? 'is a time without its zone: write it as 2026-01-31T14:00:00Z or +01:00'
    : `is no time that is known here: write ${timeForms}, such as 2026-01-31T14:00:00Z`;
}

/** The milliseconds of a duration: its numbers with their units, added up. */
export function parseDuration(text: string): number {
  return [...text.matchAll(part)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit] ?? Number.NaN),
    0,
  );
}
