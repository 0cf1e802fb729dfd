// Readers of Datadog's API: https://docs.datadoghq.com/api/latest/. Pure.
import { z } from 'zod';
import { list, readJson, record, shortText, text } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';

/** A search that ran out of time answers with what it has: https://docs.datadoghq.com/api/latest/logs/#search-logs-post */
const meta = z
  .object({
    status: text,
    page: z.object({ after: text }).nullish(),
    warnings: z.array(z.object({ title: text, detail: text })).nullish(),
  })
  .nullish();

function lacksOf(found: z.output<typeof meta>): Parameters<typeof answer>[1] {
  const warnings = found?.warnings?.map(({ title, detail }) => words(title && `${title}:`, detail)) ?? [];
  return {
    gaps: [found?.status === 'timeout' && 'the search ran out of time', ...warnings],
    more: found?.page?.after === undefined ? undefined : true,
  };
}

const log = z.object({
  attributes: z.object({
    timestamp: text,
    status: text,
    service: text,
    host: text,
    message: text,
    attributes: record.nullish(),
  }),
});

export const logs = readJson(z.object({ data: list(log), meta }), ({ data, meta: of }) =>
  answer(
    data.map(({ attributes: { timestamp, status, service, host, message, attributes } }) => {
      const who = service ?? host;
      return words(timestamp, status, who && `${who}:`, shortText(message ?? attributes));
    }),
    lacksOf(of),
  ),
);

const point = z.tuple([z.number(), z.number().nullable()]);
const timeseries = z.object({ expression: text, metric: text, scope: text, pointlist: list(point) });

/** For `show: series`. */
export const series = readJson(z.object({ series: list(timeseries) }), ({ series: all }) =>
  answer(
    all.map(({ metric = '?', expression = metric, scope, pointlist }) => ({
      name: scope === undefined ? expression : `${expression}{${scope}}`,
      points: pointlist,
    })),
  ),
);

const event = z.object({
  id: text,
  attributes: z.object({
    timestamp: text,
    message: text,
    tags: list(z.string()).optional(),
    attributes: z.object({ title: text }).nullish(),
  }),
});
const found = z.object({ data: list(event), meta });

export const events = readJson(found, ({ data, meta: of }) =>
  answer(
    data.map(({ attributes: { timestamp, message, tags = [], attributes } }) => {
      const { title } = attributes ?? {};
      const [tagged, said] = [shortText(tags, 200), shortText(message, 200)];
      const head = words(timestamp, title ?? shortText(message, 100), tagged && `[${tagged}]`);
      return title && said ? `${head}: ${said}` : head;
    }),
    lacksOf(of),
  ),
);

/** For `rowsAre: changes`. */
export const changes = readJson(found, ({ data, meta: of }) =>
  answer(
    data.map(({ id = null, attributes: { timestamp = null, message, tags = [], attributes } }) => ({
      at: timestamp,
      what: attributes?.title ?? shortText(message, 200) ?? 'an event without a text',
      where: shortText(tags, 200) ?? null,
      id,
    })),
    lacksOf(of),
  ),
);
