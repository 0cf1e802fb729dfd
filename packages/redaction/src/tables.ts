// Finds credentials in tables by their header: CSV and its kind, boxes of database clients, Markdown, and columns at fixed
// places. Pure. Every line is looked at once.
import { passwordName } from './credential-names.ts';
import { isHarmless } from './harmless-values.ts';

type Range = { from: number; to: number };
type Cell = { text: string; from: number };
type Line = { text: string; from: number; next: number };
/** Splits a line as the header was split. */
type Split = (line: string) => Cell[];

const headerCell =
  /(?:passw(?:or)?d|passphrase|pwd|secret|token|key|pass)"?(?=[ \t]{0,60}(?:[,;|│┃║]|\r?$)|\t| {2})/gim;
const certain = new RegExp(String.raw`^[\w .-]{0,40}?${passwordName.replaceAll('[_.-]?', '[ _.-]?')}$`, 'i');
/** Also a column of numbers, of words, or of names of secrets. */
const uncertain = /^(?:[\w-]{1,20}[ _-])?(?:token|secret)$/i;
const title = /^[A-Za-z][\w .-]{0,40}$/;
const ruler = /^[ \t]{0,9}[|+]?[ \t]{0,9}[-=:]{2,}[-=+:| \t]{0,400}$/;
/** Without a ruler a header stands for fewer, or one line would hide the log behind it. */
const mostRows = { drawn: 2_000, plain: 300 };
const longestLine = 4_000;

