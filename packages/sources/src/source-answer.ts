// An answer of a source as a reader understood it: rows, none, partial, failed or unknown, and nothing else. Pure. "Nothing
// found" is said for `none` alone, and by one place (shown-answer.ts).
import { defined } from '@holdfast/base/defined';
import type { Json } from '@holdfast/base/json';
import type { Values } from './template.ts';

/**
 * `came`: how many things the rows are about, if not one a row. `total`: how many there are, if the source says so; with
 * `atLeast` it has counted no further. `left`: how many the reader has left out. `more`: whether there are more, if that
 * alone is known. Without any of them the `limit` of the tool decides.
 */
export type Counts = {
  came?: number | undefined;
  total?: number | undefined;
  atLeast?: boolean;
  left?: number | undefined;
  more?: boolean | undefined;
};

/** Said by the source beside its answer, and no gap. */
type Notes = { notes?: readonly string[] };

/** Texts, a line each; or the objects that `rowsAre` and `show` of the tool ask for. */
export type Rows = readonly Json[];

export type SourceAnswer =
  | ({ is: 'rows'; rows: Rows } & Counts & Notes)
  /** Something is missing, hidden or in an unknown form. `why`: a sentence each. */
  | ({ is: 'partial'; why: readonly string[]; rows: Rows } & Counts & Notes)
  /** The source has looked, and there is nothing. */
  | ({ is: 'none' } & Notes)
  /** An error in place of an answer, whatever its status or exit code says. */
  | { is: 'failed'; why: string; answer?: 'no_access' | 'not_reachable' | undefined }
  /** In no form that the reader knows: the text is shown as it came. */
  | { is: 'unknown'; why: string };

/** Reads the answer of one tool. `args` are the arguments of the call, with times in the form of the tool. */
export type Reader = (text: string, args: Values) => SourceAnswer;

/** The exports of the module beside a toolset's file. */
export type ReaderModule = Readonly<Record<string, unknown>>;

/** Absent parts are left out, so that a reader can write `condition && text`. */
export type Maybe<T> = T | false | null | undefined | '';

/** With a gap: partial. Without a row, a gap, and anything that came or is left: none. */
export function answer(
  rows: readonly Maybe<Json>[],
  { gaps = [], ...counts }: { gaps?: readonly Maybe<string>[] } & Counts = {},
): SourceAnswer {
  const there = rows.filter(isThere);
  const { left: rest = 0, total = rest, more = false } = counts;
  const left = total > 0 ? `none of ${total} came` : more && 'nothing came, and there is more';
  const why = [there.length === 0 && left, ...gaps].filter(isThere);
  if (why.length > 0) return { is: 'partial', why, rows: there, ...defined(counts) };
  return there.length === 0 && (counts.came ?? 0) <= 0
    ? { is: 'none' }
    : { is: 'rows', rows: there, ...defined(counts) };
}

export function failed(why: string, kind?: 'no_access' | 'not_reachable'): SourceAnswer {
  return { is: 'failed', why, ...defined({ answer: kind }) };
}

/** The same answer, known to be less than whole. */
export function withGaps(read: SourceAnswer, gaps: readonly Maybe<string>[]): SourceAnswer {
  const more = gaps.filter(isThere);
  if (more.length === 0 || read.is === 'failed') return read;
  if (read.is === 'unknown') return { ...read, why: [...more, read.why].join('; ') };
  const { rows, why } = read.is === 'partial' ? read : { rows: read.is === 'none' ? [] : read.rows, why: [] };
  return { ...read, is: 'partial', why: [...new Set([...more, ...why])], rows };
}

/** The parts that are there, with a blank between them. */
export function words(...parts: readonly Maybe<string | number>[]): string {
  return parts.filter(isThere).join(' ');
}

function isThere<T>(part: Maybe<T>): part is T {
  return part !== undefined && part !== null && part !== false && part !== '';
}
