// What the sources of logs, metrics and traces say of their own answers, in the shapes that their API descriptions and
// public bug reports have: a part, an error with status 200, a limit, things in an unknown form.
import { createServer } from 'node:http';
import { listeningPort } from '@holdfast/base/listening-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ToolReturn } from '../../../src/activities/tools/define-tool.ts';
import type { Json } from '@holdfast/base/json';
import { starterToolset } from '../../support/toolset-bench.ts';

const now = Date.parse('2026-11-28T05:30:00Z');
const at = now - 60_000;
const seconds = at / 1_000;
const nano = (index: number): string => `${at - index * 1_000}000000`;

const settings: Record<string, Record<string, string>> = {
  datadog: { api_key: 'a', application_key: 'b' },
  newrelic: { account: '42', api_key: 'a' },
  gitlab: { project: 'shop' },
  sentry: { organization: 'shop', authorization: 'Bearer a' },
  splunk: { authorization: 'Bearer a' },
};

/** One for all, because a toolset is slow to open: it answers with what the test has given it. */
let reply = '';
const server = createServer((_, response) => void response.end(reply));
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

const opened = new Map<string, Promise<(tool: string, args: Json) => Promise<ToolReturn>>>();

async function open(name: string) {
  const url = `http://127.0.0.1:${listeningPort(server)}`;
  const bench = starterToolset(name, { url, ...settings[name] }, { now });
  const toolset = await bench.open();
  return (tool: string, args: Json) => bench.returnOf(toolset, tool, args);
}

/** The answer of one tool to a reply with this body, whatever it asked for. */
async function answered(tool: string, args: Json, body: Json) {
  const name = tool.split('_', 1)[0] ?? '';
  reply = typeof body === 'string' ? body : JSON.stringify(body);
  const call = opened.get(name) ?? open(name);
  opened.set(name, call);
  return (await call)(tool, args);
}

const vector = (result: Json[], more: Record<string, Json> = {}): Json => ({
  status: 'success',
  data: { resultType: 'vector', result },
  ...more,
});
const up = { metric: { __name__: 'up', job: 'shop' }, value: [seconds, '1'] };
const nrql = (results: Json, more: Record<string, Json> = {}): Json => ({
  data: { actor: { account: { nrql: { results } } } },
  ...more,
});
const hits = (found: Json[], more: Record<string, Json> = {}): Json => ({
  timed_out: false,
  _shards: { total: 5, successful: 5, skipped: 0, failed: 0 },
  hits: { total: { value: found.length, relation: 'eq' }, hits: found },
  ...more,
});
const document = { _index: 'logs', _id: '1', _source: { message: 'out of memory' }, sort: [at] };
const trace = (id: string, more: Record<string, Json> = {}): Json => ({
  traceID: id,
  spans: [
    {
      spanID: 's1',
      operationName: 'GET /',
      startTime: at * 1_000,
      duration: 5_000,
      processID: 'p1',
      ...more,
    },
  ],
  processes: { p1: { serviceName: 'shop' } },
});
const event = (id: number): Json => ({
  id: `E${id}`,
  attributes: {
    timestamp: '2026-11-28T05:00:00Z',
    message: 'x',
    tags: [],
    attributes: { title: `Deployed ${id}` },
  },
});
const lineOf = (results: Json[]): string => results.map((line) => JSON.stringify(line)).join('\n');
const query = { query: 'x' };
const index = { index: 'logs-*' };

