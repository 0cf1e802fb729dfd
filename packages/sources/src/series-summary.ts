// The series of an answer in few lines, never a wall of numbers: each as its minimum, maximum, mean, last value, change
// points and a sparkline. Pure. Sources of metrics bring their answers into one form: rows
// `{"name": "...", "points": [[milliseconds since 1970, value], ...]}`.
import { z } from 'zod';
import { oneLine } from '@holdfast/base/one-line';
import { present } from '@holdfast/base/present';
import {
  finitePoints,
  figure,
  leastOf,
  mostOf,
  type Series,
  sparkline,
  timeWords,
} from '@holdfast/base/series';
import { changePoints } from './change-points.ts';
import type { Rows } from './source-answer.ts';

const shownSeries = 50;

/** A text is a number as some sources write it, "NaN" too. */
const rowSchema = z.object({
  name: z.string(),
  points: z.array(z.tuple([z.number(), z.union([z.number(), z.string(), z.null()])])),
});

/** Throws for rows of another form. */
export function readSeries(rows: Rows): Series[] {
  return z.array(rowSchema).parse(rows).map(toSeries);
}

function toSeries({ name, points }: z.infer<typeof rowSchema>): Series {
  const read = points.map(([at, value]): [number, number | null] => {
    const number = value === null || value === '' ? Number.NaN : Number(value);
    return [at, Number.isFinite(number) ? number : null];
  });
  // a name is the head of a line
  return { name: oneLine(name) || '{}', points: read.toSorted(([left], [right]) => left - right) };
}

export function toSummary(series: readonly Series[]): string {
  return listed(series.map(describeSeries)).join('\n');
}

/** Those that are left out have a line, too. */
export function listed(lines: readonly string[], limit = shownSeries): string[] {
  const left = lines.length - limit;
  const more = left > 0 ? [`[${left} of ${lines.length} left out: narrow the query, or use topk]`] : [];
  return [...lines.slice(0, limit), ...more];
}

export function describeSeries({ name, points }: Series): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return `${name}: no samples`;
  const real = finitePoints(points);
  const odd = points.length - real.length;
  const head = `${name}: ${points.length} samples, ${timeWords(first[0])} to ${timeWords(last[0])}${odd === 0 ? '' : `, ${odd} not finite`}`;
  if (real.length === 0) return head;
  const values = real.map(([, value]) => value);
  const firstAt = (value: number): string =>
    `${figure(value)} @ ${timeWords(real.find((point) => point[1] === value)?.[0] ?? 0)}`;
  const found = changePoints(real).map(
    ({ at, before, after }) => `${timeWords(at)} from ${figure(before)} to ${figure(after)}`,
  );
  return present([
    head,
    `  min ${firstAt(leastOf(values))}, max ${firstAt(mostOf(values))}, mean ${figure(mean(values))}, last ${last[1] === null ? 'not finite' : figure(last[1])}`,
    found.length > 0 && `  changed @ ${found.join('; ')}`,
    `  ${sparkline(real, first[0], last[0])}`,
  ]).join('\n');
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