/** Ends a table that is not drawn, and is none's neighbour: it begins as a log does, or has a level, a request or two fields. */
const logLine =
  /^[\s|"'[<]{0,9}(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[:/.]\d\d[:/.]\d\d|\d{1,2}[/ ][A-Z][a-z]{2}[/ ]\d{4}|(?:[A-Z][a-z]{2},? )?[A-Z][a-z]{2} {1,2}\d{1,2} |[IWEF]\d{4} |\d{10}|\d{1,3}>|\{)|(?<![\w-])(?:trace|debug|warn|warning|error|critical|fatal|panic|INFO|NOTICE|GET|POST|PUT|DELETE|TRACE|DEBUG|WARN|WARNING|ERROR|CRITICAL|FATAL|PANIC|HTTP)(?![\w-])|\blevel=|\b[a-z]\w{0,20}=[^=].*\b[a-z]\w{0,20}=[^=]/;
/** A measure, an address, a path, a name with a number, a code: of other kinds than a secret. */
const otherKind =
  /^(?:[-+]?\d[\d.,:]{0,20}[A-Za-z%]{0,3}|\d{4}-\d\d-\d\d.{0,30}|.{0,60}\d{1,3}(?:\.\d{1,3}){3}.{0,9}|.{1,60}:\d{1,5}|[/~].*(?<!=)|[a-z][a-z+]{1,9}:\/\/.*|[a-z][a-z_-]{0,30}[/([].{0,60}|v\d[\d.]{0,20}(?:[-+].{0,20})?|(?:[a-z]{1,20}-){1,5}(?:\d{1,3}|[a-z0-9]{8,10}-[a-z0-9]{5})|(?:[A-Z]{1,9}[-_]|[A-Z]{1,3})\d{2,6}[A-Z]?)$/;

export function* tableCells(text: string): Generator<Range> {
  let done = 0;
  for (const { index } of text.matchAll(headerCell)) {
    if (index < done) continue;
    const header = lineAt(text, text.lastIndexOf('\n', index) + 1);
    done = header.next;
    const before = header.from === 0 ? '' : lineAt(text, text.lastIndexOf('\n', header.from - 2) + 1).text;
    const after = lineAt(text, header.next).text;
    const isDrawn = ruler.test(after);
    const split = !isDrawn && logLine.test(before) ? undefined : splitOf(header.text, before, after);
    if (split === undefined) continue;
    const titles = split(header.text).map((cell) => cell.text);
    for (let row = 0; row < (isDrawn ? mostRows.drawn : mostRows.plain) && done < text.length; row++) {
      const line = lineAt(text, done);
      const cells = line.text.trim() === '' ? [] : split(line.text);
      const isRuler = ruler.test(line.text);
      if (!isRuler && (cells.length !== titles.length || (!isDrawn && logLine.test(line.text)))) break;
      done = line.next;
      if (isRuler) continue;
      yield* secretsOf(cells, titles, line.from, isDrawn);
    }
  }
}

const insert =
  /\b(?:insert|replace)(?: \w{1,12}){0,2} into [^\s(]{1,100} ?\(([^()]{1,1000})\)\s{1,9}values(?=\s{0,9}\()/gi;
const part = String.raw`[^()'",]|'(?:[^'\\]|\\[^]){0,4000}'|"(?:[^"\\]|\\[^]){0,4000}"`;
/** A literal or an expression; calls may have one more inside. */
const item = String.raw`(?:${part}|\((?:,|${part}|\((?:,|${part}){0,400}\)){0,400}\))`;

/** The values of an INSERT under the names of its columns. */
export function* insertedCells(text: string): Generator<Range> {
  for (const { 0: whole, 1: columns = '', index } of text.matchAll(insert)) {
    const titles = bySign(',')(columns).map((cell) => cell.text);
    const nextRow = new RegExp(String.raw`[\s,]{0,9}\(((?:,|${item}){1,9999})\)`, 'y');
    nextRow.lastIndex = index + whole.length;
    for (let row = 0; row < mostRows.drawn; row++) {
      const [, values] = nextRow.exec(text) ?? [];
      if (values === undefined) break;
      // a parameter, or a call without a text, is no value
      const cells = Array.from(values.matchAll(new RegExp(`${item}+`, 'g')), ({ 0: cell, index: at }) =>
        trimmed(/["']|^\s*\d+\s*$/.test(cell) ? cell : '', at),
      );
      yield* secretsOf(cells, titles, nextRow.lastIndex - 1 - values.length, true);
    }
  }
}

function* secretsOf(cells: Cell[], titles: string[], start: number, isDrawn: boolean): Generator<Range> {
  for (const [column, { text, from }] of cells.entries())
    if (isSecret(text, titles[column] ?? '', isDrawn))
      yield { from: start + from, to: start + from + text.length };
}

/** Empty if it is too long to be one of a table. */
function lineAt(text: string, from: number): Line {
  const found = text.indexOf('\n', from);
  const end = found < 0 ? text.length : found;
  const line = end - from > longestLine ? '' : text.slice(from, end).replace(/\r$/, '');
  // signs of boxes as those of ASCII
  return { text: line.replaceAll(/[│┃║]/g, '|').replaceAll(/[─-╿]/g, '-'), from, next: end + 1 };
}

/** Undefined for a line that is no header with the name of a credential. */
function splitOf(line: string, before: string, after: string): Split | undefined {
  const isTitled = (split: Split): boolean => {
    const titles = split(line).map((cell) => cell.text);
    return (
      (titles.length > 1 || /^[ \t]{0,9}\|.*\|/.test(line)) &&
      titles.every((each) => title.test(each)) &&
      titles.some((each) => certain.test(each) || uncertain.test(each))
    );
  };
  // the row of a box is no header of those after it
  if (ruler.test(after) && !/^[ \t]{0,9}\|?[^|]*\|/.test(before.replace(ruler, ''))) {
    const split = line.includes('|') ? bySign('|') : byPlaces(after.replaceAll(/[-=]/g, '─'));
    return isTitled(split) ? split : undefined;
  }
  if (ruler.test(before)) return undefined;
  for (const sign of [',', ';', '\t', '|']) {
    const split = bySign(sign);
    const count = split(line).length;
    if (count > 1 && isTitled(split) && split(before).length !== count && split(after).length === count)
      return split;
  }
  const split = byPlaces(line);
  const isHead = !/[a-z]/.test(line) || before.trim() === '';
  return isHead && isTitled(split) ? split : undefined;
}

function bySign(sign: string): Split {
  return (line) => {
    const cells: Cell[] = [];
    let from = 0;
    let isQuoted = false;
    for (let at = 0; at <= line.length; at++) {
      if (line[at] === '"') isQuoted = !isQuoted;
      if (at < line.length && (isQuoted || line[at] !== sign)) continue;
      cells.push(trimmed(line.slice(from, at), from));
      from = at + 1;
    }
    // a box has an empty part on both sides
    if (sign === '|' && cells.length > 2 && cells[0]?.text === '' && cells.at(-1)?.text === '')
      return cells.slice(1, -1);
    return cells;
  };
}

/** Columns begin where those of the header begin, behind two blanks or more, or those of its ruler, behind one. */
function byPlaces(header: string): Split {
  const starts = Array.from(header.matchAll(/(?<=^|[ \t]{2})\S|(?<=[ \t])─/g), ({ index }) => index);
  return (line) => {
    if (starts.some((start) => start > 0 && start <= line.length && line[start - 1] !== ' ')) return [];
    return starts.map((start, column) =>
      trimmed(line.slice(start, starts[column + 1] ?? line.length), start),
    );
  };
}

function trimmed(cell: string, from: number): Cell {
  const [, blank = '', text = ''] = /^(\s*(?:[NE](?='))?["'`]?)(.*?)["'`]?\s*$/s.exec(cell) ?? [];
  return { text, from: from + blank.length };
}

/** Only in a table that is drawn is every value a secret: a line alone could not make one. */
function isSecret(value: string, name: string, isDrawn: boolean): boolean {
  if (value.length < 4 || value.startsWith('[redacted:')) return false;
  if (isHarmless({ value, before: '', after: '' })) return false;
  if (isDrawn && certain.test(name)) return true;
  if (!/^(?=.*(?:\d|\w=$))(?=.*[A-Za-z])\S+$/.test(value) || otherKind.test(value)) return false;
  // names of secrets
  const isName = /secret$/i.test(name) && /^[a-z][a-z0-9]*(?:[-.][a-z0-9]+)+$/.test(value);
  return certain.test(name) || (uncertain.test(name) && !isName);
}
