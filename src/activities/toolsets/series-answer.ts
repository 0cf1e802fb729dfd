// The answer of a tool whose last transform is `series`: the text for the model, and what is stored with it. Pure. The
// report draws a series from the stored lines.
import { type Series, finitePoints, figure, leastOf, median, mostOf, timeWords } from '@holdfast/base/series';
import { storedSeriesMark } from '@holdfast/stored/stored-series';
import { listed, mean, readSeries, toSummary } from '@holdfast/sources/series-summary';
import type { Rows } from '@holdfast/sources/source-answer';

/** `stored` follows the text in the stored output; `count` is the number of series. */
export type ShownSeries = { text: string; stored: string; count: number };

/** Both in the form of readSeries. `earlier`: the rows of the window that began so much earlier, such as `1d`. */
export function seriesAnswer(rows: Rows, earlier?: { rows: Rows; by: string }): ShownSeries {
  const during = readSeries(rows);
  const before = earlier && readSeries(earlier.rows);
  const shown = earlier && before ? compareWindows(during, before, earlier.by) : toSummary(during);
  const more = earlier && before ? ['', `[The series ${earlier.by} earlier:]`, ...linesOf(before)] : [];
  const stored = [storedSeriesMark, ...linesOf(during), ...more].join('\n');
  return { text: shown, stored, count: during.length };
}

function linesOf(series: readonly Series[]): string[] {
  return series.map((each) => JSON.stringify(each));
}

/** `earlier`: the same request for a window that began so much before, such as `1d`. The largest change comes first. */
export function compareWindows(
  during: readonly Series[],
  before: readonly Series[],
  earlier: string,
): string {
  const [now, then] = [during, before].map(
    (series) => new Map(series.map((each) => [each.name, figuresOf(each)])),
  );
  const names = [...new Set([...(now?.keys() ?? []), ...(then?.keys() ?? [])])];
  const compared = names
    .map((name) => compareOne(name, then?.get(name), now?.get(name)))
    .toSorted((left, right) => right.change - left.change);
  if (names.length === 0) return '';
  const head = `${earlier} earlier (${spanOf(before)}) -> as asked (${spanOf(during)}), the largest change of the mean first:`;
  return [head, ...listed(compared.map(({ line }) => line))].join('\n');
}

type Figures = { mean: number; median: number; max: number };

/** Undefined without a number. */
function figuresOf({ points }: Series): Figures | undefined {
  const values = finitePoints(points).map(([, value]) => value);
  return values.length === 0
    ? undefined
    : { mean: mean(values), median: median(values), max: mostOf(values) };
}

function compareOne(
  name: string,
  then: Figures | undefined,
  now: Figures | undefined,
): { line: string; change: number } {
  if (!now || !then) {
    const [said, figures] = now
      ? ['appeared: no samples earlier', now]
      : ['disappeared: only samples earlier', then];
    const words = figures
      ? `, mean ${figure(figures.mean)}, median ${figure(figures.median)}, max ${figure(figures.max)}`
      : '';
    return {
      line: `${name}: ${figures ? said : 'no finite samples in either'}${words}`,
      change: figures ? Infinity : -1,
    };
  }
  const pair = (key: keyof Figures): string => `${key} ${figure(then[key])} -> ${figure(now[key])}`;
  const ratio = now.mean / then.mean;
  const isRatio = Number.isFinite(ratio) && ratio > 0;
  const times = isRatio ? ` (x${Number(ratio.toPrecision(3))})` : '';
  return {
    line: `${name}: ${pair('mean')}${times}, ${pair('median')}, ${pair('max')}`,
    // a change from or to 0, or of the sign, has no ratio
    change: isRatio ? Math.abs(Math.log(ratio)) : now.mean === then.mean ? 0 : Number.MAX_VALUE,
  };
}

function spanOf(series: readonly Series[]): string {
  const times = series.flatMap(({ points }) => [points[0]?.[0] ?? [], points.at(-1)?.[0] ?? []].flat());
  return times.length === 0 ? 'no samples' : `${timeWords(leastOf(times))} to ${timeWords(mostOf(times))}`;
}
