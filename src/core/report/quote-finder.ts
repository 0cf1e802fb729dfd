// Where a quote is in a text. Pure.
import type { QuotePosition } from './report.ts';

/**
 * Finds quotes in one text, which is normalised once for all of them: line and character of the first place, counted from 1;
 * undefined where it is not there.
 */
export function quoteFinder(
  text: string,
): (quote: string) => Pick<QuotePosition, 'line' | 'character'> | undefined {
  const source = normalise(text);
  return (quote) => {
    const wanted = normalise(quote).replaceAll(/^\n+|\n+$/g, '');
    if (wanted.trim() === '') return undefined;
    const at = source.indexOf(wanted);
    if (at < 0) return undefined;
    const before = source.slice(0, at);
    const lineStart = before.lastIndexOf('\n') + 1;
    return { line: before.split('\n').length, character: at - lineStart + 1 };
  };
}

function normalise(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replace(/[ \t]+$/, ''))
    .join('\n');
}
