// Readers of Elasticsearch and OpenSearch: https://www.elastic.co/guide/en/elasticsearch/reference/8.19/rest-apis.html. Pure.
import { z } from 'zod';
import { counted } from '@holdfast/base/words';
import {
  list,
  number,
  readJson,
  record,
  shortText,
  text,
  timeOf,
  valueAt,
} from '@holdfast/sources/json-reader';
import { answer, type Maybe, words } from '@holdfast/sources/source-answer';
import type { Values } from '@holdfast/sources/template';

/** A number before Elasticsearch 7, absent where it was not asked for. `gte`: it has counted no further. */
const total = z
  .union([
    z.number().transform((value) => ({ value, relation: 'eq' })),
    z.object({ value: z.number(), relation: z.string() }),
  ])
  .nullish();

/** A search in several clusters may leave some out: https://www.elastic.co/guide/en/elasticsearch/reference/8.19/modules-cross-cluster-search.html */
const clusters = z.object({ total: number, skipped: number, partial: number, failed: number });

const searched = z.object({
  _shards: z.object({ total: number }).optional(),
  _clusters: clusters.optional(),
  terminated_early: z.boolean().nullish(),
});

/** `_source` may be switched off; what else came of a document is in the other fields. */
const hit = z.object({
  _index: text,
  _id: text,
  _source: record.nullish(),
  fields: record.nullish(),
  highlight: record.nullish(),
  sort: z.array(z.unknown()).nullish(),
});
type Hit = z.output<typeof hit>;

/** Documents, the newest first as the request asks for them. */
export const search = readJson(
  searched.extend({ hits: z.object({ total, hits: list(hit) }) }),
  (found, args) => {
    const { total: all, hits } = found.hits;
    const bare = hits.filter((each) => documentOf(each) === undefined).length;
    return answer(hits.map(hitLine), {
      // -1 where nobody has counted
      total: all && all.value >= 0 ? all.value : undefined,
      atLeast: all?.relation === 'gte',
      gaps: [
        ...searchGaps(found, args),
        bare > 0 &&
          `${bare} of ${hits.length} documents came without their fields: _source is off in the index`,
      ],
    });
  },
);

function searchGaps(
  { _shards, _clusters: others, terminated_early: early }: z.output<typeof searched>,
  { index }: Values,
): Maybe<string>[] {
  const lost = (others?.skipped ?? 0) + (others?.partial ?? 0) + (others?.failed ?? 0);
  return [
    _shards?.total === 0 && noIndex(index),
    lost > 0 && `${lost} of ${others?.total ?? '?'} clusters did not answer in whole`,
    early === true && 'the search ended before it had seen every document',
  ];
}

function noIndex(index: Values[string]): string {
  return `No index matches ${shortText(index) ?? 'this'}: see elasticsearch_indices`;
}

function documentOf({ _source, fields, highlight }: Hit): z.infer<typeof record> | undefined {
  const document = { ...highlight, ...fields, ..._source };
  return Object.keys(document).length === 0 ? undefined : document;
}

function hitLine(each: Hit): string {
  const document = documentOf(each);
  const [sorted] = each.sort ?? [];
  const at = timeOf(
    typeof sorted === 'number' || typeof sorted === 'string'
      ? sorted
      : textAt(document, '@timestamp', 'timestamp'),
  );
  if (document === undefined) return words(at, each._index, each._id);
  const level = textAt(document, 'log.level', 'level', 'severity', 'severity_text', 'loglevel');
  const who = textAt(document, 'kubernetes.pod.name', 'service.name', 'service', 'app', 'host.name', 'host');
  const said = textAt(document, 'message', 'msg', 'body', 'log', 'event.original');
  const why = shortText(textAt(document, 'error.message', 'error'), 200);
  return words(at, level, who && `${who}:`, said ?? shortText(document), why && `(${why})`);
}

/** A field of that name may be an object, which has no words of its own. */
function textAt(document: unknown, ...paths: readonly string[]): string | undefined {
  const values = paths.map((path) => valueAt(document, path));
  return shortText(
    values.find((value) => value !== undefined && [value].flat().every((part) => typeof part !== 'object')),
  );
}

