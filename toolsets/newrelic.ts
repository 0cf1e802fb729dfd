// Readers of New Relic's NerdGraph: https://docs.newrelic.com/docs/apis/nerdgraph/examples/nerdgraph-nrql-tutorial/. Pure.
import { z } from 'zod';
import {
  list,
  number,
  readJson,
  record,
  shortText,
  text,
  timeOf,
  valueAt,
} from '../src/activities/toolsets/json-reader.ts';
import { answer, words } from '../src/activities/toolsets/source-answer.ts';

/** The answer to a query, whose errors are beside `data`. */
function nrql<Row extends z.ZodType>(row: Row) {
  const results = z.object({ results: list(row) });
  return z.object({ data: z.object({ actor: z.object({ account: z.object({ nrql: results }) }) }) });
}

/** Names and forms of fields are those of the sender. */
export const rows = readJson(nrql(record), ({ data }, { query }) => {
  const { results } = data.actor.account.nrql;
  const most = limitIn(shortText(query, 4_000) ?? '');
  return answer(results.map(describeRow), {
    gaps: [results.length >= most && `the query ends at ${most} rows (LIMIT): there may be more`],
  });
});

function describeRow({ timestamp, ...row }: z.infer<typeof record>): string {
  const at = typeof timestamp === 'number' || typeof timestamp === 'string' ? timeOf(timestamp) : undefined;
  const said = shortText(row['message']);
  if (said === undefined) return words(at, shortText(row, 400));
  const who = shortText(valueAt(row, 'service.name', 'entity.name', 'hostname'));
  return words(at, shortText(row['level']), who && `${who}:`, said);
}

/**
 * Its own, or what NRQL takes without one; the points of a series have none:
 * https://docs.newrelic.com/docs/nrql/nrql-syntax-clauses-functions/#sel-limit
 */
function limitIn(query: string): number {
  if (/\btimeseries\b/i.test(query)) return Infinity;
  const own = [...query.matchAll(/\blimit\s+(max|\d+)/gi)].at(-1)?.[1];
  if (own !== undefined) return /max/i.test(own) ? 5_000 : Number(own);
  return /\bfacet\b/i.test(query) ? 10 : 100;
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
export const series = readJson(nrql(bucket), ({ data }) => {
  const points = data.actor.account.nrql.results.flatMap((each) =>
    figuresOf(each).map(([name, value]) => ({
      name: words(name, each.comparison, shortText(each.facet)),
      point: [each.beginTimeSeconds * 1_000, value],
    })),
  );
  const byName = Map.groupBy(points, ({ name }) => name);
  return answer([...byName].map(([name, all]) => ({ name, points: all.map(({ point }) => point) })));
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

const incident = z.object({
  timestamp: number,
  event: text,
  priority: text,
  title: text,
  conditionName: text,
  policyName: text,
  targetName: text,
});

/** The newest first; one without a time is not over. */
export const incidents = readJson(nrql(incident), ({ data }) =>
  answer(
    data.actor.account.nrql.results
      .toSorted(({ timestamp: one = Infinity }, { timestamp: other = Infinity }) => other - one || 0)
      .map(({ timestamp, event, priority, title, conditionName = '?', policyName = '?', targetName = '?' }) =>
        words(
          timeOf(timestamp),
          event,
          priority,
          title,
          `(condition ${conditionName}, policy ${policyName}) on ${targetName}`,
        ),
      ),
  ),
);

const deployment = z.object({
  timestamp: number,
  'entity.name': text,
  version: text,
  user: text,
  description: text,
  commit: text,
});

/** For `rowsAre: changes`. */
export const deployments = readJson(nrql(deployment), ({ data }) =>
  answer(
    data.actor.account.nrql.results.map(({ timestamp, version, description, user, commit, ...rest }) => ({
      at: timeOf(timestamp) ?? null,
      who: user ?? null,
      what:
        [version, shortText(description, 200)].filter((part) => part !== undefined).join(': ') ||
        'a deployment',
      where: rest['entity.name'] ?? null,
      id: commit ?? null,
    })),
  ),
);
