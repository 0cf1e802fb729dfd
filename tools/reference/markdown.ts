// Pieces of Markdown for the reference pages.

/** A table; a column without any value is left out. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = columns.map((_, index) => rows.some((row) => (row[index] ?? '') !== ''));
  const line = (cells: readonly string[]): string =>
    `| ${cells
      .filter((_, index) => used[index])
      .map(cell)
      .join(' | ')} |`;
  const rule = `|${columns
    .filter((_, index) => used[index])
    .map(() => '---')
    .join('|')}|`;
  return [line(columns), rule, ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return linked(text)
    .replaceAll('|', String.raw`\|`)
    .replaceAll('\n', ' ');
}

/** Turns pages that comments and descriptions name into links. */
export function linked(text: string): string {
  return text.replaceAll(/\bdocs\/([\w-]+\.md)(#[\w-]+)?/g, '[$1](../$1$2)');
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

/** The top of each page, which warns against editing it. */
export function pageHead(title: string, words: string): string {
  return `# ${title}\n\n<!-- Made by "npm run reference" from the sources: edit those. -->\n\n${words}\n`;
}
