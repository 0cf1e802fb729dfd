// Series of samples over time, in the one form of every source of metrics, and their words. Pure.

/** Milliseconds since 1970, and a value; null where there is no number (NaN, infinite, a gap that the source names). */
export type SeriesPoint = readonly [at: number, value: number | null];
/** Points in the order of time. */
export type Series = { name: string; points: SeriesPoint[] };

/** Milliseconds since 1970, and a finite value. */
export type FinitePoint = readonly [at: number, value: number];

export function finitePoints(points: readonly SeriesPoint[]): FinitePoint[] {
  return points.flatMap(([at, value]) => (value === null ? [] : [[at, value] as const]));
}

export function leastOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Infinity);
}

export function mostOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

/** NaN where there are no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
}

const bars = '▁▂▃▄▅▆▇█';
const columns = 40;

/** Columns by time, so that a gap in the samples is a gap in the line; each shows its highest sample. */
export function sparkline(points: readonly FinitePoint[], from: number, to: number): string {
  const width = Math.min(columns, Math.max(points.length, 1));
  const highest: (number | undefined)[] = Array.from({ length: width });
  for (const [at, value] of points) {
    const column = to === from ? 0 : Math.min(width - 1, Math.floor(((at - from) / (to - from)) * width));
    highest[column] = Math.max(highest[column] ?? -Infinity, value);
  }
  const values = points.map(([, value]) => value);
  const [least, most] = [leastOf(values), mostOf(values)];
  return highest
    .map((value) => {
      if (value === undefined) return ' ';
      const level = most === least ? 0 : Math.round(((value - least) / (most - least)) * (bars.length - 1));
      return bars[level];
    })
    .join('');
}

/** Such as `2026-11-22T03:41:00Z`; a number that is no time stays a number. */
export function timeWords(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? String(at) : time.toISOString().replace(/\.000Z$/, 'Z');
}

/** At most six significant digits, integers whole. */
export function figure(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}