test.each<[string, Json, Json, RegExp]>([
  ['prometheus_query', query, vector([], { isPartial: true }), /a part: not every store/],
  [
    'prometheus_query',
    query,
    vector([up], { warnings: ['store-1 is down'] }),
    /store-1 is down[^]*up\{job="shop"\} 1/,
  ],
  [
    'loki_labels',
    {},
    { status: 'success', data: ['app'], warnings: ['results may be incomplete'] },
    /incomplete[^]*app/,
  ],
  ['tempo_search', query, { traces: [], metrics: { completedJobs: 3, totalJobs: 9 } }, /3 of 9 parts/],
  [
    'jaeger_search',
    { service: 'shop' },
    { data: [trace('aa')], errors: [{ code: 500, msg: 'one shard is lost' }] },
    /one shard is lost[^]*trace aa/,
  ],
  ['elasticsearch_search', index, hits([document], { timed_out: true }), /ran out of time[^]*out of memory/],
  [
    'elasticsearch_search',
    index,
    hits([], {
      _shards: { total: 5, failed: 2, failures: [{ reason: { type: 'x', reason: 'node left' } }] },
    }),
    /2 of 5 shards failed: x: node left/,
  ],
  [
    'elasticsearch_search',
    index,
    hits([document], { _clusters: { total: 2, successful: 1, skipped: 1 } }),
    /1 of 2 clusters did not answer/,
  ],
  [
    'elasticsearch_counts',
    { ...index, field: 'level' },
    hits([], {
      terminated_early: true,
      aggregations: {
        top: {
          buckets: [{ key: 'error', doc_count: 3, first: { value: null }, last: { value: null } }],
          sum_other_doc_count: 4,
        },
      },
    }),
    /ended before[^]*4 documents have other values[^]*3 error from \? to \?/,
  ],
  [
    'datadog_logs',
    query,
    { data: [], meta: { status: 'timeout', warnings: [{ title: 'One index is missing', detail: 'main' }] } },
    /ran out of time[^]*One index is missing: main/,
  ],
  [
    'datadog_metrics',
    query,
    {
      status: 'ok',
      error: 'one sub-query failed',
      series: [
        {
          expression: 'cpu',
          pointlist: [
            [at, 1],
            [at + 60_000, null],
          ],
        },
      ],
    },
    /one sub-query failed[^]*cpu: 2 samples.*1 not finite/,
  ],
  [
    'newrelic_query',
    query,
    nrql([{ message: 'x' }], { errors: [{ message: 'one shard timed out' }] }),
    /one shard timed out[^]*x/,
  ],
  [
    'splunk_search',
    { query: 'search x' },
    lineOf([
      { result: { _time: 't', host: 'h', sourcetype: 's', _raw: 'oom' } },
      { messages: [{ type: 'WARN', text: 'Search peer idx-2 is down' }] },
    ]),
    /WARN: Search peer idx-2 is down[^]*t h s: oom/,
  ],
  [
    'splunk_search',
    { query: 'search x' },
    lineOf([
      { messages: [{ type: 'INFO', text: 'Search auto-finalized after time limit (55 seconds) reached.' }] },
    ]),
    /auto-finalized/,
  ],
])(
  '[SRC-69a] %s: what an answer says of itself comes first, and nothing is "nothing found" then (%#)',
  async (tool, args, body, said) => {
    const answer = await answered(tool, args, body);
    expect(answer).toMatchObject({ details: { answer: 'partial' } });
    expect(answer.text).toMatch(/^Not whole: /);
    expect(answer.text).toMatch(said);
  },
);

test('[SRC-69a] Elasticsearch: figures of open indices that the rights hide are named', async () => {
  const hidden = { index: 'audit', status: 'open', health: 'green', 'docs.count': null, 'store.size': null };
  const closed = { index: 'old', status: 'close', health: null, 'docs.count': null, 'store.size': null };
  expect((await answered('elasticsearch_indices', {}, [hidden, closed])).text).toMatch(
    /^Not whole: 1 open index without figures: .*\ngreen open audit\nclose old$/,
  );
});

