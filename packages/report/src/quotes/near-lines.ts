// Lines of an output as a quote is looked for in them, and the places in which the lines of a quote stand. Pure.
import { defined } from '@holdfast/base/defined';
import { applyRules, type SignRule, softBreak } from './plain-text.ts';
import { type Candidate, type Prefix, prefixesOf } from './quote-forms.ts';

/** A text of an output: `firstLine` is the number of its first line, `pageLine` that in the file which a page shows. */
export type Slice = { text: string; firstLine: number; pageLine?: number };

export type OutputLine = { text: string; number: number; pageNumber?: number };

/** Lines from 0; `from` is a character of the first one, `to` of the last one. */
export type Place = { first: number; last: number; from: number; to: number; chosen: Candidate[] };

/** Without empty ones; a line with escaped line feeds is several of one number. */
export function readLines({ text, firstLine, pageLine }: Slice, rules: readonly SignRule[]): OutputLine[] {
  return applyRules(text, 'output', rules)
    .split('\n')
    .flatMap((physical, index) => {
      const numbers = { number: firstLine + index, ...defined({ pageNumber: pageLine && pageLine + index }) };
      const parts = physical.split(softBreak).filter((part) => part.trim() !== '');
      return parts.map((part) => ({ text: part, ...numbers }));
    });
}

/** Reads the words of `read` and `read_artifact` below a page; undefined if the text has none. */
export function pageLineOf(text: string): number | undefined {
  const [, first] = /^\[lines (\d+) to \d+ of [^\n]*\]$/m.exec(text.slice(-400)) ?? [];
  return first === undefined ? undefined : Number(first);
}

/** `isWhole`: only whole lines count. `after`: the part before it, whose end it comes after. */
export type SearchRule = { isWhole: boolean; after?: Place };

/** Finds the lines together: the end of the first, whole ones, the beginning of the last; of a single one any part. */
export function* placesOf(
  lines: readonly OutputLine[],
  wanted: readonly Candidate[][],
  { isWhole, after }: SearchRule,
): Generator<Place> {
  const last = wanted.length - 1;
  for (let first = after?.last ?? 0; first + last < lines.length; first += 1) {
    const there = lines.slice(first, first + wanted.length);
    const mayFit = there.every((line, index) => wanted[index]?.some(({ text }) => line.text.includes(text)));
    if (!mayFit) continue;
    const isNumbered = countsUp(lines, first, first + last);
    const fits = there.flatMap((line, index) => {
      const least = index === 0 && first === after?.last ? after.to : 0;
      const search = { isFirst: index === 0, isLast: index === last, isWhole, isNumbered, least };
      return fitLine(line, wanted[index] ?? [], search) ?? [];
    });
    if (fits.length < wanted.length || !areAlike(fits)) continue;
    const [from, to] = [fits[0]?.from ?? 0, fits.at(-1)?.to ?? 0];
    yield { first, last: first + last, from, to, chosen: fits.map(({ candidate }) => candidate) };
  }
}

/** All lines have lost the same before them; the first may begin anywhere. */
function areAlike([first, ...others]: readonly Fit[]): boolean {
  const files = new Set(others.map(({ dropped }) => dropped));
  if (files.size > 1) return false;
  const [file] = files;
  if (first === undefined || others.length === 0 || first.dropped === file) return true;
  return first.dropped === undefined && (file === undefined || first.from > 0);
}

/** True for lines with numbers before them, as `cat -n` prints them, and a line beside them goes on: else they are figures. */
function countsUp(lines: readonly OutputLine[], first: number, last: number): boolean {
  const start = lines[first] && ownNumber(lines[first]);
  if (start === undefined) return false;
  const isNext = (at: number) => {
    const line = lines[at];
    return line !== undefined && ownNumber(line) === start + at - first;
  };
  for (let at = first + 1; at <= last; at += 1) if (!isNext(at)) return false;
  return isNext(first - 1) || isNext(last + 1) || last - first > 1;
}

