// Cleans a text that arrives in pieces, as `sanitiseText` and the redactor clean a whole one. Finds a secret or an escape
// across two pieces too. Runs in Node, in bounded memory.
import type { Redactor } from './redaction.ts';
import { binaryNotice, stripControls } from './sanitise.ts';

export type CleanStream = ReturnType<typeof createCleanStream>;

/** Characters on both sides of a cut in which a secret across it is found; a longer secret is found only by its lines. */
const windowLength = 65_536;
/** In a text of many secrets, cuts near the wanted place are tried first, then cuts far away. */
const [closely, away] = [64, 4];
/** Larger than the usual keys. */
const closeWindowLength = 4_096;
/** The same as for a word that the output buffer cuts. */
const longestWord = 8_192;
const firstWords = new RegExp(`^[^]{0,${longestWord}}\\S{0,${longestWord}}`);

type Cleaning = Pick<Redactor, 'text' | 'cutText'>;

export function createCleanStream(redactor: Cleaning) {
  let waiting = '';
  return {
    /** The text that is clean by now; the rest waits for more. */
    next(text: string) {
      const all = waiting + text;
      const latest = all.length - windowLength;
      if (latest <= 0) {
        waiting = all;
        return '';
      }
      const at = findCut(all, latest, redactor);
      if (at !== undefined) {
        waiting = all.slice(at);
        return clean(all.slice(0, at), redactor.text);
      }
      // only secrets, or one without an end: the possible half of one is dropped on both sides
      waiting = all.slice(latest).replace(firstWords, '[redacted:unfinished]');
      return clean(all.slice(0, wordStart(all, latest)), redactor.cutText);
    },
    /** The rest, which may end inside a secret. */
    end: (text: string) => clean(waiting + text, redactor.cutText),
  };
}

function clean(text: string, redact: (text: string) => string): string {
  const { kept, isBinary } = stripControls(text);
  return isBinary ? `${binaryNotice(Buffer.byteLength(text))}\n` : redact(kept);
}

/** The last place where the two parts, cleaned alone, equal the cleaned whole. */
function findCut(all: string, latest: number, redactor: Cleaning): number | undefined {
  for (let attempt = 0; attempt < away; attempt++) {
    const from = placeBefore(all, latest - attempt ** 2 * windowLength);
    const at = findSafe(all, from, redactor);
    if (at !== undefined && isSafe(all, at, windowLength, redactor)) return at;
  }
  return undefined;
}

/** Tries many places nearby in a small window, which is cheap. */
function findSafe(all: string, from: number, redactor: Cleaning): number | undefined {
  for (const at of placesBefore(all, from))
    if (at > 0 && isSafe(all, at, closeWindowLength, redactor)) return at;
  return undefined;
}

/** First between the words of a line, then between the lines of a key. */
function* placesBefore(all: string, from: number): Generator<number> {
  for (let back = 0; back < closely; back++) yield from - back;
  for (let at = from, count = 0; at > 1 && count < closely; count++)
    yield (at = all.lastIndexOf('\n', at - 2) + 1);
}

/** After a line end if one is near. */
function placeBefore(all: string, position: number): number {
  const lineStart = all.lastIndexOf('\n', position - 1) + 1;
  if (lineStart > Math.max(0, position - windowLength)) return lineStart;
  const next = all.charCodeAt(position);
  return next >= 0xdc00 && next <= 0xdfff ? position - 1 : position;
}

function isSafe(all: string, at: number, length: number, redactor: Cleaning): boolean {
  const cleaned = (from: number, to: number): string =>
    redactor.text(stripControls(all.slice(Math.max(0, from), to)).kept);
  const [from, to] = [at - length, at + length];
  return cleaned(from, at) + cleaned(at, to) === cleaned(from, to);
}

function wordStart(all: string, position: number): number {
  let at = position;
  while (at > Math.max(0, position - longestWord) && !/\s/.test(all[at - 1] ?? ' ')) at--;
  return at;
}