test.each<[string, Json, Json, string, RegExp]>([
  [
    'prometheus_query',
    query,
    { status: 'error', errorType: 'execution', error: 'expanding series' },
    'failed',
    /execution: expanding series/,
  ],
  [
    'grafana_annotations',
    {},
    { message: 'Data source not found', statusCode: 404 },
    'failed',
    /Data source not found/,
  ],
  [
    'grafana_sources',
    {},
    { message: 'Permission denied', statusCode: 403 },
    'no_access',
    /Permission denied/,
  ],
  [
    'jaeger_search',
    { service: 'shop' },
    { data: null, errors: [{ code: 500, msg: 'cassandra timed out' }] },
    'failed',
    /cassandra timed out/,
  ],
  [
    'elasticsearch_search',
    index,
    { error: { type: 'index_not_found_exception', reason: 'no such index [x]' }, status: 404 },
    'failed',
    /no such index \[x\]/,
  ],
  [
    'newrelic_incidents',
    {},
    nrql([], { errors: [{ message: 'NRDB timed out' }] }),
    'failed',
    /NRDB timed out/,
  ],
  [
    'newrelic_incidents',
    {},
    { data: { actor: { account: null } }, errors: [{ message: 'Access denied.' }] },
    'no_access',
    /Access denied/,
  ],
  [
    'splunk_search',
    { query: 'search x' },
    lineOf([{ messages: [{ type: 'FATAL', text: 'Error in search parser' }] }]),
    'failed',
    /FATAL: Error in search parser/,
  ],
  ['sentry_issues', {}, { detail: 'Invalid query' }, 'failed', /Invalid query/],
  [
    'loki_logs',
    query,
    '<html><head><title>Your instance is loading</title>',
    'not_reachable',
    /a page of HTML/,
  ],
  ['victorialogs_query', query, '<!doctype html><title>Sign in</title>', 'not_reachable', /"Sign in"/],
  ['datadog_events', {}, { events: [] }, 'unknown', /data: /],
])(
  '[SRC-69b] %s: an error with status 200, and a form that nobody knows, are no absence (%#)',
  async (tool, args, body, kind, said) => {
    const answer = await answered(tool, args, body);
    expect(answer).toMatchObject({ details: { answer: kind } });
    expect(answer.text).toMatch(said);
  },
);

