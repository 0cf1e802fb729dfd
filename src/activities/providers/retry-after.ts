// The wait that a provider asks for: retry-after-ms, or Retry-After in seconds or as an HTTP date. Pure.

/** No provider may stop a run for longer; a limit that lasts is met again. */
const maxRetryAfterMs = 300_000;

/** Undefined where there is none, or none that makes sense (negative, past, not a number): then the own delay counts. */
export function retryAfterOf(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = headers?.get('retry-after-ms');
  const seconds = headers?.get('retry-after');
  const wait = positive(Number(milliseconds ?? Number.NaN)) ?? fromRetryAfter(seconds, now);
  return wait === undefined ? undefined : Math.min(Math.ceil(wait), maxRetryAfterMs);
}

function fromRetryAfter(value: string | null | undefined, now: number): number | undefined {
  if (value === null || value === undefined || value.trim() === '') return undefined;
  const seconds = Number(value);
  // Date.parse would take "-5" for a date
  return Number.isNaN(seconds)
    ? positive(/[a-z]/i.test(value) ? Date.parse(value) - now : Number.NaN)
    : positive(seconds * 1_000);
}

function positive(value: number): number | undefined {
  return value > 0 ? value : undefined;
}
