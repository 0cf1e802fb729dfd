// Answers of Prometheus' HTTP API in few lines, and its ranges in the form of series-summary.ts. Pure.
// Form: https://prometheus.io/docs/prometheus/latest/querying/api/
import { z } from 'zod';
import { type Series, timeWords } from '../../core/base/series.ts';
import { describeSeries, listed as listedLines } from './series-summary.ts';

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
          `${nameOf(metric)} ${value ? `${value[1]} @ ${timeWords(value[0] * 1_000)}` : 'a histogram'}`,
      );
    }
    if (values.resultType === 'matrix')
      return listed(values.result, (result) => describeSeries(toSeries(result)));
    const [at, value] = values.result;
    return `${value} @ ${timeWords(at * 1_000)}`;
  });
}

/** For a range query: what the transform `series` reads. */
export function prometheusRange(text: string): string {
  const { notes, data } = readAnswer(text);
  const values = data === undefined ? undefined : valuesSchema.parse(data);
  if (values && values.resultType !== 'matrix')
    throw new Error(`expected a matrix, got a ${values.resultType}`);
  return JSON.stringify([...notes.map((note) => ({ note })), ...(values?.result ?? []).map(toSeries)]);
}

type RangeResult = { metric: Record<string, string>; values: [number, string][] };

function toSeries({ metric, values }: RangeResult): Series {
  const points = values.map(([at, value]): [number, number | null] => {
    const number = Number(value);
    return [Math.round(at * 1_000), Number.isFinite(number) ? number : null];
  });
  return { name: nameOf(metric), points };
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
  const { notes, data } = readAnswer(text);
  return [...notes, ...(data === undefined ? [] : [describe(data)])].join('\n');
}

/** Without `data` where the server refused. */
function readAnswer(text: string): { notes: string[]; data?: unknown } {
  const { status, error, errorType, warnings = [], data } = answerSchema.parse(JSON.parse(text));
  if (status !== 'success')
    return { notes: [`${status}: ${errorType ?? 'error'}: ${error ?? 'no reason given'}`] };
  return { notes: warnings.map((warning) => `warning: ${warning}`), data };
}

function listed<T>(entries: readonly T[], describe: (entry: T) => string, limit?: number): string {
  if (entries.length === 0) return 'nothing: no series matches';
  return listedLines(entries.map(describe), limit).join('\n');
}

/** As in PromQL: `up{job="shop"}`. */
function nameOf({ __name__: name = '', ...rest }: Record<string, string>): string {
  const pairs = Object.entries(rest).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? name || '{}' : `${name}{${pairs.join(', ')}}`;
}