test('[SRC-69a] a body that is too long is a part: of lines those that came, of JSON its beginning with the reason', async () => {
  const lines = lineOf(times(9_000, (each) => ({ _time: 't', _msg: 'x'.repeat(1_000), each })));
  const logs = await answered('victorialogs_query', query, lines);
  expect(logs).toMatchObject({ details: { answer: 'partial' } });
  expect(logs.text).toMatch(
    /^Not whole: the body is not whole \(size\)\nNot whole: 1 line of it is no JSON\n/,
  );
  const long = await answered('prometheus_query', query, vector([{ ...up, filler: 'x'.repeat(9_000_000) }]));
  expect(long).toMatchObject({ details: { answer: 'unknown' } });
  expect(long.text.slice(0, 200)).toMatch(/^\[In a form .*the body is not whole \(size\); expected JSON/);
});

test('[SRC-69c] what Prometheus says for information is a note, also where nothing matches, and no gap', async () => {
  const infos = ['PromQL info: metric might not be a counter, name does not end in _total: "x"'];
  const found = await answered('prometheus_query', query, vector([up], { infos }));
  expect(found.text).toMatch(/^Note: PromQL info: metric might not be a counter.*\nup\{/);
  expect(found.details).not.toHaveProperty('answer');
  const none = await answered('prometheus_query', query, vector([], { infos }));
  expect(none.text).toMatch(/^Nothing found: .*\nNote: PromQL info: /);
  expect(none.details).toMatchObject({ answer: 'nothing' });
});

test.each<[string, Json, RegExp]>([
  [
    'fields',
    { _id: '1', fields: { message: ['pool exhausted'], '@timestamp': ['2026-11-28T05:29:00.000Z'] } },
    /^2026-11-28T05:29:00.000Z pool exhausted$/,
  ],
  [
    'stored fields with a level',
    { _id: '1', fields: { 'log.level': ['error'], message: ['x'] }, sort: [at] },
    /^2026-11-28T05:29:00.000Z error x$/,
  ],
  [
    'a highlight',
    { _id: '1', highlight: { message: ['<em>pool</em> exhausted'] }, sort: [at] },
    /^2026-11-28T05:29:00.000Z <em>pool<\/em> exhausted$/,
  ],
  [
    'nothing but its id',
    { _index: 'logs', _id: 'd7', sort: [at] },
    /^Not whole: 1 of 1 documents came without their fields: .*\n2026-11-28T05:29:00.000Z logs d7$/,
  ],
  [
    'a time in nanoseconds',
    { _source: { message: 'x' }, sort: [`${at}000000`] },
    /^2026-11-28T05:29:00.000Z x$/,
  ],
])('[SRC-69d] Elasticsearch: a document without _source, with %s, is a line', async (_, hit, said) => {
  expect((await answered('elasticsearch_search', index, hits([hit]))).text).toMatch(said);
});

test.each<[string, Json, Json, RegExp]>([
  [
    'prometheus_query',
    query,
    vector([up, { metric: { job: 7 }, value: [seconds, '1'] }, { metric: {}, value: [seconds, {}] }]),
    /^Not whole: 2 of 3 could not be read: metric\.job: .*\nup\{/,
  ],
  [
    'elasticsearch_indices',
    {},
    [{ index: 7 }, { index: 'logs', health: 'green', status: 'open', 'docs.count': '0' }],
    /^Not whole: 1 of 2 could not be read: .*\ngreen open logs 0 documents$/,
  ],
  ['elasticsearch_indices', {}, [{ index: 7 }], /^\[In a form that this tool does not know /],
  [
    'sentry_issues',
    {},
    [
      { id: 'a', title: { text: 'x' } },
      { id: 'b', title: 'pool exhausted' },
    ],
    /^Not whole: 1 of 2 .*\n\(b\) pool exhausted/,
  ],
])(
  '[SRC-69e] %s: an item in a form that is not known is named, and costs no other (%#)',
  async (tool, args, body, said) => {
    expect((await answered(tool, args, body)).text).toMatch(said);
  },
);

test('[SRC-69e] spans and samples in a form that is not known are named, and cost no others', async () => {
  const whole = trace('aa') as { spans: Json[] };
  const broken = { ...whole, spans: [...whole.spans, { spanID: 's2', startTime: null }] };
  const { text } = await answered('jaeger_trace', { id: 'aa' }, { data: [broken] });
  expect(text).toMatch(
    /^Not whole: 1 of 2 could not be read: .*\n2026-11-28T05:29:00.000Z: 1 spans of 1 services/,
  );
  const histogram = { metric: { __name__: 'lag' }, histograms: [[seconds, { count: '3', sum: '9' }]] };
  const matrix = { status: 'success', data: { resultType: 'matrix', result: [histogram] } };
  expect((await answered('prometheus_range', query, matrix)).text).toMatch(
    /^Not whole: 1 series of native histograms: /,
  );
  const failing = trace('ab', {
    tags: [{ key: 'error', type: 'bool', value: true }],
    logs: [{ timestamp: 1, fields: [{ key: 'error', value: 'connection refused' }] }],
  });
  expect((await answered('jaeger_search', { service: 'shop' }, { data: [failing] })).text).toMatch(
    /1 spans, 1 failed: GET \//,
  );
});

test.each<[string, Json, Json]>([
  ['loki_labels', {}, { status: 'success' }],
  ['loki_label_values', { label: 'app' }, { status: 'success' }],
  ['tempo_search', query, { metrics: { inspectedBytes: '1' } }],
  ['tempo_values', {}, { metrics: {} }],
  ['jaeger_trace', { id: 'aa' }, { data: [], total: 0, errors: [{ msg: 'trace not found', traceID: 'aa' }] }],
  ['jaeger_services', {}, { data: null, total: 0, errors: null }],
  ['prometheus_query', query, vector([], { data: { resultType: 'vector', result: null } })],
  ['victorialogs_fields', {}, { values: null }],
])(
  '[SRC-69f] %s: an empty list that the server leaves out, or writes as null, is nothing found',
  async (tool, args, body) => {
    expect(await answered(tool, args, body)).toMatchObject({
      text: expect.stringMatching(/^Nothing found/),
      details: { answer: 'nothing' },
    });
  },
);

const frames = [null, { filename: 'pay.py', lineNo: 7, function: 'charge', context: null }];
const sentryEvent = (...entries: Json[]): Json => ({ title: 'E', dateCreated: 't', entries });
const timeseries = (comparison: string, value: number): Json => ({
  beginTimeSeconds: seconds,
  comparison,
  count: value,
});

test.each<[string, Json, Json, RegExp]>([
  ['prometheus_query', query, vector([{ metric: {}, value: [seconds, null] }]), /^\{\} no value @ /],
  ['prometheus_query', query, vector([{ metric: {}, value: [seconds, ''] }]), /^\{\} no value @ /],
  [
    'elasticsearch_search',
    { ...index, limit: 1 },
    { hits: { total: -1, hits: [document] } },
    /^1 of at least 1: /,
  ],
  [
    'sentry_event',
    { issue: '1' },
    sentryEvent({
      type: 'exception',
      data: { values: [null, { type: 'T', value: null, stacktrace: { frames } }] },
    }),
    /\nT: \n {4}pay\.py:7 charge$/,
  ],
  [
    'sentry_event',
    { issue: '1' },
    sentryEvent({ type: 'message', data: { message: 'pool exhausted', formatted: null } }),
    /\npool exhausted$/,
  ],
  ['victorialogs_query', query, '{"_time":"t","_msg":"","code":"7"}', /"code":"7"/],
  [
    'victorialogs_query',
    query,
    '{"_time":"t","_msg":"missing _msg field; see https://docs.victoriametrics.com","code":"7"}',
    /"code":"7"/,
  ],
  [
    'grafana_panels',
    { dashboard: 'a' },
    {
      dashboard: {
        rows: [
          {
            panels: [
              {
                id: 1,
                type: 'graph',
                title: 'Old',
                datasource: 'Main',
                targets: [{ query: '', metricName: 'cpu' }],
              },
            ],
          },
        ],
      },
    },
    /^panel 1 \(graph\) Old: \[Main\] .*"metricName":"cpu"/,
  ],
  [
    'grafana_panels',
    { dashboard: 'a' },
    { dashboard: { elements: { 'panel-1': { kind: 'Panel' } } } },
    /^\[In a form that this tool does not know /,
  ],
  [
    'newrelic_series',
    query,
    nrql([timeseries('current', 1), timeseries('previous', 9)]),
    /count current: 1 samples[^]*count previous: 1 samples/,
  ],
  [
    'newrelic_query',
    query,
    nrql([
      { timestamp: '2026-11-28T05:29:00Z', message: { code: 7 }, level: null },
      { timestamp: at, message: 'oom' },
    ]),
    /^2026-11-28T05:29:00Z \{"code":7\}\n2026-11-28T05:29:00.000Z oom$/,
  ],
  [
    'newrelic_query',
    { query: 'SELECT count(*) FROM (SELECT * FROM Log LIMIT 1) TIMESERIES' },
    nrql([{ count: 1 }, { count: 2 }]),
    /^\{"count":1\}\n/,
  ],
  [
    'prometheus_alerts',
    {},
    {
      status: 'success',
      data: { alerts: [{ labels: { alertname: 'Down' }, annotations: null, state: 'firing' }] },
    },
    /^firing Down/,
  ],
  [
    'tempo_trace',
    { id: 'aa' },
    {
      batches: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'shop' } },
              { key: 'x', value: null },
            ],
          },
          scopeSpans: [
            {
              spans: [
                {
                  spanId: 'AA==',
                  name: 'GET /',
                  startTimeUnixNano: nano(0),
                  endTimeUnixNano: nano(0),
                  attributes: null,
                  events: null,
                  status: null,
                },
              ],
            },
          ],
        },
      ],
    },
    /1 spans of 1 services.*\n[^]*shop GET \//,
  ],
])('[SRC-69h] %s: a shape that clients of others fell over is read (%#)', async (tool, args, body, said) => {
  expect((await answered(tool, args, body)).text).toMatch(said);
});

