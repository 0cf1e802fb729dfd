// Reads the header Retry-After. Pure; the current time is an argument.

/** Milliseconds to wait, from seconds or an HTTP date; undefined for a meaningless one (negative, past, no number). */
export function fromRetryAfter(value: string | null | undefined, now: number): number | undefined {
  if (value === null || value === undefined || value.trim() === '') return undefined;
  const seconds = Number(value);
  // Date.parse would take "-5" for a date
  const wait = Number.isNaN(seconds)
    ? /[a-z]/i.test(value)
      ? Date.parse(value) - now
      : Number.NaN
    : seconds * 1_000;
  return wait > 0 ? wait : undefined;
}
