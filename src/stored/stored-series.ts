// The series in a stored output of a tool whose answer is a summary of series, for the report's pictures. Runs in Node,
// pure.
import type { Series } from '../core/base/series.ts';
import { isRecord } from '../core/base/json.ts';

/** Between what the model read and the series, which have a line each up to a blank one. */
export const storedSeriesMark = '[The series:]';

/** The series that line `line` (from 1) of the output is about; undefined if it is about none. */
export function seriesAt(output: string, line: number): Series | undefined {
  const lines = output.split('\n');
  const mark = lines.indexOf(storedSeriesMark);
  if (mark < 0) return undefined;
  if (line > mark) return toSeries(lines[line - 1]);
  // the lines of a series are indented under the one that begins with its name
  const head = lines.slice(0, line).findLast((each) => /^\S/.test(each)) ?? '';
  const blank = lines.indexOf('', mark);
  const rows = lines.slice(mark + 1, blank < 0 ? undefined : blank);
  const named = rows.map(toSeries).filter((each) => each !== undefined && head.startsWith(`${each.name}: `));
  // one name may be the beginning of another
  return named.toSorted((left, right) => (right?.name.length ?? 0) - (left?.name.length ?? 0))[0];
}

/** Undefined for another line, and for one that redaction has changed. */
function toSeries(row = ''): Series | undefined {
  try {
    const value: unknown = JSON.parse(row);
    const isSeries = isRecord(value) && typeof value['name'] === 'string' && Array.isArray(value['points']);
    return isSeries ? (value as Series) : undefined;
  } catch {
    return undefined;
  }
}
