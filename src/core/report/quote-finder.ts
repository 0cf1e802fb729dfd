// Finds the place of a quote in a text. Pure.
import { escapeRegExp } from '../base/reg-exp.ts';
import type { QuotePosition } from './report.ts';

export type FoundQuote = Pick<QuotePosition, 'line' | 'character'> & {
  /** The match begins or ends inside a number, or begins inside a word: `pool_size: 2` in `pool_size: 20`. */
  isCut: boolean;
  /** The text has no second match. */
  isOnly: boolean;
  /** The quoted lines with their neighbours; `fromLine` counts from 1. */
  around: { fromLine: number; lines: string[] };
};

/**
 * `short`: found, but too short to mean anything, and not a whole line. `apart`: each line is found, but not together.
 */
export type QuoteFinder = (quote: string) => FoundQuote | 'short' | 'apart' | undefined;

/** Shorter texts are found in many places by chance. */
const shortLength = 12;
const linesAround = 2;

/**
 * Normalises the text once for all quotes. The first uncut match wins, else the first match. `cut` names the ends at
 * which the text is a part of a longer one, and may break inside a line.
 */
export function quoteFinder(text: string, cut: { start?: boolean; end?: boolean } = {}): QuoteFinder {
  const source = normalise(text);
  return (quote) => {
    const wanted = normalise(quote).replaceAll(/^\n+|\n+$/g, '');
    if (wanted.trim() === '') return undefined;
    const isShort = wanted.trim().length < shortLength;
    const at = isShort ? wholeLinesAt(source, wanted.trim(), cut) : firstUncutAt(source, wanted, cut);
    if (at >= 0) {
      const place = placeIn(source, at, isShort ? wanted.trim() : wanted);
      const isOnly = !isShort && source.indexOf(wanted) === source.lastIndexOf(wanted);
      return { ...place, isOnly, isCut: !isShort && isCutAt(source, wanted, at, cut) };
    }
    if (isShort && source.includes(wanted)) return 'short';
    const lines = wanted.split('\n').map((line) => line.trim());
    return lines.length > 1 && lines.every((line) => source.includes(line)) ? 'apart' : undefined;
  };
}

/** Searches only at line starts, so that a long line full of matches costs no more than another. */
function wholeLinesAt(source: string, wanted: string, cut: { start?: boolean; end?: boolean }): number {
  for (const { 0: found, index } of source.matchAll(
    new RegExp(`^[^\\S\\n]*${escapeRegExp(wanted)}$`, 'gm'),
  )) {
    const end = index + found.length;
    if (!(cut.start && index === 0) && !(cut.end && end === source.length)) return end - wanted.length;
  }
  return -1;
}

/** Skips overlapping matches, so that a text full of them costs no more than another. */
function firstUncutAt(source: string, wanted: string, cut: { end?: boolean }): number {
  const first = source.indexOf(wanted);
  for (let at = first; at >= 0; at = source.indexOf(wanted, at + wanted.length))
    if (!isCutAt(source, wanted, at, cut)) return at;
  return first;
}

/** At the cut end of a text, the rest of a number is unknown. */
function isCutAt(source: string, wanted: string, at: number, cut: { end?: boolean }): boolean {
  const end = at + wanted.length;
  const [before, after] = [source.slice(Math.max(0, at - 2), at), source.charAt(end)];
  const [first, last] = [wanted.charAt(0), wanted.charAt(wanted.length - 1)];
  const withinNumber = isDigit(first) && isDigit(before.slice(-1));
  // not the `n` of an escaped line feed
  const withinWord = /[a-z]/.test(first) && /[A-Za-z]$/.test(before) && !before.startsWith('\\');
  return (
    withinNumber || withinWord || (isDigit(last) && (isDigit(after) || (cut.end === true && after === '')))
  );
}

function isDigit(character: string): boolean {
  return /^\d$/.test(character);
}

function placeIn(source: string, at: number, wanted: string): Omit<FoundQuote, 'isCut' | 'isOnly'> {
  const before = source.slice(0, at).split('\n');
  const above = before.slice(0, -1).slice(-linesAround);
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  let end = at + wanted.length - 1;
  for (let count = 0; count <= linesAround && end < source.length; count += 1) {
    const next = source.indexOf('\n', end + 1);
    end = next < 0 ? source.length : next;
  }
  const lines = source.slice(lineStart, end).split('\n');
  // a line feed at the end begins no further line
  if (end === source.length && lines.at(-1) === '') lines.pop();
  return {
    line: before.length,
    character: at - lineStart + 1,
    around: { fromLine: before.length - above.length, lines: [...above, ...lines] },
  };
}

/** Each run of blanks is read once, however long it is. */
function normalise(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replace(/(?<![ \t])[ \t]+$/, ''))
    .join('\n');
}
