// The answer of a source as its call returns it: what its reader made of it, in words that tell rows, nothing, a part, a
// failure and an unknown form apart; the whole for the store, a link for people. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { isList, isText, type Json } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import { timeWords } from '@holdfast/base/series';
import { webAddress } from '@holdfast/base/web-address';
import { logPatterns } from '../logs/log-patterns.ts';
import { toOneLine } from '@holdfast/redaction/sanitise';
import type { AnswerKind } from '@holdfast/sources/answer-kind';
import type { ToolContext, ToolReturn } from '../tools/define-tool.ts';
import { fillAddress } from '@holdfast/sources/address';
import { bySigns, needOf, noAccess, nothingFound, notReachable } from './answer.ts';
import { toChangeLines } from '@holdfast/sources/change-rows';
import { cleanAnswer, redactedAnswer } from '@holdfast/sources/clean-answer';
import { isPage, pageWords } from '@holdfast/sources/json-reader';
import { readerOf } from './readers.ts';
import { seriesAnswer } from './series-answer.ts';
import { readSeries } from '@holdfast/sources/series-summary';
import { answer, type Rows, type SourceAnswer, withGaps } from '@holdfast/sources/source-answer';
import { type Values, fillJson } from '@holdfast/sources/template';
import type { ToolsetLink, ToolsetTool } from '@holdfast/sources/toolset.schema';
import { type ToolsetPlace, toValues } from './toolset-place.ts';

/** A call that was answered. */
export type AnsweredCall = {
  declared: ToolsetTool;
  /** The arguments, with times in the tool's form. */
  input: Values;
  place: ToolsetPlace;
  redact: ToolContext['redact'];
};

/**
 * The output as it came. `gaps`: what is known to be missing of it. `aside`: what a command said on standard error.
 * `isAbsent`: its status says that there is nothing, if it is blank.
 */
export type Came = { text: string; gaps?: readonly string[]; aside?: string; isAbsent?: boolean };

/** The answer for the earlier window of a comparison, which began so much earlier, such as `1d`. */
export type Earlier = { came: Came; by: string };

type Understood = Extract<SourceAnswer, { is: 'rows' | 'partial' }>;
type Details = { [name: string]: Json };

/** Begins each line that says why an answer is not whole. */
export const gapMark = 'Not whole: ';
const gapLength = 400;
const shownGaps = 5;

export async function shownAnswer(
  came: Came,
  call: AnsweredCall,
  details: Details,
  earlier?: Earlier,
): Promise<ToolReturn> {
  const { declared, input, place } = call;
  const clean = (text: string): string => (place.clean ? cleanAnswer(text, place.clean) : text);
  const [raw, rawBefore] = [clean(came.text), clean(earlier?.came.text ?? '')];
  const link = declared.link && linkOf(declared.link, input, place.settings);
  const known = { ...details, ...defined({ link }) };
  const now = understand({ ...came, text: raw }, call);
  const before = earlier && understand({ ...earlier.came, text: rawBefore }, call);
  if (isFailure(now)) return shownFailure(now, raw, call, known);
  if (before && isFailure(before)) return shownFailure(before, rawBefore, call, known);
  if (now.is === 'none' && (before === undefined || before.is === 'none') && declared.effect === 'read')
    return {
      text: [nothingFound(askedTimes(declared, input)), ...noteLines(now), ...asideLines(came.aside)].join(
        '\n',
      ),
      full: raw,
      details: { ...known, answer: 'nothing' satisfies AnswerKind },
    };
  const compared = earlier && before && { read: toRows(before), by: earlier.by };
  return shownRows(toRows(now), raw, call, known, came.aside, compared);
}

/** A blank output has nothing, too. */
export function isNothing(text: string, nothing: string): boolean {
  return text.trim() === '' || new RegExp(nothing, 'u').test(text);
}