test('[SRC-69g] words of a span do not make a trace one that was not found', async () => {
  const said = trace('aa', { tags: [{ key: 'message', value: 'trace aa not found' }] });
  expect((await answered('jaeger_trace', { id: 'aa' }, { data: [said] })).text).toMatch(
    /1 spans of 1 services/,
  );
});

const times = (count: number, make: (index: number) => Json): Json[] =>
  Array.from({ length: count }, (_, each) => make(each));
const two = { limit: 2 };
const note = (index: number): Json => ({
  id: index,
  time: at - index,
  timeEnd: 0,
  text: `n${index}`,
  tags: [],
});
const incident = (index: number): Json => ({
  timestamp: at - index,
  title: `i${index}`,
  version: `v${index}`,
});

/** A tool, its arguments, its limit, and an answer with so many things. */
const limited: [string, Record<string, Json>, number, (count: number) => Json][] = [
  [
    'loki_logs',
    { ...query, ...two },
    2,
    (count) => ({
      data: {
        resultType: 'streams',
        result: [{ stream: {}, values: times(count, (each) => [nano(each), 'x']) }],
      },
    }),
  ],
  [
    'grafana_logs',
    { source: 'l', ...query, ...two },
    2,
    (count) => ({
      data: {
        resultType: 'streams',
        result: [{ stream: {}, values: times(count, (each) => [nano(each), 'x']) }],
      },
    }),
  ],
  [
    'prometheus_series',
    { match: 'up' },
    1_000,
    (count) => ({ status: 'success', data: times(count, (each) => ({ pod: `${each}` })) }),
  ],
  [
    'tempo_search',
    { ...query, ...two },
    2,
    (count) => ({ traces: times(count, (each) => ({ traceID: `${each}` })) }),
  ],
  [
    'grafana_traces',
    { source: 't', ...query },
    20,
    (count) => ({ traces: times(count, (each) => ({ traceID: `${each}` })) }),
  ],
  [
    'jaeger_search',
    { service: 'shop', ...two },
    2,
    (count) => ({ data: times(count, (each) => trace(`${each}`)) }),
  ],
  [
    'victorialogs_query',
    { ...query, ...two },
    2,
    (count) => lineOf(times(count, () => ({ _time: 't', _msg: 'x' }))),
  ],
  [
    'victorialogs_fields',
    {},
    100,
    (count) => ({ values: times(count, (each) => ({ value: `${each}`, hits: 0 })) }),
  ],
  ['grafana_annotations', {}, 100, (count) => times(count, note)],
  ['grafana_dashboards', {}, 50, (count) => times(count, (each) => ({ uid: `${each}`, title: 'x' }))],
  ['grafana_changes', {}, 500, (count) => times(count, note)],
  [
    'elasticsearch_search',
    { ...index, ...two },
    2,
    (count) => ({ hits: { hits: times(count, () => document) } }),
  ],
  ['datadog_logs', { ...query, ...two }, 2, (count) => ({ data: times(count, event) })],
  ['datadog_events', {}, 50, (count) => ({ data: times(count, event) })],
  ['datadog_changes', {}, 200, (count) => ({ data: times(count, event) })],
  ['datadog_monitors', {}, 50, (count) => ({ monitors: times(count, (each) => ({ id: each })) })],
  [
    'newrelic_query',
    { query: 'SELECT count(*) FROM Log FACET host' },
    10,
    (count) => nrql(times(count, (each) => ({ count: 1, facet: `${each}` }))),
  ],
  [
    'newrelic_query',
    { query: 'SELECT message FROM Log LIMIT 30' },
    30,
    (count) => nrql(times(count, incident)),
  ],
  ['newrelic_incidents', {}, 100, (count) => nrql(times(count, incident))],
  ['newrelic_deployments', {}, 100, (count) => nrql(times(count, incident))],
  [
    'splunk_search',
    { query: 'search x', ...two },
    2,
    (count) => lineOf(times(count, () => ({ result: { _raw: 'x' } }))),
  ],
  [
    'splunk_alerts',
    two,
    2,
    (count) => ({ entry: times(count, (each) => ({ content: { trigger_time: seconds - each } })) }),
  ],
  ['sentry_issues', two, 2, (count) => times(count, (each) => ({ id: `${each}`, title: 'x' }))],
  [
    'sentry_changes',
    {},
    100,
    (count) => times(count, (each) => ({ version: `${each}`, dateCreated: '2026-11-28T05:00:00Z' })),
  ],
];

