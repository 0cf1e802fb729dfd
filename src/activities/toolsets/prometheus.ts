// Answers of Prometheus' HTTP API in few lines: a range as its minimum, maximum, mean, last value and a sparkline, never
// as a wall of numbers. Pure. Form: https://prometheus.io/docs/prometheus/latest/querying/api/
import { z } from 'zod';

const shownSeries = 50;
/** Lines without figures are short. */
const shownNames = 1_000;

const labels = z.record(z.string(), z.string());
const sample = z.tuple([z.number(), z.string()]);
const answerSchema = z.object({
  status: z.string(),
  error: z.string().optional(),
  errorType: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  data: z.unknown(),
});
const valuesSchema = z.discriminatedUnion('resultType', [
  z.object({
    resultType: z.literal('vector'),
    result: z.array(z.object({ metric: labels, value: sample.optional() })),
  }),
  z.object({
    resultType: z.literal('matrix'),
    result: z.array(z.object({ metric: labels, values: z.array(sample).default([]) })),
  }),
  z.object({ resultType: z.enum(['scalar', 'string']), result: sample }),
]);

/** For an instant or range query. */
export function prometheusValues(text: string): string {
  return withAnswer(text, (data) => {
    const values = valuesSchema.parse(data);
    if (values.resultType === 'vector') {
      return listed(
        values.result,
        ({ metric, value }) =>
          `${nameOf(metric)} ${value ? `${value[1]} @ ${timeOf(value[0])}` : 'a histogram'}`,
      );
    }
    if (values.resultType === 'matrix')
      return listed(values.result, ({ metric, values: samples }) => rangeLine(metric, samples));
    const [at, value] = values.result;
    return `${value} @ ${timeOf(at)}`;
  });
}

/** For a search for series, or for the values of a label. */
export function prometheusSeries(text: string): string {
  return withAnswer(text, (data) => {
    const entries = z.union([z.array(labels), z.array(z.string())]).parse(data);
    const names = entries.map((entry) => (typeof entry === 'string' ? entry : nameOf(entry)));
    return listed(names, (name) => name, shownNames);
  });
}

export function prometheusAlerts(text: string): string {
  const schema = z.object({
    alerts: z.array(
      z.object({
        labels,
        annotations: labels.default({}),
        state: z.string(),
        activeAt: z.string().optional(),
        value: z.string().optional(),
      }),
    ),
  });
  return withAnswer(text, (data) =>
    listed(schema.parse(data).alerts, ({ labels: own, annotations, state, activeAt = '?', value = '?' }) => {
      const { alertname = '?', ...rest } = own;
      const said = annotations['summary'] ?? annotations['description'];
      return `${state} ${alertname}${nameOf(rest)} since ${activeAt}, value ${value}${said === undefined ? '' : `: ${said}`}`;
    }),
  );
}

export function prometheusTargets(text: string): string {
  const schema = z.object({
    activeTargets: z.array(
      z.object({
        labels,
        scrapeUrl: z.string(),
        health: z.string(),
        lastError: z.string().default(''),
        lastScrape: z.string().default('?'),
      }),
    ),
  });
  return withAnswer(text, (data) =>
    listed(
      schema.parse(data).activeTargets,
      ({ labels: own, scrapeUrl, health, lastError, lastScrape }) =>
        `${health} ${nameOf(own)} ${scrapeUrl}, last scrape ${lastScrape}${lastError === '' ? '' : `, error: ${lastError}`}`,
    ),
  );
}

function withAnswer(text: string, describe: (data: unknown) => string): string {
  const { status, error, errorType, warnings = [], data } = answerSchema.parse(JSON.parse(text));
  if (status !== 'success') return `${status}: ${errorType ?? 'error'}: ${error ?? 'no reason given'}`;
  return [...warnings.map((warning) => `warning: ${warning}`), describe(data)].join('\n');
}

function listed<T>(entries: readonly T[], describe: (entry: T) => string, limit = shownSeries): string {
  if (entries.length === 0) return 'nothing: no series matches';
  const shown = entries.slice(0, limit).map(describe);
  const left = entries.length - shown.length;
  return [
    ...shown,
    ...(left > 0 ? [`[${left} of ${entries.length} left out: narrow the query, or use topk]`] : []),
  ].join('\n');
}

/** As in PromQL: `up{job="shop"}`. */
function nameOf({ __name__: name = '', ...rest }: Record<string, string>): string {
  const pairs = Object.entries(rest).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? name || '{}' : `${name}{${pairs.join(', ')}}`;
}

function rangeLine(metric: Record<string, string>, samples: readonly [number, string][]): string {
  const points = samples.map(([at, value]) => ({ at, value: Number(value) }));
  const real = points.filter(({ value }) => Number.isFinite(value));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return `${nameOf(metric)}: no samples`;
  const span = `${points.length} samples, ${timeOf(first.at)} to ${timeOf(last.at)}`;
  const odd = points.length - real.length;
  const notes = odd === 0 ? '' : `, ${odd} not finite`;
  if (real.length === 0) return `${nameOf(metric)}: ${span}${notes}`;
  const values = real.map(({ value }) => value);
  const min = real.reduce((least, point) => (point.value < least.value ? point : least));
  const max = real.reduce((most, point) => (point.value > most.value ? point : most));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [
    `${nameOf(metric)}: ${span}${notes}`,
    `  min ${short(min.value)} @ ${timeOf(min.at)}, max ${short(max.value)} @ ${timeOf(max.at)}, mean ${short(mean)}, last ${short(last.value)}`,
    `  ${sparkline(real, first.at, last.at)}`,
  ].join('\n');
}

const bars = '▁▂▃▄▅▆▇█';
const columns = 40;

/** Columns by time, so that a gap in the samples is a gap in the line; each shows its highest sample. */
function sparkline(points: readonly { at: number; value: number }[], from: number, to: number): string {
  const width = Math.min(columns, Math.max(points.length, 1));
  const highest: (number | undefined)[] = Array.from({ length: width });
  for (const { at, value } of points) {
    const column = to === from ? 0 : Math.min(width - 1, Math.floor(((at - from) / (to - from)) * width));
    highest[column] = Math.max(highest[column] ?? -Infinity, value);
  }
  const values = points.map(({ value }) => value);
  const [min, max] = [
    values.reduce((a, b) => Math.min(a, b), Infinity),
    values.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  return highest
    .map((value) => {
      if (value === undefined) return ' ';
      const level = max === min ? 0 : Math.round(((value - min) / (max - min)) * (bars.length - 1));
      return bars[level];
    })
    .join('');
}

function timeOf(seconds: number): string {
  const time = new Date(seconds * 1_000);
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString().replace(/\.000Z$/, 'Z');
}

function short(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}
