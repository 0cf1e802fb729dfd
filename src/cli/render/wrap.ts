// Wraps lines at words to the width of a terminal, aligned with the beginning of their text. Colours survive. Pure.
import { stripVTControlCharacters } from 'node:util';
import sliceAnsi from 'slice-ansi';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** The part before the text of a line: its indent, the name of a subagent, a label in its column, a mark or a number. */
const lead = /^ *(?:\S+ │ |[a-z]+ {3,})?(?:(?:[→✓✗»?!☰✂•·-]|\d+[.)]|[|│>]) +)?/u;

/** Rows of at most `width` columns. Later rows begin in the column of the first row's text, with the bar that marks words of others. */
export function wrapLine(text: string, width: number): string[] {
  // the width of a tab depends on its place
  const line = text.replaceAll('\t', '  ');
  if (stringWidth(line) <= width) return [line];
  const plain = stripVTControlCharacters(line);
  const { hang, below } = hangOf(plain, width);
  const head = sliceAnsi(line, 0, hang);
  const rows = wrapAnsi(sliceAnsi(line, hang), Math.max(width - below.length, 1), { hard: true }).split('\n');
  // a line that is still being written continues after its last blank
  const tail = /(?<=\S) +$/.exec(plain)?.[0] ?? '';
  return rows.map((row, index) => {
    const end = index === rows.length - 1 ? tail : '';
    return `${index === 0 ? head : below}${row}${end}`;
  });
}

/** Columns of the first row that stay, and what the later rows begin with: where there is no room, less of the lead but its bar. */
function hangOf(plain: string, width: number): { hang: number; below: string } {
  const full = lead.exec(plain)?.[0] ?? '';
  const hang = stringWidth(full);
  if (hang <= width / 2) return { hang, below: full.replaceAll(/[^│|»]/gu, ' ').padEnd(hang) };
  const bar = /[│|»]/u.test(full) ? '│ ' : '';
  const indent = /^ */.exec(plain)?.[0].length ?? 0;
  const left = indent <= width / 2 ? indent : 0;
  return { hang: left, below: `${' '.repeat(left)}${bar}` };
}

export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}