test.each(limited)(
  '[SRC-70a] %s %j: a limit of %i that was reached is said, one that was not is not',
  async (tool, args, most, make) => {
    const full = await answered(tool, args, make(most));
    expect(full.text).toMatch(
      new RegExp(`^(?:Not whole: )?(?:${most} of at least ${most}\\b|the query ends at ${most} rows)`),
    );
    expect((await answered(tool, args, make(most - 1))).text).not.toMatch(/of at least|ends at/);
  },
);

test('[SRC-05h] a full page of which nothing counts is not nothing: there may be more behind it', async () => {
  const open = (each: number) => ({ iid: each, title: 'x', merged_at: null });
  const full = await answered('gitlab_merges', {}, times(100, open));
  expect(full.text).toMatch(
    /^Not whole: 100 of at least 100, which are the newest\nNothing is in what came\./,
  );
  expect((await answered('gitlab_merges', {}, times(99, open))).text).toMatch(/^Nothing found/);
  const odd = [...times(99, open), { iid: 'odd' }];
  expect((await answered('gitlab_merges', {}, odd)).text).toMatch(
    /^Not whole: 1 of 100 could not be read: .*\nNot whole: 100 of at least 100/,
  );
});

test('[SRC-70b] a number that the source gives is said in its place, and a list that reaches behind the time is whole', async () => {
  const some = hits([document]) as { hits: Json };
  const counted = { ...some, hits: { total: { value: 10_000, relation: 'gte' }, hits: [document] } };
  expect((await answered('elasticsearch_search', index, counted)).text).toMatch(
    /^1 of at least 10000: the rest/,
  );
  const old = { ...some, hits: { total: 7, hits: [document] } };
  expect((await answered('elasticsearch_search', index, old)).text).toMatch(
    /^1 of 7: the rest is left out\n/,
  );
  const releases = times(100, (each) => ({
    version: `${each}`,
    dateCreated: `2026-11-${each < 50 ? 28 : 20}T00:00:00Z`,
  }));
  expect((await answered('sentry_changes', {}, releases)).text).not.toMatch(/of at least/);
});

