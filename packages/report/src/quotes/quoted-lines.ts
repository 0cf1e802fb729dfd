// The stored lines around a quote, with marks on the quoted parts. Pure.
import type { CheckedQuote } from '../report.ts';

/** `marked`: the quoted parts of the line, characters from 0, in order; none if the line is not quoted. */
export type QuotedLine = { number: number; text: string; marked: { start: number; end: number }[] };

/** Empty if the report has no context of the quote. */
export function quotedLines({ context }: Pick<CheckedQuote, 'context'>): QuotedLine[] {
  if (context === undefined) return [];
  const marks = Map.groupBy(context.marked, ({ line }) => line);
  return context.lines.map((text, index) => {
    const number = context.fromLine + index;
    return { number, text, marked: marks.get(number) ?? [] };
  });
}

/** The text in pieces: what is quoted, and what is not. */
export function piecesOf({
  text,
  marked,
}: Pick<QuotedLine, 'text' | 'marked'>): { text: string; isQuoted: boolean }[] {
  let at = 0;
  const pieces = marked.flatMap(({ start, end }) => {
    const before = { text: text.slice(at, start), isQuoted: false };
    at = end;
    return [before, { text: text.slice(start, end), isQuoted: true }];
  });
  return [...pieces, { text: text.slice(at), isQuoted: false }].filter((piece) => piece.text !== '');
}