const moment = z.object({ value_as_string: text }).nullish();
const countedSearch = searched.extend({
  hits: z.object({ total }),
  aggregations: z
    .object({
      top: z.object({
        buckets: list(
          z.object({ key: text, key_as_string: text, doc_count: z.number(), first: moment, last: moment }),
        ),
        sum_other_doc_count: number,
        doc_count_error_upper_bound: number,
      }),
    })
    .optional(),
});

/** Counts by the values of a field, with their first and last time. */
export const counts = readJson(countedSearch, (found, args) => {
  const {
    buckets = [],
    sum_other_doc_count: others = 0,
    doc_count_error_upper_bound: error = 0,
  } = found.aggregations?.top ?? {};
  const all = found.hits.total?.value ?? 0;
  return answer(
    buckets.map(
      ({ key = '', key_as_string: name = key, doc_count: count, first, last }) =>
        `${count} ${name} from ${first?.value_as_string ?? '?'} to ${last?.value_as_string ?? '?'}`,
    ),
    {
      more: others > 0 ? undefined : false,
      gaps: [
        ...searchGaps(found, args),
        all > 0 &&
          buckets.length === 0 &&
          `${all} match, none with a value of ${shortText(args['field']) ?? 'the field'}: see elasticsearch_fields; a text field needs .keyword`,
        others > 0 && `${others} documents have other values`,
        error > 0 && `a count may be ${error} too low`,
      ],
    },
  );
});

/** Names and types of fields, without those of the server and those that only hold others. */
export const fields = readJson(
  z.object({
    indices: z.union([z.string(), z.array(z.string())]).optional(),
    fields: z.record(z.string(), record),
  }),
  ({ indices, fields: all }, { index }) =>
    answer(
      Object.entries(all)
        .filter(([name, types]) => !name.startsWith('_') && Object.keys(types).join() !== 'object')
        .map(([name, types]) => `${name} ${Object.keys(types).join(', ')}`)
        .toSorted(),
      { gaps: [indices?.length === 0 && noIndex(index)] },
    ),
);

const index = z.object({
  health: text,
  status: text,
  index: z.string(),
  'docs.count': text,
  'store.size': text,
  'creation.date.string': text,
});

/** Figures of a closed index are null, and those of an open one that the rights hide. */
export const indices = readJson(z.array(index), (all) => {
  const hidden = all.filter((each) => each.status === 'open' && each['docs.count'] === undefined).length;
  return answer(
    all.map(
      ({
        health,
        status,
        index: name,
        'docs.count': documents,
        'store.size': size,
        'creation.date.string': since,
      }) =>
        words(health, status, name, documents && `${documents} documents`, size, since && `since ${since}`),
    ),
    {
      gaps: [
        hidden > 0 &&
          `${counted(hidden, 'open index', 'open indices')} without figures: hidden by the rights, or not ready`,
      ],
    },
  );
});

const health = z.object({
  status: z.string(),
  number_of_nodes: z.number(),
  unassigned_shards: z.number(),
  initializing_shards: number,
  relocating_shards: number,
  number_of_pending_tasks: number,
  active_shards_percent_as_number: number,
  indices: z.record(z.string(), z.object({ status: z.string(), unassigned_shards: number })).optional(),
});

/** The cluster, then its red and its yellow indices. */
export const clusterHealth = readJson(health, (found) => {
  const of = (colour: string): string[] =>
    Object.entries(found.indices ?? {})
      .filter(([, { status }]) => status === colour)
      .map(([name, { unassigned_shards: shards = '?' }]) => `${colour} ${name}: ${shards} unassigned shards`);
  const figures: [number | undefined, string][] = [
    [found.initializing_shards, 'initializing'],
    [found.relocating_shards, 'relocating'],
    [found.number_of_pending_tasks, 'pending tasks'],
    [found.active_shards_percent_as_number, '% active'],
  ];
  const more = figures.flatMap(([figure, name]) => (figure === undefined ? [] : [`${figure} ${name}`]));
  const head = [`${found.number_of_nodes} nodes`, `${found.unassigned_shards} unassigned shards`, ...more];
  return answer([`${found.status}: ${head.join(', ')}`, ...of('red'), ...of('yellow')]);
});
