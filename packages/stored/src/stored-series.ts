// The series in a stored output of a tool whose answer is a summary of series, for the report's pictures. Runs in Node,
// pure.
import { isList, isText, objectOf, parseJson } from '@holdfast/base/json';
import type { Series } from '@holdfast/base/series';

/** Between the text that the model read and the series, which have a line each, up to a blank one. */
export const storedSeriesMark = '[The series:]';

/** From a line of the output (from 1) to the series that it is about. */
export type SeriesAt = (line: number) => Series | undefined;

export function readStoredSeries(output: string): SeriesAt {
  const lines = output.split('\n');
  const mark = lines.indexOf(storedSeriesMark);
  const blank = lines.indexOf('', mark);
  const rows = mark < 0 ? [] : lines.slice(mark + 1, blank < 0 ? undefined : blank).map(toSeries);
  return (line) => {
    if (line > mark) return rows[line - mark - 2];
    // the lines of a series are indented, under the one that begins with its name
    const head = lines.slice(0, line).findLast((each) => /^\S/.test(each)) ?? '';
    const named = rows.filter((each) => each !== undefined && head.startsWith(`${each.name}: `));
    // one name may be the beginning of another
    return named.toSorted((left, right) => (right?.name.length ?? 0) - (left?.name.length ?? 0))[0];
  };
}

const isSeries = objectOf<Series>({ name: isText, points: isList });

/** Undefined for a line that redaction has changed. */
function toSeries(row: string): Series | undefined {
  const value: unknown = parseJson(row);
  return isSeries(value) ? value : undefined;
}
