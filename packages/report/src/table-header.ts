// Recognises the header of a table in an output: a line that names columns and shows no value. Pure. The lines above
// and below decide, so that few other lines are taken for one.

/** Longer lines are no headers, and would cost time. */
const longest = 400;

/**
 * `at` counts from 0; `fromLine`, the place of the lines in the output, from 1. Two lines on either side are enough.
 */
export function isTableHeader(lines: readonly string[], at: number, fromLine = 1): boolean {
  const [line = '', next = ''] = lines.slice(at, at + 2);
  if (line.trim() === '' || line.length > longest || isRule(line)) return false;
  if (isRuledOff(lines, at) || namesAlignedColumns(line, next, lines[at - 1] ?? '')) return true;
  return at + fromLine === 1 && namesFields(line, next);
}

/** Such as `---+---`, `|---|:--|`, `=====  ====`. */
function isRule(line = ''): boolean {
  return /^[\s|+:=-]+$/.test(line) && /[-=]{3}/.test(line);
}

/** psql, mysql and Markdown: a rule and rows follow, and no row comes before. */
function isRuledOff(lines: readonly string[], at: number): boolean {
  const [line = '', next = '', row = ''] = lines.slice(at, at + 3);
  if (!isRule(next) || isRule(row) || row.trim() === '') return false;
  const columns = next.trim().split(/[\s|+]+/);
  const isTable = columns.filter((part) => part !== '').length > 1 || /[|+]/.test(next);
  const above = lines[at - 1] ?? '';
  // a boxed table has rules between its rows, too
  const rowAbove = isRule(above) ? (lines[at - 2] ?? '') : above;
  if (/^\s*\|/.test(rowAbove)) return false;
  return isTable || (above.trim() === '' && /^\s*\w+$/.test(line) && line.length <= next.length);
}

/** kubectl, docker, ps, df: names without a value, above a line whose columns begin or end at the same places. */
function namesAlignedColumns(line: string, next: string, above: string): boolean {
  const names = wordsOf(line);
  const columns = names.slice(1).filter(({ gap }) => gap > 1);
  if (columns.length === 0 || isRule(next)) return false;
  if (names.every(({ text }) => /^[A-Z%#][A-Z0-9_%#@()/:+-]*$/.test(text)))
    return !isCapital(next) && aligned(names.slice(1), next) >= Math.min(2, names.length - 1);
  if (/\d/.test(line) || !/\d/.test(next)) return false;
  // a row is also aligned with the row above it
  const wanted = Math.max(2, columns.length - 1);
  return aligned(columns, next) >= wanted && aligned(columns, above) < wanted;
}

function isCapital(line: string): boolean {
  return /^[A-Z\s_()/-]+$/.test(line);
}

function aligned(names: readonly Word[], line: string): number {
  const values = wordsOf(line.slice(0, longest));
  const starts = new Set(values.slice(1).map(({ from }) => from));
  const ends = new Set(values.map(({ to }) => to));
  return names.filter(({ from, to }) => starts.has(from) || ends.has(to)).length;
}

/** Names separated by commas or tabs, above a line with as many values. */
function namesFields(line: string, next: string): boolean {
  const separator = line.includes('\t') ? '\t' : ',';
  const names = line.split(separator).map((name) => name.replaceAll('"', ''));
  const values = next.split(separator);
  if (names.length < 2 || names.length !== values.length) return false;
  return (
    names.every((name) => /^[A-Za-z_][\w.%/()-]*$/.test(name)) &&
    values.some((value) => /^"?-?\d/.test(value))
  );
}

type Word = { text: string; from: number; to: number; gap: number };

function wordsOf(line: string): Word[] {
  let end = 0;
  return [...line.matchAll(/\S+/g)].map(({ 0: text, index: from }) => {
    const word = { text, from, to: from + text.length, gap: from - end };
    end = word.to;
    return word;
  });
}
