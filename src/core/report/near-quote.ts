// Finds a quote except for blanks, tabs, backticks and line numbers, which carry no meaning. Pure. Every other
// character must match: an invented quote is not near to anything.
import type { FoundQuote } from './quote-finder.ts';

export type NearFinder = (quote: string) => FoundQuote | undefined;

/** Shorter texts are found in many places by chance. */
const shortLength = 12;
const linesAround = 2;

type Line = { tidy: string; bare?: { number: number; tidy: string } };

/** Returns the first match; the text is prepared once for all quotes. */
export function nearFinder(text: string): NearFinder {
  const lines = text.split(/\r\n?|\n/);
  let ready: { source: Line[]; joined: string } | undefined;
  return (quote) => {
    const wanted = toLines(quote);
    if (joinTidy(wanted).replaceAll('\n', '').length < shortLength) return undefined;
    if (!ready) {
      const source = lines.map(toLine);
      ready = { source, joined: joinTidy(source) };
    }
    const at = lineOf(ready.joined, joinTidy(wanted)) ?? wholeLinesAt(ready.source, wanted);
    return at === undefined ? undefined : placeIn(lines, at, wanted.length);
  };
}

/** Drops empty lines at both ends. */
function toLines(quote: string): Line[] {
  const lines = quote.split(/\r\n?|\n/).map(toLine);
  const from = lines.findIndex(({ tidy }) => tidy !== '');
  return from < 0 ? [] : lines.slice(from, lines.findLastIndex(({ tidy }) => tidy !== '') + 1);
}

/** Such as `12: text`, `12| text`, `12<tab>text`. */
const numbered = /^\s*L?(\d{1,7})\s*[:|→\t-]\s?(.*)$/;

function toLine(text: string): Line {
  const [, number, rest = ''] = numbered.exec(text) ?? [];
  const line = { tidy: toTidy(text) };
  return number === undefined ? line : { ...line, bare: { number: Number(number), tidy: toTidy(rest) } };
}

/** A blank between two words stays: `1 0` is not `10`. */
function toTidy(line: string): string {
  return line
    .replaceAll('`', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<![\p{L}\p{N}_]) | (?![\p{L}\p{N}_])/gu, '');
}

function joinTidy(lines: readonly Line[]): string {
  return lines.map(({ tidy }) => tidy).join('\n');
}

/** Never matches inside a word or a number. */
function lineOf(source: string, wanted: string): number | undefined {
  for (let at = source.indexOf(wanted); at >= 0; at = source.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    const isCut =
      joins(source.charAt(at - 1), wanted) || joins(source.slice(end - 1, end), source.slice(end));
    if (!isCut) return source.slice(0, at).split('\n').length - 1;
  }
  return undefined;
}

function joins(before: string, after: string): boolean {
  const isWord = /^[\p{L}\p{N}_]$/u;
  return isWord.test(before) && isWord.test(after.charAt(0));
}

/**
 * Allows line numbers before the lines of the quote or the text. The rest must be whole lines, since a number may
 * belong to the content; the numbers of several lines must count up.
 */
function wholeLinesAt(source: readonly Line[], wanted: readonly Line[]): number | undefined {
  const fromQuote = countsUp(wanted);
  const found = source.findIndex((_, at) => {
    const there = source.slice(at, at + wanted.length);
    if (there.length < wanted.length) return false;
    if (fromQuote && wanted.every(({ bare }, index) => bare?.tidy === there[index]?.tidy)) return true;
    return countsUp(there) && wanted.every(({ tidy }, index) => tidy === there[index]?.bare?.tidy);
  });
  return found < 0 ? undefined : found;
}

function countsUp(lines: readonly Line[]): boolean {
  return lines.every(
    ({ bare }, index) => bare !== undefined && bare.number === (lines[0]?.bare?.number ?? 0) + index,
  );
}

function placeIn(lines: readonly string[], at: number, count: number): FoundQuote {
  const from = Math.max(0, at - linesAround);
  const around = lines.slice(from, at + count + linesAround).map((line) => line.trimEnd());
  return {
    line: at + 1,
    character: 1,
    isCut: false,
    isOnly: false,
    around: { fromLine: from + 1, lines: around },
  };
}
