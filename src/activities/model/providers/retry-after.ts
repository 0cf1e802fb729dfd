// The wait that a provider asks for: retry-after-ms, Retry-After in seconds or as an HTTP date, or its words. Pure.

/** No provider may stop a run for longer; a limit that lasts is met again. */
const maxRetryAfterMs = 300_000;

/** Undefined where there is none, or none that makes sense (negative, past, not a number): then the own delay counts. */
export function retryAfterOf(headers: Headers | undefined, words: string, now: number): number | undefined {
  const milliseconds = headers?.get('retry-after-ms');
  const seconds = headers?.get('retry-after');
  const wait =
    positive(Number(milliseconds ?? Number.NaN)) ?? fromRetryAfter(seconds, now) ?? delayInWords(words);
  return wait === undefined ? undefined : Math.min(Math.ceil(wait), maxRetryAfterMs);
}

/** "Please retry in 20.5s", "try again in 1m2s", "retry after 5 seconds", in milliseconds. */
export function delayInWords(words: string): number | undefined {
  const [, minutes = '0', amount = '0', unit = 's'] = delayPattern.exec(words) ?? [];
  return positive(Number(minutes) * 60_000 + Number(amount) * (unit.startsWith('m') ? 1 : 1_000));
}

const delayPattern =
  /\b(?:retry|try again) (?:in|after) (?:(\d{1,4})m(?!s))?(?:(\d{1,6}(?:\.\d{1,12})?) ?(ms|milliseconds|s|seconds?)\b)?/i;

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