test('[SRC-70c] what has no time yet comes before what is over', async () => {
  const notes = [note(1), { ...(note(2) as object), time: null, text: 'now' }, note(0)];
  const { text } = await answered('grafana_annotations', {}, notes);
  expect(text.split('\n').map((line) => line.split(' ').at(-1))).toEqual(['now', 'n0', 'n1']);
});

test('[SRC-22a] lines of one time keep the order in which they came, the newest first', async () => {
  const values = [1, 0].flatMap((older) => ['third', 'second', 'first'].map((text) => [nano(-older), text]));
  const body = { data: { resultType: 'streams', result: [{ stream: {}, values }] } };
  const { text } = await answered('loki_logs', query, body);
  expect(text.split('\n').map((line) => line.split(' ').at(-1))).toEqual(values.map(([, said]) => said));
});

test('[SRC-71] the numbers of templates are those of lines in the stored output, behind what comes first in it', async () => {
  const lines = times(100, (each) => [
    nano(each),
    each === 50 ? 'pool exhausted: ERROR' : `GET /cart ${each}`,
  ]);
  const body = {
    warnings: ['one ingester is down'],
    data: { resultType: 'streams', result: [{ stream: {}, values: lines }] },
  };
  const { text, full = '' } = await answered('loki_logs', query, body);
  expect(text).toMatch(/^Not whole: one ingester is down\n100 of at least 100: .*\n\[100 lines/);
  const number = Number(/#(\d+): 1 line\n.*pool exhausted/.exec(text)?.[1]);
  expect(full.split('\n')[number - 1]).toContain('pool exhausted');
});
