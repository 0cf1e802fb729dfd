// Sources of logs, traces and dashboards: VictoriaLogs and OpenSearch for real, Jaeger recorded from a real one, and Grafana,
// Loki and Tempo by the shapes of their API descriptions, which their licence keeps from being brought here.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolReturn } from '../../../src/activities/tools/define-tool.ts';
import type { Json } from '@holdfast/base/json';
import { openSearchMissing, startOpenSearch } from '../../support/opensearch-server.ts';
import { type SourceRoute, startSourceApi } from '../../support/source-api.ts';
import { plantedPassword, starterToolset } from '../../support/toolset-bench.ts';
import { until } from '../../support/until.ts';
import { startVictoriaLogs, victoriaLogsMissing } from '../../support/victorialogs-server.ts';

const answers = join(import.meta.dirname, '../../support/source-answers');
const now = Date.parse('2026-11-28T05:30:00Z');
const [start, end] = ['2026-11-28T04:30:00Z', '2026-11-28T05:30:00Z'];
const [startSeconds, endSeconds] = [String(now / 1_000 - 3_600), String(now / 1_000)];
const token = 'Bearer secret://password';

type Called = ToolReturn & { link: string };

async function opened(name: string, settings: Record<string, string>, given = { now }) {
  const { open, returnOf } = starterToolset(name, settings, given);
  const toolset = await open();
  const call = async (tool: string, args: Json): Promise<Called> => {
    const answer = await returnOf(toolset, tool, args);
    expect(JSON.stringify(answer)).not.toContain(plantedPassword);
    const { link = '' } = (answer.details ?? {}) as { link?: string };
    return { ...answer, link };
  };
  return { made: toolset.made, call };
}

async function replayed(name: string, routes: readonly SourceRoute[], settings: Record<string, string> = {}) {
  const { url } = await startSourceApi(routes);
  return { url, ...(await opened(name, { url, authorization: token, ...settings })) };
}

