// Finds the place of a quote in a text, character by character. Pure.
import { escapeRegExp } from '@holdfast/base/reg-exp';
import { cutAt, type FoundQuote, type Mark, placeQuote, shortLength } from './found-quote.ts';

/**
 * `short`: found, but too short to mean anything, and not a whole line. `apart`: each line is found, but not together.
 */
export type QuoteFinder = (quote: string) => FoundQuote | 'short' | 'apart' | undefined;

/** Characters at the cut end of a text within which what follows a quote is unknown. */
const nearEnd = 200;

/**
 * Normalises the text once for all quotes. The first uncut match wins, else the first match. `cut` names the ends at
 * which the text is a part of a longer one, and may break inside a line.
 */
export function quoteFinder(text: string, cut: { start?: boolean; end?: boolean } = {}): QuoteFinder {
  const source = normalise(text);
  let split: string[] | undefined;
  const linesOf = () => (split ??= source.split('\n'));
  return (quote) => {
    const wanted = normalise(quote).replaceAll(/^\n+|\n+$/g, '');
    const short = wanted.trim();
    if (short === '') return undefined;
    if (short.length < shortLength) {
      const at = wholeLinesAt(source, short, cut);
      if (at >= 0) return { ...placeQuote(linesOf(), marksAt(short, at, lineOf(source, at))), isOnly: false };
      return source.includes(wanted) ? 'short' : undefined;
    }
    const found = firstUncut(source, wanted, linesOf, cut);
    if (found) return found;
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
function firstUncut(
  source: string,
  wanted: string,
  linesOf: () => string[],
  cut: { end?: boolean },
): FoundQuote | undefined {
  const isOnly = source.indexOf(wanted) === source.lastIndexOf(wanted);
  let first: FoundQuote | undefined;
  let line: LineStart = { number: 1, at: 0, next: source.indexOf('\n') };
  for (let at = source.indexOf(wanted); at >= 0; at = source.indexOf(wanted, at + wanted.length)) {
    line = lineOf(source, at, line);
    const marks = marksAt(wanted, at, line);
    // at the cut end of a text, the rest of its line is unknown
    const isOpen =
      cut.end === true &&
      source.length - at - wanted.length < nearEnd &&
      !source.includes('\n', at + wanted.length);
    const kind = isOpen ? 'token' : cutAt(linesOf(), marks);
    if (kind === undefined) return { ...placeQuote(linesOf(), marks), isOnly };
    first ??= { ...placeQuote(linesOf(), marks), isOnly, cut: kind };
  }
  return first;
}

/** `next`: its line feed, or -1. */
type LineStart = { number: number; at: number; next: number };

/** Goes on from an earlier line. */
function lineOf(source: string, at: number, from?: LineStart): LineStart {
  let { number, at: begin, next } = from ?? { number: 1, at: 0, next: source.indexOf('\n') };
  while (next >= 0 && next < at) {
    number += 1;
    begin = next + 1;
    next = source.indexOf('\n', begin);
  }
  return { number, at: begin, next };
}

function marksAt(wanted: string, at: number, line: LineStart): Mark[] {
  return wanted.split('\n').map((part, index) => {
    const start = index === 0 ? at - line.at : 0;
    return { line: line.number + index, start, end: start + part.length };
  });
}

/** Each run of blanks is read once, however long it is. */
function normalise(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replace(/(?<![ \t])[ \t]+$/, ''))
    .join('\n');
}
