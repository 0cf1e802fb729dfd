// Where a quote is in a text. Pure.
import { escapeRegExp } from '../base/escape-reg-exp.ts';
import type { QuotePosition } from './report.ts';

export type FoundQuote = Pick<QuotePosition, 'line' | 'character'> & {
  /** The lines of the quote with those around it; `fromLine` counts from 1. */
  around: { fromLine: number; lines: string[] };
};

/** `short`: it is there, but says too little, and is no whole line. `apart`: only its lines are, not as it has them. */
export type QuoteFinder = (quote: string) => FoundQuote | 'short' | 'apart' | undefined;

/** What is shorter is found in many places by chance. */
const shortLength = 12;
const linesAround = 2;

/**
 * Finds quotes in one text, which is normalised once for all of them; the first place counts. `cut` says at which ends the
 * text is a part of a longer one, and may begin or end within a line.
 */
export function quoteFinder(text: string, cut: { start?: boolean; end?: boolean } = {}): QuoteFinder {
  const source = normalise(text);
  return (quote) => {
    const wanted = normalise(quote).replaceAll(/^\n+|\n+$/g, '');
    if (wanted.trim() === '') return undefined;
    const isShort = wanted.trim().length < shortLength;
    const at = isShort ? wholeLinesAt(source, wanted.trim(), cut) : source.indexOf(wanted);
    if (at >= 0) return placeIn(source, at, isShort ? wanted.trim() : wanted);
    if (isShort && source.includes(wanted)) return 'short';
    const lines = wanted.split('\n').map((line) => line.trim());
    return lines.length > 1 && lines.every((line) => source.includes(line)) ? 'apart' : undefined;
  };
}

/** Only at the beginnings of lines, so that one that is long and full of it costs no more than another. */
function wholeLinesAt(source: string, wanted: string, cut: { start?: boolean; end?: boolean }): number {
  for (const { 0: found, index } of source.matchAll(
    new RegExp(`^[^\\S\\n]*${escapeRegExp(wanted)}$`, 'gm'),
  )) {
    const end = index + found.length;
    if (!(cut.start && index === 0) && !(cut.end && end === source.length)) return end - wanted.length;
  }
  return -1;
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
