// Readers of Datadog's API: https://docs.datadoghq.com/api/latest/. Pure.
import { z } from 'zod';
import {
  list,
  number,
  readJson,
  record,
  shortText,
  text,
  timeOf,
} from '../src/activities/toolsets/json-reader.ts';
import { answer, type Maybe, words } from '../src/activities/toolsets/source-answer.ts';

/** A search that ran out of time answers with what it has: https://docs.datadoghq.com/api/latest/logs/#search-logs-post */
const meta = z
  .object({
    status: text,
    page: z.object({ after: text }).nullish(),
    warnings: z.array(z.object({ title: text, detail: text })).nullish(),
  })
  .nullish();

/** `most`: what the request asked for. */
function gapsOf(found: z.output<typeof meta>, count: number, most: number): Maybe<string>[] {
  return [
    found?.status === 'timeout' && 'the search ran out of time',
    ...(found?.warnings ?? []).map(({ title, detail }) => words(title && `${title}:`, detail)),
    found?.page?.after !== undefined && count < most && 'there are more: narrow the query or the time',
  ];
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

export const logs = readJson(z.object({ data: list(log), meta }), ({ data, meta: found }, { limit }) =>
  answer(
    data.map(({ attributes: { timestamp, status, service, host, message, attributes } }) => {
      const who = service ?? host;
      return words(timestamp, status, who && `${who}:`, shortText(message ?? attributes));
    }),
    { gaps: gapsOf(found, data.length, Number(limit)) },
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

const monitor = z.object({
  id: number,
  name: text,
  status: text,
  query: text,
  last_triggered_ts: number,
  scopes: list(z.string()).optional(),
});
const monitored = z.object({
  monitors: list(monitor),
  metadata: z.object({ total_count: number }).nullish(),
});

export const monitors = readJson(monitored, ({ monitors: all, metadata }) =>
  answer(
    all.map(({ id, name, status, query = '', last_triggered_ts: at, scopes = [] }) => {
      const since = at && `since ${timeOf(at)}`;
      const of = scopes.length > 0 && `[${scopes.join(', ')}]`;
      return words(status, since, name, `(${id}): ${shortText(query, 200) ?? ''}`, of);
    }),
    { total: metadata?.total_count },
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
      const title = attributes?.title;
      const head = words(
        timestamp,
        title ?? shortText(message, 100),
        tags.length > 0 && `[${shortText(tags, 200)}]`,
      );
      return title === undefined || message === undefined ? head : `${head}: ${shortText(message, 200)}`;
    }),
    { gaps: gapsOf(of, data.length, 50) },
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
    { gaps: gapsOf(of, data.length, 200) },
  ),
);
