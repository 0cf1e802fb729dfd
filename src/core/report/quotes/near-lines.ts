// Lines of an output as a quote is looked for in them, and the places in which the lines of a quote stand. Pure.
import { defined } from '../../base/defined.ts';
import { applyRules, type SignRule, softBreak } from './plain-text.ts';
import { type Candidate, prefixesOf } from './quote-forms.ts';

/** A text of an output: `firstLine` is the number of its first line, `pageLine` that in the file which a page shows. */
export type Output = { text: string; firstLine: number; pageLine?: number };

export type OutputLine = { text: string; number: number; pageNumber?: number };

/** Lines from 0; `from` is a character of the first one, `to` of the last one. */
export type Place = { first: number; last: number; from: number; to: number; chosen: Candidate[] };

/** Without empty ones; a line with escaped line feeds is several of one number. */
export function readLines({ text, firstLine, pageLine }: Output, rules: readonly SignRule[]): OutputLine[] {
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
export type Search = { isWhole: boolean; after?: Place };

/** Finds the lines together: the end of the first, whole ones, the beginning of the last; of a single one any part. */
export function* placesOf(
  lines: readonly OutputLine[],
  wanted: readonly Candidate[][],
  { isWhole, after }: Search,
): Generator<Place> {
  for (let first = after?.last ?? 0; first + wanted.length <= lines.length; first += 1) {
    const text = lines[first]?.text ?? '';
    if (!wanted[0]?.some((candidate) => text.includes(candidate.text))) continue;
    const isNumbered = wanted.length > 1 && countsUp(lines.slice(first, first + wanted.length));
    const fits: Fit[] = [];
    for (const [index, candidates] of wanted.entries()) {
      const fit = fitLine(lines[first + index], candidates, {
        isFirst: index === 0,
        isLast: index === wanted.length - 1,
        isWhole,
        isNumbered,
        least: index === 0 && first === after?.last ? after.to : 0,
      });
      if (fit === undefined) break;
      fits.push(fit);
    }
    if (fits.length < wanted.length) continue;
    const [from, to] = [fits[0]?.from ?? 0, fits.at(-1)?.to ?? 0];
    const chosen = fits.map(({ candidate }) => candidate);
    yield { first, last: first + wanted.length - 1, from, to, chosen };
  }
}

/** True for lines with numbers before them, as `cat -n` prints them: what else begins with a number is a figure. */
function countsUp(lines: readonly OutputLine[]): boolean {
  const numbers = lines.map(({ text }) => prefixesOf(text).find(({ isFile }) => !isFile)?.number);
  return numbers.every((number, index) => number !== undefined && number === (numbers[0] ?? 0) + index);
}

type Range = { from: number; to: number };
type Fit = Range & { candidate: Candidate };
/** `isNumbered`: the lines of the output have numbers before them. `least`: the first character that may be taken. */
type LineSearch = { isFirst: boolean; isLast: boolean; isWhole: boolean; isNumbered: boolean; least: number };

function fitLine(
  line: OutputLine | undefined,
  candidates: readonly Candidate[],
  search: LineSearch,
): Fit | undefined {
  if (line === undefined) return undefined;
  for (const candidate of candidates)
    for (const range of rangesOf(line, candidate, search))
      if (range.from >= search.least) return { ...range, candidate };
  return undefined;
}

/** A number before a quote must be the one of its line: in the output, in the page, or printed before it. */
function rangesOf(line: OutputLine, { text, number }: Candidate, search: LineSearch): Range[] {
  if (!line.text.includes(text)) return [];
  const prefixes = prefixesOf(line.text);
  if (number === undefined) {
    const dropped = prefixes.filter(({ isFile }) => isFile || search.isNumbered);
    return textRanges(line.text, text, [0, ...dropped.map(({ length }) => length)], search);
  }
  const printed = prefixes.flatMap((prefix) => (prefix.number === number ? [prefix.length] : []));
  const starts = [...(number === line.number || number === line.pageNumber ? [0] : []), ...printed];
  return textRanges(line.text, text, starts, search).filter(({ from }) => starts.includes(from));
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