function ownNumber(line: OutputLine): number | undefined {
  return prefixesIn(line).find(({ file }) => file === undefined)?.number;
}

const known = new WeakMap<OutputLine, Prefix[]>();

/** Read once for each line. */
function prefixesIn(line: OutputLine): Prefix[] {
  const prefixes = known.get(line) ?? prefixesOf(line.text);
  known.set(line, prefixes);
  return prefixes;
}

type Range = { from: number; to: number };
/** `dropped`: the file, or nothing but the number, that stands before the text in the output. */
type Fit = Range & { candidate: Candidate; dropped?: string };
/** `isNumbered`: the lines of the output have numbers before them. `least`: the first character that may be taken. */
type LineSearch = { isFirst: boolean; isLast: boolean; isWhole: boolean; isNumbered: boolean; least: number };

function fitLine(line: OutputLine, candidates: readonly Candidate[], search: LineSearch): Fit | undefined {
  for (const candidate of candidates) {
    const ranges = rangesOf(line, candidate, search);
    const range = ranges.find(({ from }) => from >= search.least && !isSigned(line.text, from, candidate));
    if (range === undefined) continue;
    const prefix = prefixesIn(line).find(({ length }) => length === range.from);
    return { ...range, candidate, ...defined({ dropped: prefix && (prefix.file ?? '') }) };
  }
  return undefined;
}

/** The sign of a diff or a box before the line is not the mark of a list before the quote. */
function isSigned(line: string, from: number, { mark }: Candidate): boolean {
  return mark !== undefined && /(?:^|\s)[-+*>✓✗]\s?$|\]\s?$/.test(line.slice(0, from));
}

/** A number before a quote must be the one of its line: in the output, in the page, or printed before it, with its file. */
function rangesOf(line: OutputLine, { text, number, file }: Candidate, search: LineSearch): Range[] {
  if (!line.text.includes(text)) return [];
  const prefixes = prefixesIn(line);
  if (number === undefined) {
    const dropped = prefixes.filter((prefix) => prefix.file !== undefined || search.isNumbered);
    return textRanges(line.text, text, [0, ...dropped.map(({ length }) => length)], search);
  }
  const files = prefixes.flatMap((prefix) => prefix.file ?? []);
  if (file !== undefined && files.length > 0 && !files.some((each) => isSameFile(each, file))) return [];
  const printed = prefixes.flatMap((prefix) => (prefix.number === number ? [prefix.length] : []));
  const isNumbered = number === line.number || number === line.pageNumber;
  const starts = isNumbered ? [0, ...printed] : printed;
  return textRanges(line.text, text, starts, search).filter(({ from }) => starts.includes(from));
}

/** One may be a longer path to the other. */
function isSameFile(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

/** `starts` are the characters at which the line may begin. */
function textRanges(
  line: string,
  text: string,
  starts: readonly number[],
  { isFirst, isLast, isWhole }: LineSearch,
): Range[] {
  const begins = starts.map((from) => ({ from, to: from + text.length }));
  const whole = begins.filter(({ from }) => line.slice(from) === text);
  if (isWhole || whole.length > 0) return whole;
  if (isFirst && isLast) return occurrences(line, text).filter((each) => endsWords(line, each));
  const end = { from: line.length - text.length, to: line.length };
  if (isFirst) return line.endsWith(text) && endsWords(line, end) ? [end] : [];
  if (!isLast) return [];
  return begins.filter((each) => line.startsWith(text, each.from) && endsWords(line, each));
}

function occurrences(line: string, text: string): Range[] {
  const found: Range[] = [];
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + text.length))
    found.push({ from: at, to: at + text.length });
  return found;
}

function endsWords(line: string, { from, to }: Range): boolean {
  return [from, to].every(
    (at) =>
      !/[\p{L}\p{N}_]$/u.test(line.slice(Math.max(0, at - 2), at)) ||
      !/^[\p{L}\p{N}_]/u.test(line.slice(at, at + 2)),
  );
}
