// What a growing text has gained, when only its newest stretch is known each time. Pure.

/** Enough to find the place again. */
const overlap = 80;

/** Undefined where the two do not meet: something between them was missed, or the text began anew. */
export function newText(before: string, now: string): string | undefined {
  if (now.startsWith(before)) return now.slice(before.length);
  const tail = before.slice(-overlap);
  const at = now.lastIndexOf(tail);
  return tail === '' || at < 0 ? undefined : now.slice(at + tail.length);
}
