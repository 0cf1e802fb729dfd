// Readers of New Relic's NerdGraph: https://docs.newrelic.com/docs/apis/nerdgraph/examples/nerdgraph-nrql-tutorial/. Pure.
import { z } from 'zod';
import { list, readJson, record, shortText, text, timeOf, valueAt } from '@holdfast/sources/json-reader';
import { answer, type Counts, words } from '@holdfast/sources/source-answer';
import type { Values } from '@holdfast/sources/template';

/** The answer to a query, whose errors are beside `data`. */
function nrql<Row extends z.ZodType>(row: Row) {
  const results = z.object({ results: list(row) });
  return z.object({ data: z.object({ actor: z.object({ account: z.object({ nrql: results }) }) }) });
}

/** Names and forms of fields are those of the sender. */
export const rows = readJson(nrql(record), ({ data }, { query }) => {
  const { results } = data.actor.account.nrql;
  return answer(results.map(describeRow), countsOf(query, results));
});

function describeRow({ timestamp, ...row }: z.infer<typeof record>): string {
  const at = typeof timestamp === 'number' || typeof timestamp === 'string' ? timeOf(timestamp) : undefined;
  const said = shortText(row['message']);
  if (said === undefined) return words(at, shortText(row, 400));
  const who = shortText(valueAt(row, 'service.name', 'entity.name', 'hostname'));
  return words(at, shortText(row['level']), who && `${who}:`, said);
}

/**
 * By the limit of the query, or what NRQL takes without one. It is one of facets where there are any; the points of a
 * series have none: https://docs.newrelic.com/docs/nrql/nrql-syntax-clauses-functions/#sel-limit
 */
function countsOf(query: Values[string], results: readonly Readonly<Record<string, unknown>>[]): Counts {
  const clauses = (shortText(query, 4_000) ?? '').replaceAll(/'(?:[^'\\]|\\[^])*'/g, "''");
  const isFaceted = /\bfacet\b/i.test(clauses);
  if (!isFaceted && /\btimeseries\b/i.test(clauses)) return { more: false };
  const own = [...clauses.matchAll(/\blimit\s+(max|\d+)/gi)].at(-1)?.[1];
  const most = own === undefined ? (isFaceted ? 10 : 100) : /max/i.test(own) ? 5_000 : Number(own);
  const facets = new Set(results.map(({ facet }) => JSON.stringify(facet)));
  const came = isFaceted ? facets.size : results.length;
  return { came, more: came >= most };
}

/** `comparison` tells the two windows of COMPARE WITH apart. */
const bucket = z.looseObject({
  beginTimeSeconds: z.number(),
  facet: z.unknown().optional(),
  comparison: text,
});
const noFigures: ReadonlySet<string> = new Set([
  'beginTimeSeconds',
  'endTimeSeconds',
  'inspectedCount',
  'facet',
]);

/** One series for each figure, facet and window, for `show: series`. */
export const series = readJson(nrql(bucket), ({ data }, { query }) => {
  const { results } = data.actor.account.nrql;
  const points = results.flatMap((each) =>
    figuresOf(each).map(([name, value]) => ({
      name: words(name, each.comparison, shortText(each.facet)),
      point: [each.beginTimeSeconds * 1_000, value],
    })),
  );
  const byName = Map.groupBy(points, ({ name }) => name);
  return answer(
    [...byName].map(([name, all]) => ({ name, points: all.map(({ point }) => point) })),
    countsOf(query, results),
  );
});

/** Percentiles and the like have a figure for each part. */
function figuresOf(row: z.output<typeof bucket>): [string, number | null][] {
  return Object.entries(row).flatMap(([name, value]): [string, number | null][] => {
    if (noFigures.has(name)) return [];
    if (typeof value === 'number' || value === null) return [[name, value]];
    if (typeof value !== 'object' || Array.isArray(value)) return [];
    return Object.entries(value).map(([part, figure]) => [
      `${name} ${part}`,
      typeof figure === 'number' ? figure : null,
    ]);
  });
}
