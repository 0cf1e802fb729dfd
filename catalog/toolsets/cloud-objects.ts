// Objects of the command lines of clouds as lines: their answers have as many forms as there are commands. Pure.
import { cutText } from '@holdfast/base/cut-text';
import { isRecord, parseJson } from '@holdfast/base/json';
import { type Reader, type SourceAnswer, withGaps } from '@holdfast/sources/source-answer';

/** JSON of any form; nothing printed is nothing. A limit among the words comes before `--query`, which hides that there is more. */
export function readCloud(read: (value: unknown) => SourceAnswer): Reader {
  return (said, { words = [] }) => {
    if (said.trim() === '') return { is: 'none' };
    const value = parseJson(said);
    if (value === undefined) return { is: 'unknown', why: 'expected JSON' };
    const found = read(value);
    const given = [words].flat().flatMap((word) => shown(word).split(/(?<=^--[\w-]+)=/));
    const after = (name: RegExp): string | undefined =>
      given.find((_, index) => name.test(given[index - 1] ?? ''));
    const limit = after(/^--(?:max-(?:items|results|records|events)|limit|top)$/);
    if (limit === undefined) return found;
    // one that filters or sums up
    if (/[?|(]/.test(after(/^--query$/) ?? ''))
      return withGaps(found, [`--query has looked at no more than the first ${limit}`]);
    return 'rows' in found && found.rows.length >= Number(limit) ? { more: true, ...found } : found;
  };
}

/** A text as it is, anything else as JSON, cut. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : cutText(JSON.stringify(value), 800);
}

/** A line for each field; of a list a line for each of its items. */
export function objectLines(value: unknown, leftOut: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.map(shown);
  if (!isRecord(value)) return [shown(value)];
  return Object.entries(value).flatMap(([name, each]) => {
    if (leftOut.includes(name) || each === null) return [];
    return Array.isArray(each) ? each.map(shown) : [`${name}: ${shown(each)}`];
  });
}
