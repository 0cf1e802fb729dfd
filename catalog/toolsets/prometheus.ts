// Readers of Prometheus' HTTP API: https://prometheus.io/docs/prometheus/latest/querying/api/. Pure.
import { z } from 'zod';
import { timeWords } from '@holdfast/base/series';
import { counted } from '@holdfast/base/words';
import { list, readJson, text } from '@holdfast/sources/json-reader';
import { describeSeries, listed, readSeries } from '@holdfast/sources/series-summary';
import { answer, type Rows, words } from '@holdfast/sources/source-answer';

const labels = z.record(z.string(), z.string());
/** VictoriaMetrics may send null or an empty text for a value that there is not. */
const sample = z.tuple([z.number(), z.string().nullable()]);
const matrix = z.object({
  resultType: z.literal('matrix'),
  result: list(
    z.object({
      metric: labels,
      values: z.array(sample).default([]),
      histograms: z.array(z.unknown()).default([]),
    }),
  ),
});
const vector = z.object({
  resultType: z.literal('vector'),
  result: list(z.object({ metric: labels, value: sample.optional() })),
});
const single = z.object({ resultType: z.enum(['scalar', 'string']), result: sample });

/** Answers of an instant query. A series without a value is a native histogram. */
export const values = readJson(
  z.object({ data: z.discriminatedUnion('resultType', [vector, matrix, single]) }),
  ({ data }) => {
    if (data.resultType === 'vector')
      return answer(
        listed(
          data.result.map(({ metric, value }) =>
            words(nameOf(metric), value ? describeSample(value) : 'a histogram'),
          ),
        ),
      );
    if (data.resultType === 'matrix')
      return answer(listed(readSeries(seriesOf(data.result)).map(describeSeries)), histogramGap(data.result));
    return answer([describeSample(data.result)]);
  },
);

function describeSample([at, value]: z.output<typeof sample>): string {
  return `${value || 'no value'} @ ${timeWords(at * 1_000)}`;
}

/** Series of a range query, for `show: series`. */
export const range = readJson(z.object({ data: matrix }), ({ data }) =>
  answer(seriesOf(data.result), histogramGap(data.result)),
);

/** Their samples are no numbers, and would look like none. */
function histogramGap(result: z.output<typeof matrix>['result']): { gaps: string[] } {
  const count = result.filter(({ histograms }) => histograms.length > 0).length;
  const gap = `${counted(count, 'series', 'series')} of native histograms: ask for histogram_quantile, histogram_count or histogram_avg of them`;
  return { gaps: count === 0 ? [] : [gap] };
}

function seriesOf(result: z.output<typeof matrix>['result']): Rows {
  return result.map(({ metric, values: points }) => ({
    name: nameOf(metric),
    points: points.map(([at, value]) => [Math.round(at * 1_000), value]),
  }));
}

/** Names of series that were searched for, or the values of a label: many, because lines without figures are short. */
export const series = readJson(z.object({ data: list(z.union([labels, z.string()])) }), ({ data }) =>
  answer(
    listed(
      data.map((entry) => (typeof entry === 'string' ? entry : nameOf(entry))),
      1_000,
    ),
  ),
);

const alert = z.object({
  labels,
  annotations: labels.nullish(),
  state: z.string(),
  activeAt: text,
  value: text,
});

export const alerts = readJson(z.object({ data: z.object({ alerts: list(alert) }) }), ({ data }) =>
  answer(
    listed(
      inOrder(data.alerts, ({ state }) => state === 'firing').map(
        ({ labels: own, annotations, state, activeAt = '?', value = '?' }) => {
          const { alertname = '?', ...rest } = own;
          const said = annotations?.['summary'] ?? annotations?.['description'];
          return `${state} ${alertname}${nameOf(rest)} since ${activeAt}, value ${value}${said === undefined ? '' : `: ${said}`}`;
        },
      ),
    ),
  ),
);

const target = z.object({
  labels,
  scrapeUrl: z.string(),
  health: z.string(),
  lastError: text,
  lastScrape: text,
});

export const targets = readJson(z.object({ data: z.object({ activeTargets: list(target) }) }), ({ data }) =>
  answer(
    listed(
      inOrder(data.activeTargets, ({ health }) => health !== 'up').map(
        ({ labels: own, scrapeUrl, health, lastError, lastScrape = '?' }) =>
          `${health} ${nameOf(own)} ${scrapeUrl}, last scrape ${lastScrape}${lastError === undefined ? '' : `, error: ${lastError}`}`,
      ),
    ),
  ),
);

/** Those that matter first, because a long list is cut at its end. */
function inOrder<Item>(items: readonly Item[], matters: (item: Item) => boolean): Item[] {
  return [...items.filter(matters), ...items.filter((item) => !matters(item))];
}

/** As in PromQL: `up{job="shop"}`. */
function nameOf({ __name__: name = '', ...rest }: Record<string, string>): string {
  const pairs = Object.entries(rest).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? name || '{}' : `${name}{${pairs.join(', ')}}`;
}
