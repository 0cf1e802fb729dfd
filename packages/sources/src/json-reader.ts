// Readers of answers in JSON: the form is checked by a schema, and an error in place of an answer is told from an answer in
// one place for every source. Pure.
import { z } from 'zod';
import { isRecord, type JsonRecord, parseJson } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import { counted } from '@holdfast/base/words';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { kindOfStatus } from './answer-kind.ts';
import { fitting } from './misfits.ts';
import { failed, type Maybe, type Reader, type SourceAnswer, withGaps } from './source-answer.ts';
import type { Values } from './template.ts';

const saidLength = 600;

/**
 * A reader of one JSON value. `schema` has to require the field that holds the rows: an answer without it is an error or
 * unknown, never nothing.
 */
export function readJson<Schema extends z.ZodType>(
  schema: Schema,
  read: (answer: z.output<Schema>, args: Values) => SourceAnswer,
): Reader {
  return (text, args) => {
    if (text.trim() === '') return { is: 'unknown', why: 'it is empty, where JSON is due' };
    const value = parseJson(text);
    return value === undefined ? noJson(text) : readValue(value, schema, (fit) => read(fit, args));
  };
}

/** A reader of JSON values, one a line. A line that does not fit is a gap. */
export function readJsonLines<Schema extends z.ZodType>(
  schema: Schema,
  read: (lines: z.output<Schema>[], args: Values) => SourceAnswer,
): Reader {
  return (text, args) => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const values = lines.flatMap((line) => parseJson(line) ?? []);
    if (values.length === 0 && lines.length > 0) return noJson(text);
    const [only] = values;
    if (values.length === 1 && (isRefusal(only) || !schema.safeParse(only).success)) {
      const error = errorIn(only);
      if (error !== undefined) return refused(only, error);
    }
    const cut = lines.length - values.length;
    const made = readValue(values, z.array(schema), (fit) => read(fit, args));
    return withGaps(made, [cut > 0 && `${counted(cut, 'line')} of it is no JSON`]);
  };
}

function readValue<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  read: (fit: z.output<Schema>) => SourceAnswer,
): SourceAnswer {
  if (isRefusal(value)) return refused(value, errorIn(value));
  const found = fitting(value, schema);
  if ('fit' in found) {
    const made = withWords(read(found.fit), value);
    if (found.gaps.length === 0) return made;
    const hasRows = made.is === 'rows' || made.is === 'partial';
    // items that cannot be read have come, too: a limit counts them
    const all = hasRows ? { ...made, came: (made.came ?? made.rows.length) + found.lost } : made;
    if (!found.isBare || (hasRows && made.rows.length > 0)) return withGaps(all, found.gaps);
  }
  const error = errorIn(value);
  if (saysFailed(value) || error !== undefined) return refused(value, error);
  return { is: 'unknown', why: 'why' in found ? found.why : found.gaps.join('; ') };
}

/**
 * With the words of the source about it. An error beside nothing is no answer, beside rows a gap; an object that failed
 * (a build, a job) is data.
 */
function withWords(read: SourceAnswer, value: unknown): SourceAnswer {
  if (!isRecord(value) || read.is === 'failed' || read.is === 'unknown') return read;
  const reason = errorStatusIn(value) ? value : { error: value['error'], errors: value['errors'] };
  const error = read.is === 'none' ? errorIn(reason) : undefined;
  if (error !== undefined || (read.is === 'none' && saysFailed(value))) return refused(value, error);
  const notes = sentencesOf(value['infos']);
  return withGaps(notes.length === 0 ? read : { ...read, notes }, gapsIn(value));
}

/** Gateways and sign-in pages answer in HTML, with status 200. */
export function isPage(text: string): boolean {
  return /^\s*(?:<(?:!--[^]{0,2000}?--|\?xml[^>]*)>\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|form)\b/i.test(
    text,
  );
}

export function pageWords(text: string): string {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(text)?.[1];
  return `a page of HTML in place of data${title === undefined ? '' : `, "${toOneLine(title, 100)}"`}: perhaps a sign-in or a proxy`;
}

function noJson(text: string): SourceAnswer {
  return isPage(text) ? failed(pageWords(text), 'not_reachable') : { is: 'unknown', why: 'expected JSON' };
}

/** With the kind that a status in the answer tells. */
function refused(value: unknown, error = toOneLine(JSON.stringify(value), saidLength)): SourceAnswer {
  return failed(error, kindOfStatus(errorStatusIn(value) ?? 0));
}

/** The status of HTTP that an error names in itself. */
function errorStatusIn(value: unknown): number | undefined {
  return ['status', 'statusCode', 'status_code', 'code', 'error.code', 'error.status']
    .map((path) => Number(valueAt(value, path)))
    .find((each) => each >= 400 && each < 600);
}

/** An error that its sender calls one, whatever else is there. */
function isRefusal(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { success, ok, error, errors } = value;
  const hasReason = [error, errors].some((reason) => sentencesOf(reason).length > 0);
  return success === false || ok === false || (saysFailed(value) && hasReason);
}