/** The one place that decides what an answer is. A reader that throws has not understood it. */
function understand(
  { text, gaps = [], isAbsent = false }: Came,
  { declared, input, place, redact }: AnsweredCall,
): SourceAnswer {
  const { nothing } = declared;
  const reader = readerOf(declared, place.readers);
  const isBlankJson = text.trim() === '' && declared.http !== undefined && reader !== undefined;
  if (isBlankJson ? isAbsent : nothing !== undefined && isNothing(text, nothing))
    return withGaps({ is: 'none' }, gaps);
  if (place.signs.failed?.test(text)) return { is: 'failed', why: toOneLine(text, gapLength) };
  const hidden = place.signs.hidden?.exec(text)?.[0];
  const all = present([
    ...gaps,
    hidden !== undefined && `the source hides a part of it: ${hidden}.${needOf(place)}`,
  ]);
  try {
    // a reader cuts, and a part of a secret is known by nobody
    const read = withGaps(
      reader ? checked(reader(redactedAnswer(text, redact), input)) : textAnswer(text, declared),
      all,
    );
    if (declared.show === 'series') readSeries(toRows(read).rows);
    const isBare = read.is === 'rows' && read.rows.length === 0;
    // what came has nothing in it: that is nothing, where the limit has cut nothing off
    if (isBare && limitLines(read, declared, input).length === 0) return { ...read, is: 'none' };
    return declared.rowsAre === 'changes' ? toChangeLines(read, redact) : read;
  } catch (error) {
    return { is: 'unknown', why: toOneLine(messageOf(error), gapLength) };
  }
}

/** A reader beside a file of a user is plain code, which no compiler has checked. */
function checked(read: SourceAnswer): SourceAnswer {
  const { is, rows, why }: { is?: unknown; rows?: unknown; why?: unknown } = { ...read };
  const fits = {
    rows: isList(rows),
    partial: isList(rows) && isList(why),
    none: true,
    failed: isText(why),
    unknown: isText(why),
  };
  if (isText(is) && Object.entries(fits).some(([kind, holds]) => kind === is && holds)) return read;
  throw new Error(
    `its reader gave ${JSON.stringify(read)?.slice(0, 100)}: expected { is: 'rows', rows: [...] }, none, partial (with rows and why: [...]), failed or unknown (with why: '...'), and no promise`,
  );
}

/** A page where nobody declared one is no answer of an API. */
function textAnswer(text: string, { http }: ToolsetTool): SourceAnswer {
  if (http !== undefined && isPage(text)) return { is: 'unknown', why: pageWords(text) };
  return answer([text.trim() === '' ? undefined : text]);
}

function toRows(read: SourceAnswer): Understood {
  return read.is === 'rows' || read.is === 'partial' ? read : { is: 'rows', rows: [] };
}

type Failure = Extract<SourceAnswer, { is: 'failed' | 'unknown' }>;

function isFailure(read: SourceAnswer): read is Failure {
  return read.is === 'failed' || read.is === 'unknown';
}

function shownFailure(read: Failure, raw: string, { place }: AnsweredCall, details: Details): ToolReturn {
  if (read.is === 'unknown') {
    const head = `[In a form that this tool does not know (${read.why}): shown as it came. What it lacks proves nothing.]`;
    return { text: `${head}\n${raw}`, details: { ...details, answer: 'unknown' satisfies AnswerKind } };
  }
  const said = `${read.why}\n${raw}`;
  if (read.answer === 'not_reachable') return notReachable(said);
  if (read.answer === 'no_access') return noAccess(said, place);
  return (
    bySigns(read.why, place) ?? {
      text: `Failed: the source answered with an error: ${said}`,
      isError: true,
      details: { ...details, answer: 'failed' satisfies AnswerKind },
    }
  );
}

async function shownRows(
  read: Understood,
  raw: string,
  call: AnsweredCall,
  details: Details,
  aside: string | undefined,
  earlier?: { read: Understood; by: string },
): Promise<ToolReturn> {
  const { declared, input, redact } = call;
  const gaps = new Set([...gapLines(read), ...(earlier ? gapLines(earlier.read) : [])]);
  const head = [...gaps, ...limitLines(read, declared, input), ...noteLines(read)].map((line) =>
    redact(line),
  );
  const series =
    declared.show === 'series'
      ? seriesAnswer(read.rows, earlier && { rows: earlier.read.rows, by: earlier.by })
      : undefined;
  const made = series?.text ?? rowsText(read.rows);
  // without secrets: a single line of a key would not be recognised as a part of one
  const body = declared.show === 'log-patterns' ? redact(made) : made;
  const patterns =
    declared.show === 'log-patterns' ? await logPatterns(body, { before: head.length }) : undefined;
  const shown =
    patterns === undefined
      ? withinLines(body, declared, input)
      : { text: patterns, isSelection: true as const };
  const empty = body === '' ? ['Nothing is in what came.'] : [];
  const join = (text: string): string =>
    present([...head, ...empty, text || undefined, ...asideLines(aside)]).join('\n');
  // a reader of series keeps every number
  const isWhole =
    body === raw || (series !== undefined && series.count > 0 && typeof declared.read === 'string');
  const stored = present([
    join(body),
    series?.stored,
    !isWhole && declared.read !== undefined && `[As it came:]\n${raw}`,
  ]);
  return {
    ...shown,
    text: join(shown.text),
    full: stored.join('\n\n'),
    details: {
      ...details,
      ...defined({
        series: series?.count,
        answer: read.is === 'partial' ? ('partial' satisfies AnswerKind) : undefined,
      }),
    },
  };
}

