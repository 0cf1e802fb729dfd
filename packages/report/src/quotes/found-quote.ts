// The place of a quote in a text, with the lines around it. Pure.
import { type Cut, cutOf } from './cut-quote.ts';

/** Quoted characters of a line, from 0; lines from 1. */
export type Mark = { line: number; start: number; end: number };

export type FoundQuote = {
  /** The quoted characters of each line. */
  marks: Mark[];
  /** The quote says less, or something else, than its line. */
  cut?: Cut;
  /** The text has no second match. */
  isOnly: boolean;
  /** Lines that a diff takes away. */
  isRemoved: boolean;
  /** The quoted lines with their neighbours; `fromLine` counts from 1. */
  around: { fromLine: number; lines: string[] };
};

/** Shorter texts are found in many places by chance. */
export const shortLength = 12;

const linesAround = 2;

/** `lines` are those of the text, from its first one. */
export function placeQuote(
  lines: readonly string[],
  marks: Mark[],
): Pick<FoundQuote, 'marks' | 'around' | 'isRemoved'> {
  const [first, last] = [marks[0]?.line ?? 1, marks.at(-1)?.line ?? 1];
  const from = Math.max(0, first - 1 - linesAround);
  const around = lines.slice(from, last + linesAround);
  // a line feed at the end begins no further line
  if (from + around.length === lines.length && around.at(-1) === '') around.pop();
  const isRemoved = marks.every(({ line }) => isRemovedAt(lines, line - 1));
  return { marks, around: { fromLine: from + 1, lines: around }, isRemoved };
}

export function cutAt(lines: readonly string[], marks: readonly Mark[]): Cut | undefined {
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last) return undefined;
  const [begin, end] = [lines[first.line - 1] ?? '', lines[last.line - 1] ?? ''];
  return cutOf({ line: begin, at: first.start }, { line: end, at: last.end });
}

/** Lines of a hunk that are looked back on for its head. */
const longestHunk = 2_000;

/** True for a line with `-` in a hunk of a unified diff. */
function isRemovedAt(lines: readonly string[], at: number): boolean {
  if (!/^-(?!--)/.test(lines[at] ?? '')) return false;
  for (let above = at - 1; above >= Math.max(0, at - longestHunk); above -= 1) {
    const line = lines[above] ?? '';
    if (line.startsWith('@@ ')) return true;
    if (!/^[ +\-\\]|^$/.test(line)) return false;
  }
  return false;
}