function saysFailed(value: unknown): boolean {
  const status = isRecord(value) ? value['status'] : undefined;
  return typeof status === 'string' && /^(?:error|fail|failed|failure)$/i.test(status);
}

/** The fields in which APIs say why, the most telling first. */
const reasons = ['error', 'errors', 'Error', 'fault', 'errorMessages', 'message', 'Message', 'msg', 'detail'];
/** Data has fields of these names, too: they count within an error, and beside a status of one. */
const weakReasons = ['details', 'title', 'reason', 'description'];

/** The reason of an error; undefined for a value that has none. */
function errorIn(value: unknown, isWithin = false): string | undefined {
  if (!isRecord(value)) return undefined;
  const names =
    isWithin || errorStatusIn(value) || saysFailed(value) ? [...reasons, ...weakReasons] : reasons;
  const kind = ['errorType', 'type', 'code']
    .map((name) => value[name])
    .find((each) => typeof each === 'string');
  const said = names.flatMap((name) => sentencesOf(value[name]));
  if (said.length === 0) return undefined;
  const words = new Set(present([kind, ...said]));
  return toOneLine([...words].join(': '), saidLength);
}

function sentencesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(sentencesOf);
  if (!isRecord(value)) return [];
  const said = errorIn(value, true);
  return said !== undefined ? [said] : Object.keys(value).length === 0 ? [] : [JSON.stringify(value)];
}

/** The words of a good answer about itself: that a part is missing. */
function gapsIn(value: JsonRecord): string[] {
  const { error, errors, warnings, _shards: shards } = value;
  const isPart = [
    'isPartial',
    'is_partial',
    'partial',
    'partialResults',
    'incomplete_results',
    'incompleteResults',
  ].some((name) => value[name] === true);
  const isLate = value['timed_out'] === true || value['timedOut'] === true;
  return present([
    ...[error, errors, warnings].flatMap(sentencesOf),
    (isPart || /^partial$/i.test(String(value['status']))) &&
      'the source says that it is a part: not every store has answered',
    isLate && 'the search ran out of time',
    isRecord(shards) && shardGap(shards),
  ]);
}

/** As https://www.elastic.co/guide/en/elasticsearch/reference/8.19/search-search.html describes them. */
function shardGap({ failed: lost, total, failures }: JsonRecord): string | undefined {
  if (typeof lost !== 'number' || lost === 0) return undefined;
  return `${lost} of ${String(total)} shards failed${sentencesOf(failures).map((said) => `: ${said}`)[0] ?? ''}`;
}

/** Texts of an API: a number is one too, null and an empty text are absent. */
export const text = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .transform((value) => (value === null || value === undefined || value === '' ? undefined : String(value)));

/** A number, also one that is written as a text; absent for null. */
export const number = z
  .union([z.number(), z.string().regex(/^\s*[-+]?[\d.]+(?:e[-+]?\d+)?\s*$/i)])
  .nullish()
  .transform((value) => (value === null || value === undefined ? undefined : Number(value)));

/** A list that is null where there is nothing, as programs in Go send it. The field itself has to be there. */
export function list<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullable()
    .transform((items) => items ?? []);
}

/** An object of any fields, for what has no fixed form. */
export const record = z.record(z.string(), z.unknown());

/**
 * A time of any form as RFC 3339, with milliseconds: a text stays, a number is seconds, milliseconds, microseconds or
 * nanoseconds since 1970 by its size.
 */
export function timeOf(at: Maybe<string | number>): string | undefined {
  if (at === undefined || at === null || at === false || at === '') return undefined;
  const digits = /^(\d{9,19})(?:\.\d+)?$/.exec(String(at))?.[1];
  if (digits === undefined) return String(at);
  const ms =
    digits.length <= 11 ? Math.round(Number(at) * 1_000) : Number(digits.padEnd(13, '0').slice(0, 13));
  return new Date(ms).toISOString();
}

/**
 * The value of the first path that has one: through nested objects, or with dots in a name (`service.name`); of a list the
 * values of its items, or of one (`links.0.href`).
 */
export function valueAt(value: unknown, ...paths: readonly string[]): unknown {
  for (const path of paths) {
    const found = walk(value, path);
    if (found !== undefined && found !== null && found !== '') return found;
  }
  return undefined;
}

function walk(value: unknown, path: string): unknown {
  if (Array.isArray(value)) {
    const [index = '', rest] = path.split(/\.(.*)/s, 2);
    if (/^\d+$/.test(index))
      return rest === undefined ? value[Number(index)] : walk(value[Number(index)], rest);
    const found = value.map((item) => walk(item, path)).filter((item) => item !== undefined && item !== null);
    return found.length === 0 ? undefined : found.flat();
  }
  if (!isRecord(value)) return undefined;
  if (value[path] !== undefined) return value[path];
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const inner = value[path.slice(0, dot)];
    const found = inner === undefined ? undefined : walk(inner, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One line of a value of any kind, at most `length` characters. */
export function shortText(value: unknown, length = 300): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const whole =
    Array.isArray(value) && value.every((item) => typeof item !== 'object')
      ? value.join(', ')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  return toOneLine(whole, length);
}