function asideLines(aside = ''): string[] {
  return aside.trim() === '' ? [] : [`[On standard error:]\n${aside.trim()}`];
}

/** First in the answer, so that nobody takes a part for the whole. */
function gapLines(read: Understood): string[] {
  if (read.is !== 'partial') return [];
  const lines = read.why.slice(0, shownGaps).map((why) => `${gapMark}${toOneLine(why, gapLength)}`);
  const more = read.why.length - lines.length;
  return more > 0 ? [...lines, `${gapMark}${more} more reasons`] : lines;
}

/** After the gaps: it takes nothing away from the answer. */
function noteLines({ notes = [] }: { notes?: readonly string[] }): string[] {
  return notes.slice(0, shownGaps).map((note) => `Note: ${toOneLine(note, gapLength)}`);
}

/** A count that a limit has made is no count. */
function limitLines(
  { rows, came, total: all, left = 0, more, atLeast = false }: Understood,
  declared: ToolsetTool,
  input: Values,
): string[] {
  const { limit, rowsAre } = declared;
  const most = typeof limit === 'string' ? input[limit] : limit;
  const [only] = rows;
  // a text is one row; a line of it that begins with a blank belongs to the entry before it
  const lines =
    rows.length === 1 && typeof only === 'string' && declared.read === undefined
      ? only.split('\n').filter((line) => /^\S/.test(line)).length
      : rows.length;
  const count = came ?? lines;
  const total = all ?? (left > 0 ? count + left : undefined);
  const [mark, rest] =
    rowsAre === 'changes'
      ? [gapMark, ', which are the newest']
      : ['', ': the limit is reached, and there may be more'];
  if (total !== undefined)
    return total > count
      ? [`${mark}${count} of ${atLeast ? 'at least ' : ''}${total}: the rest is left out`]
      : [];
  const isFull = more ?? (typeof most === 'number' && count >= most);
  return isFull ? [`${mark}${count} of at least ${count}${rest}`] : [];
}

/** Texts are a line each; others as a JSON array with a line for each. */
function rowsText(rows: Rows): string {
  if (rows.every((row) => typeof row === 'string')) return rows.join('\n');
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`;
}

/** Absence is absence in a time. */
function askedTimes({ parameters = {} }: ToolsetTool, input: Values): string {
  return Object.entries(parameters)
    .flatMap(([name, { type }]) => {
      const value = input[name];
      return type === 'time' && typeof value === 'string' ? [`${name} ${readable(value)}`] : [];
    })
    .join(', ');
}

/** From any form of a time: 13 digits are milliseconds. */
function readable(time: string): string {
  if (!/^\d{10,19}$/.test(time)) return time;
  return timeWords(Number(time.padEnd(13, '0').slice(0, 13)));
}

function withinLines(
  made: string,
  { lines }: Pick<ToolsetTool, 'lines'>,
  input: Values,
): Pick<ToolReturn, 'text' | 'isSelection'> {
  const limit = typeof lines === 'string' ? input[lines] : lines;
  if (typeof limit !== 'number') return { text: made };
  const all = made.replace(/\n$/, '').split('\n');
  if (all.length <= limit + 1) return { text: made };
  const notice = `[${all.length - limit} more lines: ask for more, or read the artifact]`;
  return { text: `${all.slice(0, limit).join('\n')}\n${notice}`, isSelection: true };
}

/** The address of a panel, a query or a log view. Undefined where it names an absent value, or is no address of a web page. */
function linkOf({ url, query = {} }: ToolsetLink, input: Values, settings: Values): string | undefined {
  const values = toValues(input, settings);
  const filled = fillAddress(url, values, settings);
  const address = filled && URL.parse(`${filled.base}${filled.rest}`);
  if (!address) return undefined;
  for (const [name, part] of Object.entries(query)) {
    const value = fillJson(part, values);
    if (value !== undefined)
      address.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return webAddress(address.href);
}
