// Reads the header Retry-After, and the end of a rate limit. Pure; the current time is an argument.

/** A larger number is a time since 1970, in seconds or in milliseconds. */
const longestSeconds = 1e9;

/** Milliseconds to wait, from seconds, an HTTP date or a time since 1970; undefined for a meaningless one (negative, past, no number). */
export function fromRetryAfter(value: string | null | undefined, now: number): number | undefined {
  if (value === null || value === undefined || value.trim() === '') return undefined;
  const seconds = Number(value);
  // Date.parse would take "-5" for a date
  const wait = Number.isNaN(seconds)
    ? /[a-z]/i.test(value)
      ? Date.parse(value) - now
      : Number.NaN
    : seconds < longestSeconds
      ? seconds * 1_000
      : seconds * (seconds < 1_000 * longestSeconds ? 1_000 : 1) - now;
  return wait > 0 ? wait : undefined;
}
