// Is a quote in a text, character by character? Pure. Line ends and blanks at the ends of lines are the only
// things that do not count: everything else is evidence.

/** Line and character of the quote's first place, counted from 1; undefined where it is not there. */
export function findQuote(text: string, quote: string): { line: number; character: number } | undefined {
  const wanted = normalise(quote).replaceAll(/^\n+|\n+$/g, '');
  if (wanted.trim() === '') return undefined;
  const source = normalise(text);
  const at = source.indexOf(wanted);
  if (at < 0) return undefined;
  const before = source.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, character: at - lineStart + 1 };
}

function normalise(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replace(/[ \t]+$/, ''))
    .join('\n');
}
