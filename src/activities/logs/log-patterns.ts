// A large answer of a log source for the model: the templates of its lines, those that speak of a failure first, then the
// newest lines. Runs in Node, pure.
import { setImmediate } from 'node:timers/promises';
import { cutText } from '@holdfast/base/cut-text';
import { counted, toSecond, toUtc } from '@holdfast/base/words';
import { countLineFeeds, linesOf } from '@holdfast/stored/stored-output';
import { weightOf } from '../report/decisive-lines.ts';
import { isCutNotice } from '@holdfast/processes/output-buffer';
import { noYear, timeOfLine } from '@holdfast/base/line-time';
import { present } from '@holdfast/base/present';
import type { ToolContext } from '../tools/define-tool.ts';
import { type LogTemplate, LogTemplates } from './log-templates.ts';

/** Shorter answers stay as they are. */
const fewLines = 40;
/** More lines are no log, and would hold up the worker for seconds. */
const mostLines = 200_000;
/** Heartbeats and other calls get their turn after so many. */
const sliceLines = 2_000;
/** Share of the characters from which on the patterns save too little. */
const worthwhile = 0.6;
/** Templates that are shown: of failures, and of other lines. */
const mostWrong = 16;
const mostOthers = 14;
const newestLines = 10;
const shownLength = 300;

/** A log by its patterns, with the whole text for the store. Undefined for few lines, and for lines that are no log. */
export async function byPatterns(text: string, redact: ToolContext['redact']) {
  const full = redact(text);
  const patterns = await logPatterns(full, { onlyTimed: true });
  return patterns === undefined ? undefined : { text: patterns, full, isSelection: true as const };
}

type Ends = { first: string[]; last: string[] };

/**
 * The patterns of a text, or undefined if they would not be much shorter, or, with `onlyTimed`, if less than half of the
 * lines have a time. Line numbers are those of `text` behind so many lines `before` it. Its secrets must be out: a line of
 * a key says no more what it is.
 */
export async function logPatterns(
  text: string,
  { onlyTimed = false, before = 0 } = {},
): Promise<string | undefined> {
  if (countLineFeeds(text) > mostLines) return undefined;
  const templates = new LogTemplates();
  const ends: Ends = { first: [], last: [] };
  let count = 0;
  // lines behind it have other numbers in the artifact
  let cutAt = Infinity;
  for (const { text: line, number } of linesOf(text, { from: 0, fromLine: 1 + before })) {
    templates.add(line, number);
    if (isCutNotice(line)) cutAt = number;
    if (count < newestLines) ends.first.push(line);
    ends.last.push(line);
    if (ends.last.length > newestLines) ends.last.shift();
    count += 1;
    if (count % sliceLines === 0) await setImmediate();
  }
  const timed = templates.all.reduce((sum, each) => sum + each.timed, 0);
  if (count <= fewLines || (onlyTimed && timed * 2 < count)) return undefined;
  const shown = described(templates.all, count, ends, cutAt);
  return shown.length > worthwhile * text.length ? undefined : shown;
}

function described(templates: readonly LogTemplate[], count: number, ends: Ends, cutAt: number): string {
  const wrong = templates.filter(({ isWrong }) => isWrong);
  const others = templates.filter(({ isWrong }) => !isWrong);
  const chosen = [...commonAndRare(wrong, mostWrong), ...commonAndRare(others, mostOthers)];
  const toTime = timesFor(templates);
  const what = `${counted(count, 'line')}${toTime.span}, in ${counted(templates.length, 'pattern')}`;
  const newest = newestOf(ends);
  return present([
    `[${what}: failures first, then the most and the least frequent. Each by "#" and its first line's number, its count and times, then that line. read_artifact reads its other lines with like: that number.]`,
    ...chosen.flatMap((each) => [
      `#${each.line < cutAt ? each.line : '?'}: ${counted(each.lines, 'line')}${toTime.of(each)}`,
      cutText(each.sample, shownLength),
    ]),
    ...leftOut(wrong, others, chosen),
    cutAt < Infinity &&
      '[the middle of the output is not counted; lines of "#?" are behind it: search for them]',
    `[the newest ${newest.length} lines]`,
    ...newest.map((line) => cutText(line, shownLength)),
  ]).join('\n');
}

/** The most frequent, and then the rare ones, which are easily overlooked: first those that speak of a change. */
function commonAndRare(templates: readonly LogTemplate[], most: number): LogTemplate[] {
  const sorted = templates.toSorted((left, right) => right.lines - left.lines || left.line - right.line);
  const common = sorted.slice(0, most / 2);
  const rare = sorted
    .slice(most / 2)
    .map((template) => ({ template, weight: weightOf(template.sample.slice(0, shownLength)) }))
    .toSorted((left, right) => right.weight - left.weight || left.template.lines - right.template.lines)
    .slice(0, most / 2);
  return [...common, ...rare.map(({ template }) => template)];
}

function leftOut(
  wrong: readonly LogTemplate[],
  others: readonly LogTemplate[],
  chosen: readonly LogTemplate[],
): string[] {
  const missing = (of: readonly LogTemplate[], what: string): string[] => {
    const left = of.filter((each) => !chosen.includes(each));
    const lines = left.reduce((sum, each) => sum + each.lines, 0);
    return left.length === 0
      ? []
      : [`${counted(left.length, 'pattern')} of ${what} with ${counted(lines, 'line')}`];
  };
  const parts = [...missing(wrong, 'failures'), ...missing(others, 'other lines')];
  return parts.length === 0 ? [] : [`[not shown: ${parts.join(', ')}]`];
}

/** The lines at the end that has the later time; at the end without times. */
function newestOf({ first, last }: Ends): readonly string[] {
  // a notice may stand at either end
  const timeIn = (lines: readonly string[]): number =>
    lines.map((line) => timeOfLine(line).at).find((at) => at !== undefined) ?? 0;
  const [begin, end] = [timeIn(first), timeIn(last.toReversed())];
  return begin > end ? first : last;
}

/** Times in UTC, where the lines name their zones; without the date where it is the same for all. */
function timesFor(templates: readonly LogTemplate[]): { span: string; of(template: LogTemplate): string } {
  const from = Math.min(...templates.map((each) => each.from ?? Infinity));
  const to = Math.max(...templates.map((each) => each.to ?? -Infinity));
  if (from > to) return { span: '', of: () => '' };
  const zone = templates.some(({ unzoned }) => unzoned > 0) ? '' : 'Z';
  // lines without a year get a date without one
  const full = (at: number): string => toSecond(at).replace(`${noYear}-`, '').replace('Z', zone);
  const isOneDay = toUtc(from, 'day') === toUtc(to, 'day');
  const short = (at: number): string => (isOneDay ? toUtc(at, 'clock') : full(at));
  return {
    span: `, ${full(from)} to ${full(to)}`,
    of: (each) =>
      each.from === undefined || each.to === undefined || each.lines === 1
        ? ''
        : `, ${short(each.from)} to ${short(each.to)}`,
  };
}