const noVictoriaLogs = victoriaLogsMissing ? ` (${victoriaLogsMissing})` : '';
test.skipIf(noVictoriaLogs !== '')(
  `[SRC-22abc] [SRC-25a] VictoriaLogs: newest lines first, short; counts over time; fields${noVictoriaLogs}`,
  { timeout: 900_000 },
  async () => {
    const { url } = await startVictoriaLogs(plantedPassword);
    const basic = `Basic ${Buffer.from(`reader:${plantedPassword}`).toString('base64')}`;
    const lines = Array.from({ length: 300 }, (_, index) => ({
      _time: new Date(now - 1_000 * (300 - index)).toISOString(),
      _msg: index % 10 === 0 ? `connect ECONNREFUSED, try ${index}` : `GET /cart 200 ${'x'.repeat(2_000)}`,
      level: index % 10 === 0 ? 'error' : 'info',
      service: 'checkout',
    }));
    await fetch(`${url}/insert/jsonline?_stream_fields=service`, {
      method: 'POST',
      headers: { authorization: basic, 'content-type': 'application/stream+json' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    const { call } = await opened('victorialogs', { url, authorization: basic });
    await until('the lines are searchable', async () =>
      (await call('victorialogs_query', { query: 'ECONNREFUSED' })).text.includes('290'),
    );
    const errors = await call('victorialogs_query', { query: 'level:error', limit: 3 });
    expect(errors.text.split('\n')).toEqual([
      '3 of at least 3: the limit is reached, and there may be more',
      '2026-11-28T05:29:50Z error checkout: connect ECONNREFUSED, try 290',
      '2026-11-28T05:29:40Z error checkout: connect ECONNREFUSED, try 280',
      '2026-11-28T05:29:30Z error checkout: connect ECONNREFUSED, try 270',
    ]);
    expect(errors.link).toContain(`/select/vmui/#/?query=level%3Aerror`);
    const one = await call('victorialogs_query', { query: 'level:info', limit: 1 });
    expect(one.text.length).toBeLessThan(400);
    expect(one.full?.length).toBeGreaterThan(2_000);
    expect(
      (await call('victorialogs_query', { query: '* | stats by (level) count() lines' })).text,
    ).toContain('{"level":"error","lines":"30"}');
    const hits = await call('victorialogs_hits', { field: 'level', step: '10m' });
    expect(hits.text).toMatch(/level=info \(270 in all\)[^]*level=error \(30 in all\)/);
    expect((await call('victorialogs_fields', {})).text).toContain('300 level');
    expect((await call('victorialogs_fields', { list: 'field_values', field: 'level' })).text).toBe(
      '270 info\n30 error',
    );
    expect((await call('victorialogs_query', { query: 'nonsense' })).text).toBe(
      `Nothing found: the source answered, and has nothing that matches (start ${start}, end ${end}).`,
    );
    expect(await call('victorialogs_query', { query: 'level:(' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('cannot parse `query` arg'),
    });
    const stranger = await opened('victorialogs', { url });
    expect((await stranger.call('victorialogs_query', { query: 'error' })).text).toMatch(
      /^No access: .*httpAuth/,
    );
  },
);

const noOpenSearch = openSearchMissing ? ` (${openSearchMissing})` : '';
test.skipIf(noOpenSearch !== '')(
  `[SRC-23abcd] OpenSearch: documents, counts, what is not whole, fields, indices and health${noOpenSearch}`,
  { timeout: 900_000 },
  async () => {
    const { url } = await startOpenSearch();
    const documents = Array.from({ length: 120 }, (_, index) => ({
      '@timestamp': new Date(now - 1_000 * (120 - index)).toISOString(),
      // as libraries write it: nested, or a name with a dot
      ...(index % 2 === 0
        ? { log: { level: index % 10 === 0 ? 'error' : 'info' } }
        : { 'log.level': 'info' }),
      service: { name: 'checkout' },
      message: index % 10 === 0 ? 'charge failed' : `GET /cart ${'x'.repeat(2_000)}`,
      ...(index % 10 === 0 ? { error: { message: 'connect ECONNREFUSED' } } : {}),
    }));
    const bulk = [
      ...documents.flatMap((document) => [{ index: { _index: 'logs-shop' } }, document]),
      { index: { _index: 'notes' } },
      { note: 'no time here' },
    ];
    await fetch(`${url}/_bulk?refresh=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: `${bulk.map((line) => JSON.stringify(line)).join('\n')}\n`,
    });
    const { call } = await opened('elasticsearch', { url, ui: 'https://dashboards.example.com/' });
    const errors = await call('elasticsearch_search', {
      index: 'logs-*',
      query: 'log.level:error',
      limit: 2,
    });
    expect(errors.text.split('\n')).toEqual([
      '2 of 12: the rest is left out',
      '2026-11-28T05:29:50.000Z error checkout: charge failed (connect ECONNREFUSED)',
      '2026-11-28T05:29:40.000Z error checkout: charge failed (connect ECONNREFUSED)',
    ]);
    expect(errors.link).toContain(`/app/discover#/?_g=(time:(from:'2026-11-28T04%3A30%3A00Z'`);
    const all = await call('elasticsearch_search', { index: 'logs-*' });
    expect(all.text.length).toBeLessThan(50 * 400);
    expect(all.text).toMatch(
      /^50 of 120: the rest is left out\n\[50 lines, .*, in 2 patterns: .*\n#11: 5 lines, .*\n2026-11-28T05:29:50.000Z error checkout: charge failed/,
    );
    expect(all.full).toMatch(/^50 of 120: the rest is left out\n2026-11-28T05:29:59.000Z info checkout: GET/);
    const counts = await call('elasticsearch_counts', { index: 'logs-*', field: 'log.level.keyword' });
    expect(counts.text).toMatch(/^108 info from \S+ to \S+\n12 error from 2026-11-28T05:28:00.000Z to/);
    expect((await call('elasticsearch_counts', { index: 'logs-*', field: 'none' })).text).toContain(
      '120 match, none with a value of none',
    );
    const partial = await call('elasticsearch_counts', { index: '*', field: 'message' });
    expect(partial.text).toMatch(/^Not whole: \d of \d shards failed: .*Text fields are not optimised/);
    expect((await call('elasticsearch_search', { index: 'logs-*', query: 'absent' })).text).toMatch(
      /^Nothing found/,
    );
    expect((await call('elasticsearch_search', { index: 'absent-*' })).text).toMatch(
      /^Not whole: No index matches absent-\*: /,
    );
    expect(await call('elasticsearch_search', { index: 'absent' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('index_not_found_exception'),
    });
    for (const index of ['_all', '_cluster', 'logs/_doc', '..'])
      await expect(call('elasticsearch_search', { index })).rejects.toThrow(/index pattern|the part "\.\."/);
    expect((await call('elasticsearch_fields', { index: 'logs-*' })).text).toContain('error.message text');
    expect((await call('elasticsearch_indices', {})).text).toMatch(/^yellow open \S+ \d+ documents/);
    expect((await call('elasticsearch_health', {})).text).toMatch(
      /^yellow: 1 nodes, 2 unassigned shards[^]*yellow logs-shop: 1 unassigned shards/,
    );
  },
);

test('[SRC-23ab] Elasticsearch: the request in whole; an answer that is not whole says so first', async () => {
  const range = { gte: start, lte: end, format: 'strict_date_optional_time' };
  const body = {
    size: 50,
    timeout: '25s',
    sort: [{ 'event.time': { order: 'desc', unmapped_type: 'date' } }],
    query: {
      bool: {
        filter: [
          { query_string: { query: 'level:error', lenient: true } },
          { range: { 'event.time': range } },
        ],
      },
    },
  };
  // by the API description of 8.19
  const answer = {
    took: 5,
    timed_out: false,
    _shards: {
      total: 5,
      successful: 4,
      skipped: 0,
      failed: 1,
      failures: [
        { shard: 0, index: 'logs-1', node: 'n', reason: { type: 'node_not_connected', reason: 'node left' } },
      ],
    },
    hits: {
      total: { value: 10_000, relation: 'gte' },
      max_score: null,
      hits: [
        {
          _index: '.ds-logs-1',
          _id: '1',
          _score: null,
          _source: { 'log.level': 'error', host: { name: 'web-1' }, message: 'out of memory' },
          sort: [1795843790000],
        },
        { _index: '.ds-logs-1', _id: '2', _score: null, _source: { code: 7 }, sort: [1795843700000] },
      ],
    },
  };
  const { call } = await replayed(
    'elasticsearch',
    [{ method: 'POST', path: '/logs-*,metrics/_search', body, answer }],
    { time_field: 'event.time' },
  );
  const { text } = await call('elasticsearch_search', { index: 'logs-*,metrics', query: 'level:error' });
  expect(text.split('\n')).toEqual([
    'Not whole: 1 of 5 shards failed: node_not_connected: node left',
    '2 of at least 10000: the rest is left out',
    '2026-11-28T05:29:50.000Z error web-1: out of memory',
    '2026-11-28T05:28:20.000Z {"code":7}',
  ]);
});

/** Loki's answer to a query for lines, as its HTTP API describes it (3.5). */
function streams(...found: { stream: Record<string, string>; values: [string, string][] }[]): Json {
  return { status: 'success', data: { resultType: 'streams', result: found, stats: {} } };
}

const lines = streams(
  {
    stream: { app: 'shop', pod: 'shop-1', detected_level: 'error' },
    values: [
      ['1795843790000000000', `connect ECONNREFUSED ${'x'.repeat(2_000)}`],
      ['1795843700000000000', 'retrying'],
    ],
  },
  { stream: { app: 'cart', level: 'info' }, values: [['1795843750123456789', 'GET /cart 200']] },
);

const shownLines = [
  /^2026-11-28T05:29:50.000Z error shop-1: connect ECONNREFUSED x{278}…$/,
  /^2026-11-28T05:29:10.123Z info cart: GET \/cart 200$/,
  /^2026-11-28T05:28:20.000Z error shop-1: retrying$/,
];

const lokiQuery = { query: '{app="shop"}', start, end, limit: '100', direction: 'backward' };

test('[SRC-22abc] Loki: newest lines of all streams first, short; series of a metric query; labels; loud streams', async () => {
  const matrix = {
    status: 'success',
    data: {
      resultType: 'matrix',
      result: [
        {
          metric: { app: 'shop' },
          values: [
            [1795843200, '1'],
            [1795843260, '9'],
            [1795843320, '2'],
          ],
        },
        // of a quotient whose divisor is zero
        {
          metric: { app: 'cart' },
          values: [
            [1795843200, 'NaN'],
            [1795843260, '3'],
          ],
        },
      ],
    },
  };
  const volume = {
    status: 'success',
    data: {
      resultType: 'vector',
      result: [
        { metric: { app: 'cart' }, value: [1795843800, '90'] },
        { metric: { app: 'shop' }, value: [1795843800, '4000'] },
      ],
    },
  };
  const times = { start, end };
  const base = '/loki/api/v1';
  const { call } = await replayed(
    'loki',
    [
      { path: `${base}/query_range`, query: lokiQuery, answer: lines },
      { path: `${base}/labels`, query: times, answer: { status: 'success', data: ['app', 'pod'] } },
      {
        path: `${base}/label/app/values`,
        query: times,
        answer: { status: 'success', data: ['cart', 'shop'] },
      },
      {
        path: `${base}/index/volume`,
        query: { ...times, limit: '30', query: '{service_name=~".+"}' },
        answer: volume,
      },
    ],
    { ui: 'https://grafana.example.com' },
  );
  const { text, link } = await call('loki_logs', { query: '{app="shop"}' });
  const shown = text.split('\n');
  expect(shown).toHaveLength(3);
  shownLines.forEach((line, index) => expect(shown[index]).toMatch(line));
  const panes = JSON.parse(new URL(link).searchParams.get('panes') ?? '') as Json;
  expect(panes).toMatchObject({
    a: { datasource: 'loki', queries: [{ expr: '{app="shop"}' }], range: { from: start, to: end } },
  });
  expect((await call('loki_labels', {})).text).toBe('app, pod');
  expect((await call('loki_label_values', { label: 'app' })).text).toBe('cart\nshop');
  expect((await call('loki_volume', {})).text).toBe('4000 bytes {"app":"shop"}\n90 bytes {"app":"cart"}');
  const query = 'sum by (app) (count_over_time({app="shop"}[1m]))';
  const metric = await replayed('loki', [
    { path: `${base}/query_range`, query: { ...lokiQuery, query }, answer: matrix },
  ]);
  expect((await metric.call('loki_logs', { query })).text).toBe(
    '{"app":"shop"} 3 points, min 1, max 9 at 2026-11-28T05:21:00.000Z, last 2\n' +
      '{"app":"cart"} 1 points and 1 without a number, min 3, max 3 at 2026-11-28T05:21:00.000Z, last 3',
  );
});

type OtlpSpan = { spanId: string; parentSpanId?: string; status: { code?: number | string } };
type Otlp = { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };

/** As Tempo's API sends it: `batches`, ids in base64, names of enumerations. */
async function tempoTrace(): Promise<Json> {
  const { resourceSpans } = JSON.parse(await readFile(join(answers, 'otlp-trace.json'), 'utf8')) as Otlp;
  const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
  for (const span of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))) {
    span.spanId = base64(span.spanId);
    if (span.parentSpanId !== undefined) span.parentSpanId = base64(span.parentSpanId);
    if (span.status.code === 2) span.status.code = 'STATUS_CODE_ERROR';
  }
  return { batches: resourceSpans };
}

const id = '5b8aa5a2d2c872e8321cf37308d69df2';

const tree = `2026-11-28T05:00:00.000Z: 5 spans of 2 services in 3200 ms, 4 failed (+ is the time since the first span)
Failed, deepest first:
  +60 ms 3000 ms payments SELECT cards; pool exhausted; exception.type=PoolTimeout; exception.message=no free connection within 3000 ms; server.address=db-2
  +0 ms 3200 ms shop POST /pay; http.response.status_code=502
  +40 ms 3150 ms shop POST payments
  +50 ms 3130 ms payments POST /charge
Most time of their own:
  3000 ms of +60 ms 3000 ms payments SELECT cards
  130 ms of +50 ms 3130 ms payments POST /charge
  30 ms of +0 ms 3200 ms shop POST /pay
  20 ms of +10 ms 20 ms shop GET cart
  20 ms of +40 ms 3150 ms shop POST payments
Tree:
+0 ms 3200 ms shop POST /pay FAILED
  +10 ms 20 ms shop GET cart
  +40 ms 3150 ms shop POST payments FAILED
    +50 ms 3130 ms payments POST /charge FAILED
      +60 ms 3000 ms payments SELECT cards FAILED`;

/** By Tempo's API description (2.8). */
const found = {
  traces: [
    {
      traceID: 'aa',
      rootServiceName: 'shop',
      rootTraceName: 'GET /',
      startTimeUnixNano: '1795842001000000000',
    },
    {
      traceID: id,
      rootServiceName: 'shop',
      rootTraceName: 'POST /pay',
      startTimeUnixNano: '1795842000000000000',
      durationMs: 3200,
      spanSets: [{ spans: [], matched: 4 }],
    },
  ],
  metrics: { inspectedBytes: '1' },
};

const shownTraces = `2026-11-28T05:00:00.000Z 3200 ms shop POST /pay, trace ${id}, 4 matching spans
2026-11-28T05:00:01.000Z 0 ms shop GET /, trace aa`;

test('[SRC-24ab] Tempo and Jaeger: slowest traces first, and a trace in the same lines', async () => {
  const seconds = { start: startSeconds, end: endSeconds };
  const tempo = await replayed('tempo', [
    { path: '/api/search', query: { ...seconds, q: '{ status = error }', limit: '20' }, answer: found },
    { path: `/api/traces/${id}`, answer: await tempoTrace() },
    { path: '/api/traces/ff', status: 404, answer: 'trace not found' },
    { path: '/api/traces/fe', status: 404, answer: '' },
    { path: '/api/traces/ee', status: 404, answer: '404 page not found' },
    {
      path: '/api/v2/search/tag/resource.service.name/values',
      query: seconds,
      answer: { tagValues: [{ type: 'string', value: 'shop' }], metrics: {} },
    },
  ]);
  expect((await tempo.call('tempo_search', { query: '{ status = error }' })).text).toBe(shownTraces);
  expect((await tempo.call('tempo_trace', { id })).text).toBe(tree);
  expect((await tempo.call('tempo_trace', { id: 'ff' })).text).toMatch(/^Nothing found/);
  expect((await tempo.call('tempo_trace', { id: 'fe' })).text).toMatch(/^Nothing found/);
  // a wrong address answers so
  expect(await tempo.call('tempo_trace', { id: 'ee' })).toMatchObject({
    text: '[HTTP 404 Not Found]\n404 page not found',
    isError: true,
  });
  expect((await tempo.call('tempo_values', {})).text).toBe('shop');

  // recorded from Jaeger 1.76.0, to which otlp-trace.json was sent
  const recorded = JSON.parse(await readFile(join(answers, 'jaeger-trace.json'), 'utf8')) as Json;
  const missing = {
    data: null,
    total: 0,
    limit: 0,
    offset: 0,
    errors: [{ code: 404, msg: 'trace not found' }],
  };
  const microseconds = { start: `${startSeconds}000000`, end: `${endSeconds}000000` };
  const tags = '{"error":"true"}';
  const jaeger = await replayed('jaeger', [
    { path: '/api/services', answer: { data: ['shop', 'payments'], total: 2, errors: null } },
    { path: '/api/traces', query: { ...microseconds, service: 'shop', tags, limit: '20' }, answer: recorded },
    { path: `/api/traces/${id}`, answer: recorded },
    { path: '/api/traces/ff', status: 404, answer: missing },
  ]);
  expect((await jaeger.call('jaeger_services', {})).text).toBe('payments\nshop');
  const search = await jaeger.call('jaeger_search', { service: 'shop', tags });
  expect(search.text).toMatch(
    `2026-11-28T05:00:00.000Z 3200 ms shop POST /pay, trace ${id}, 5 spans, 4 failed: `,
  );
  expect(search.link).toContain(`${jaeger.url}/search?service=shop&tags=`);
  const trace = await jaeger.call('jaeger_trace', { id });
  expect(trace.text).toBe(tree);
  expect(trace.link).toBe(`${jaeger.url}/trace/${id}`);
  expect((await jaeger.call('jaeger_trace', { id: 'ff' })).text).toMatch(/^Nothing found/);
});

test('[SRC-24c] a large trace is short: the failed span and those above it stay', async () => {
  const span = (index: number, parent: number | undefined, failed = false): Json => ({
    spanID: `s${index}`,
    operationName: `step ${index}`,
    references: parent === undefined ? [] : [{ refType: 'CHILD_OF', traceID: 'aa', spanID: `s${parent}` }],
    startTime: 1795842000000000 + index * 1_000,
    duration: 500,
    tags: failed ? [{ key: 'error', type: 'bool', value: true }] : [],
    logs: [],
    processID: 'p1',
  });
  const spans = Array.from({ length: 3_000 }, (_, index) =>
    span(index, index === 0 ? undefined : index === 2_900 ? 2_800 : 0, index === 2_900),
  );
  const answer = { data: [{ traceID: 'aa', spans, processes: { p1: { serviceName: 'shop' } } }] };
  const { call } = await replayed('jaeger', [{ path: '/api/traces/aa', answer }]);
  const { text } = await call('jaeger_trace', { id: 'aa' });
  expect(text.length).toBeLessThan(3_000);
  expect(text.split('\n')[2]).toContain('step 2900');
  expect(text).toMatch(/\n\+0 ms [^]*\n {2}\+2800 ms .*step 2800\n {4}\+2900 ms .*step 2900 FAILED/);
  expect(text).toMatch(/\[29\d\d of 3000 spans left out\]$/);
});

test('[SRC-21abcd] Grafana: data sources, and through its proxy logs, metrics and traces; annotations; panels as data', async () => {
  const proxy = '/api/datasources/proxy/uid';
  const promql = 'rate(errors_total[5m])';
  const metrics = {
    status: 'success',
    data: {
      resultType: 'matrix',
      result: [
        {
          metric: { job: 'shop' },
          values: [
            [1795843200, '1'],
            [1795843260, '9'],
          ],
        },
      ],
    },
  };
  // by Grafana's API description (12)
  const source = { id: 1, orgId: 1, access: 'proxy', url: 'http://x', isDefault: false, jsonData: {} };
  const sources = [
    { ...source, uid: 'loki-1', name: 'Logs', type: 'loki' },
    { ...source, uid: 'prom-1', name: 'Metrics', type: 'prometheus', isDefault: true },
  ];
  const note = { alertId: 0, alertName: '', newState: '', prevState: '', login: '', dashboardUID: null };
  const annotations = [
    {
      ...note,
      time: 1795842000000,
      timeEnd: 1795842000000,
      login: 'ana',
      text: '<b>Deployed</b> shop 2.1',
      tags: ['deploy', 'shop'],
    },
    {
      ...note,
      time: 1795842300000,
      timeEnd: 1795842300000,
      alertName: 'Errors',
      newState: 'Alerting',
      prevState: 'Normal',
      text: '',
      tags: [],
      dashboardUID: 'shop',
    },
  ];
  const dashboard = {
    title: 'Shop',
    templating: { list: [{ name: 'job', current: { text: 'shop', value: 'shop' } }] },
    panels: [
      {
        id: 4,
        type: 'timeseries',
        title: 'Errors',
        datasource: { type: 'prometheus', uid: 'prom-1' },
        targets: [{ refId: 'A', expr: 'rate(errors_total{job="$job"}[5m])' }],
      },
      {
        id: 5,
        type: 'row',
        title: 'Logs',
        collapsed: true,
        panels: [
          {
            id: 6,
            type: 'logs',
            title: 'Lines',
            targets: [{ refId: 'A', datasource: { type: 'loki', uid: 'loki-1' }, expr: '{app="shop"}' }],
          },
        ],
      },
    ],
  };
  const { url, call } = await replayed('grafana', [
    { path: '/api/datasources', answer: sources },
    { path: `${proxy}/loki-1/loki/api/v1/query_range`, query: lokiQuery, answer: lines },
    {
      path: `${proxy}/prom-1/api/v1/query_range`,
      query: { query: promql, start, end, step: '60s', timeout: '25s' },
      answer: metrics,
    },
    {
      path: `${proxy}/tempo-1/api/search`,
      query: { start: startSeconds, end: endSeconds, q: '{ status = error }', limit: '20' },
      answer: found,
    },
    { path: `${proxy}/tempo-1/api/traces/${id}`, answer: await tempoTrace() },
    {
      path: '/api/annotations',
      query: { from: String(now - 6 * 3_600_000), to: String(now), limit: '100' },
      answer: annotations,
    },
    {
      path: '/api/search',
      query: { type: 'dash-db', query: 'shop', limit: '50' },
      answer: [{ uid: 'shop', title: 'Shop', folderTitle: 'Teams', tags: ['web'], type: 'dash-db' }],
    },
    { path: '/api/dashboards/uid/shop', answer: { dashboard, meta: { url: '/d/shop/shop' } } },
  ]);
  expect((await call('grafana_sources', {})).text).toBe(
    'loki-1 loki Logs\nprom-1 prometheus Metrics (default)',
  );
  const logs = await call('grafana_logs', { source: 'loki-1', query: '{app="shop"}' });
  shownLines.forEach((line, index) => expect(logs.text.split('\n')[index]).toMatch(line));
  const explore = new URL(logs.link);
  expect(explore.href).toContain(`${url}/explore?`);
  expect(JSON.parse(explore.searchParams.get('panes') ?? '')).toMatchObject({
    a: { datasource: 'loki-1', queries: [{ expr: '{app="shop"}' }], range: { from: start, to: end } },
  });
  expect((await call('grafana_metrics', { source: 'prom-1', query: promql })).text).toMatch(
    /job="?shop"?[^]*max 9/,
  );
  const traces = await call('grafana_traces', { source: 'tempo-1', query: '{ status = error }' });
  expect(traces.text).toBe(shownTraces);
  expect(traces.link).toContain(`${startSeconds}000`);
  expect((await call('grafana_trace', { source: 'tempo-1', id })).text).toBe(tree);
  expect((await call('grafana_annotations', {})).text).toBe(
    `2026-11-28T05:05:00.000Z alert Errors Normal -> Alerting:, dashboard shop
2026-11-28T05:00:00.000Z ana: Deployed shop 2.1 [deploy, shop]`,
  );
  expect((await call('grafana_dashboards', { query: 'shop' })).text).toBe('shop Shop (in Teams) [web]');
  const panels = await call('grafana_panels', { dashboard: 'shop' });
  expect(panels.text.split('\n')).toEqual([
    '$job = shop',
    'panel 4 (timeseries) Errors: [prom-1] rate(errors_total{job="$job"}[5m])',
    'panel 6 (logs) Lines: [loki-1] {app="shop"}',
  ]);
  expect(panels.link).toBe(`${url}/d/shop`);
});

/** A call for which the source has nothing, and its answer then. */
const empty: [string, string, Json, SourceRoute][] = [
  ['grafana', 'grafana_sources', {}, { path: '/api/datasources', answer: [] }],
  [
    'loki',
    'loki_logs',
    { query: '{app="shop"}' },
    { path: '/loki/api/v1/query_range', query: lokiQuery, answer: streams() },
  ],
  [
    'victorialogs',
    'victorialogs_query',
    { query: 'x' },
    {
      path: '/select/logsql/query',
      query: { query: 'x', start, end, limit: '100', timeout: '25s', allow_partial_response: '0' },
      answer: '',
    },
  ],
  [
    'elasticsearch',
    'elasticsearch_indices',
    { index: 'none-*' },
    { path: '/_cat/indices/none-*', query: { format: 'json', h: /index/, s: /date/ }, answer: [] },
  ],
  [
    'tempo',
    'tempo_search',
    { query: '{}' },
    {
      path: '/api/search',
      query: { q: '{}', start: startSeconds, end: endSeconds, limit: '20' },
      answer: { traces: [], metrics: {} },
    },
  ],
  ['jaeger', 'jaeger_services', {}, { path: '/api/services', answer: { data: [], total: 0, errors: null } }],
];

for (const [name, tool, args, route] of empty) {
  test(`[SRC-25ab] ${name}: nothing found, no access, not reachable and a refused query are told apart, without the credential`, async () => {
    const { url, call } = await replayed(name, [route]);
    expect(await call(tool, args)).toMatchObject({
      text: expect.stringMatching(
        // in this form, whatever the form of the vendor
        route.query?.['start'] === undefined
          ? /^Nothing found/
          : `^Nothing found.*start ${start}, end ${end}`,
      ),
      details: { answer: 'nothing' },
    });
    const refused = await opened(name, { url, authorization: 'Bearer another' });
    expect(await refused.call(tool, args)).toMatchObject({
      text: expect.stringMatching(/^No access: the source refused the request\. It needs: ./),
      isError: true,
      details: { answer: 'no_access' },
    });
    const gone = await opened(name, { url: 'http://127.0.0.1:1', authorization: token });
    const behindProxy = await replayed(name, [{ ...route, status: 502, answer: 'bad gateway' }]);
    for (const { call: ask } of [gone, behindProxy]) {
      expect(await ask(tool, args)).toMatchObject({
        text: expect.stringMatching(/^Not reachable: /),
        isError: true,
        details: { answer: 'not_reachable' },
      });
    }
    const wrong = await replayed(name, [{ ...route, status: 400, answer: 'parse error at line 1' }]);
    expect(await wrong.call(tool, args)).toMatchObject({
      text: expect.stringContaining('parse error at line 1'),
      isError: true,
    });
  });
}

test('[SRC-25c] the tools of the six sources together cost less than 3,000 tokens, and none can change anything', async () => {
  const sets = await Promise.all(empty.map(([name]) => opened(name, {})));
  const specs = sets.flatMap(({ made }) => made.map(({ spec }) => spec));
  const shown = specs.map(({ name, description, parameters }) => ({ name, description, parameters }));
  // four bytes are about a token
  expect(JSON.stringify(shown).length / 4).toBeLessThan(3_000);
  expect(specs.filter(({ effect }) => effect !== 'read')).toEqual([]);
});
