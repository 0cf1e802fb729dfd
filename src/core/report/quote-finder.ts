// Where a quote is in a text. Pure.
import type { QuotePosition } from './report.ts';

export type FoundQuote = Pick<QuotePosition, 'line' | 'character'> & {
  /** The lines of the quote with those around it; `fromLine` counts from 1. */
  around: { fromLine: number; lines: string[] };
};

/** `short`: it is there, but says too little, and is no whole line. */
export type QuoteFinder = (quote: string) => FoundQuote | 'short' | undefined;

/** What is shorter is found in many places by chance. */
const shortLength = 12;
const linesAround = 2;

/**
 * Finds quotes in one text, which is normalised once for all of them; the first place counts. `cut` says at which ends the
 * text is a part of a longer one, and may begin or end within a line.
 */
export function quoteFinder(text: string, cut: { start?: boolean; end?: boolean } = {}): QuoteFinder {
  const source = normalise(text);
  const isWholeLine = (from: number, to: number): boolean => {
    const start = source.lastIndexOf('\n', from - 1) + 1;
    const next = source.indexOf('\n', to);
    if ((start === 0 && cut.start) || (next < 0 && cut.end)) return false;
    const beside = source.slice(start, from) + source.slice(to, next < 0 ? source.length : next);
    return beside.trim() === '';
  };
  return (quote) => {
    const wanted = normalise(quote).replaceAll(/^\n+|\n+$/g, '');
    if (wanted.trim() === '') return undefined;
    const first = source.indexOf(wanted);
    const isShort = wanted.trim().length < shortLength;
    let at = first;
    while (isShort && at >= 0 && !isWholeLine(at, at + wanted.length)) at = source.indexOf(wanted, at + 1);
    if (at >= 0) return placeIn(source, at, wanted);
    return first < 0 ? undefined : 'short';
  };
}

function placeIn(source: string, at: number, wanted: string): FoundQuote {
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

function normalise(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replace(/[ \t]+$/, ''))
    .join('\n');
}
