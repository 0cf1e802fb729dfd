// The stored lines around a quote, with a mark on the quoted ones. Pure.
import type { CheckedQuote } from './report.ts';

export type QuotedLine = { number: number; text: string; isHit: boolean };

/** Empty if the report has no context of the quote. */
export function quotedLines({ context, position, quote }: CheckedQuote): QuotedLine[] {
  if (context === undefined) return [];
  const first = position?.line ?? 0;
  const last = first + quote.replaceAll(/^[\r\n]+|[\r\n]+$/g, '').split(/\r\n?|\n/).length - 1;
  return context.lines.map((text, index) => {
    const number = context.fromLine + index;
    return { number, text, isHit: number >= first && number <= last };
  });
}
