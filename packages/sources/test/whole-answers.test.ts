// Readers of the starter set on answers of which a part is absent, wrong or at a limit: the limit is said, and the rest of it
// is no less than it was.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Reader, SourceAnswer } from '../src/source-answer.ts';
import { readTable } from '../src/table-reader.ts';
import { page } from '../../../catalog/toolsets/confluence.ts';
import { releases } from '../../../catalog/toolsets/helm.ts';
import { issue } from '../../../catalog/toolsets/jira.ts';
import { groups, sizes as diskSizes, topics } from '../../../catalog/toolsets/kafka.ts';
import { sizes } from '../../../catalog/toolsets/mongodb.ts';
import { rows as nrqlRows, series as nrqlSeries } from '../../../catalog/toolsets/newrelic.ts';
import { overview, queue } from '../../../catalog/toolsets/rabbitmq.ts';
import { slowlog } from '../../../catalog/toolsets/redis.ts';
import { changes, planned, record } from '../../../catalog/toolsets/servicenow.ts';
import { results } from '../../../catalog/toolsets/splunk.ts';
import { count, history, taskQueue } from '../../../catalog/toolsets/temporal.ts';
import type { Json } from '@holdfast/base/json';
import { temporaryFolder } from '../../../test/support/tool-calls.ts';
import { starterToolset } from '../../../test/support/toolset-bench.ts';

const read = (reader: Reader, value: Json, args = {}): SourceAnswer => reader(JSON.stringify(value), args);
const times = <T>(number: number, make: (index: number) => T): T[] =>
  Array.from({ length: number }, (_, index) => make(index));
const nrql = (found: Json): Json => ({ data: { actor: { account: { nrql: { results: found } } } } });

test('[SRC-70a] a limit of NRQL is that of the query or of facets, and a reached one is no gap', () => {
  const bare = times(100, (each) => ({ message: `${each}` }));
  expect(read(nrqlRows, nrql(bare), { query: "SELECT message FROM Log WHERE x = 'limit 5'" })).toMatchObject({
    is: 'rows',
    came: 100,
    more: true,
  });
  const facets = (of: number) => times(of, (each) => ({ 'average.duration': 1, facet: `shop-${each}` }));
  const query = 'SELECT average(duration) FROM Transaction FACET appName';
  expect(read(nrqlRows, nrql(facets(10)), { query })).toMatchObject({ is: 'rows', came: 10, more: true });
  expect(read(nrqlRows, nrql(facets(9)), { query })).toMatchObject({ more: false });
  expect(read(nrqlRows, nrql(facets(10)), { query: `${query} LIMIT MAX` })).toMatchObject({ more: false });
  const buckets = (of: number) =>
    facets(of).flatMap((each) => [0, 60].map((beginTimeSeconds) => ({ ...each, beginTimeSeconds })));
  const over = { query: `${query} TIMESERIES` };
  expect(read(nrqlSeries, nrql(buckets(10)), over)).toMatchObject({ is: 'rows', came: 10, more: true });
  expect(read(nrqlSeries, nrql(buckets(5)), over)).toMatchObject({ came: 5, more: false });
});

test('[SRC-70a] what cannot be read has come, too: it hides no limit', async () => {
  const event = (each: number) => ({ eventId: `${each}`, eventType: 'EVENT_TYPE_TIMER_STARTED' });
  const some = times(100, (each) => (each > 97 ? { eventId: { odd: true } } : event(each)));
  expect(read(history, { events: some }, { limit: 30 })).toMatchObject({
    is: 'partial',
    why: [expect.stringMatching(/^2 of 100 could not be read: eventId: /)],
    came: 32,
    left: 68,
  });
  const collections = [{ name: 'a' }, { name: 'b' }, { name: 7 }];
  expect(read(sizes, { collections, left: 4 })).toMatchObject({ is: 'partial', came: 3, left: 4 });
  const entry = '1) 1) (integer) 14\n   2) (integer) 1795843200\n   3) (integer) 12000\n   4) 1) "KEYS"';
  expect(slowlog(`${entry}\n2) 1) (integer) 13\n   2) odd`, {})).toMatchObject({ is: 'partial', came: 2 });
  const release = { name: 'shop', updated: '2026-11-28T05:00:00Z', status: 'failed' };
  expect(read(releases, [release, null, { ...release, name: null }])).toMatchObject({
    why: [expect.stringMatching(/^2 of 3 could not be read: /)],
    rows: [expect.stringContaining('/shop')],
  });
});

test('[SRC-54a] rabbitmq: a broker without a queue has no message, and its statistics are on', () => {
  // as RabbitMQ 3.10.8 answers
  const empty = {
    rates_mode: 'basic',
    rabbitmq_version: '3.10.8',
    cluster_name: 'shop',
    disable_stats: false,
    message_stats: {},
    churn_rates: {},
    queue_totals: {},
    object_totals: { channels: 0, connections: 0, consumers: 0, exchanges: 7, queues: 0 },
  };
  expect(read(overview, empty)).toEqual({
    is: 'rows',
    rows: [
      'shop, RabbitMQ 3.10.8',
      'messages 0: ready 0, unacknowledged 0',
      'a second: no message yet',
      JSON.stringify(empty.object_totals),
      'opened and closed a second: connection_created 0, connection_closed 0, channel_created 0, channel_closed 0, queue_created 0, queue_deleted 0',
    ],
  });
  const { message_stats: _, churn_rates: __, queue_totals: ___, ...off } = empty;
  const switchedOff = read(overview, { ...off, disable_stats: true });
  expect(switchedOff).toMatchObject({ is: 'partial', why: [expect.stringContaining('statistics are off')] });
  expect(JSON.stringify(switchedOff)).toContain('connection_created unknown');
});

test.each([
  ['Your search was partially served from cached summaries', false],
  ['Field extraction skipped: no props.conf stanza applies', false],
  ['Search peer idx1 has the following message: Health Check passed', false],
  ['Configuration initialization for /opt/splunk/etc took 12 ms', false],
  ['Search results might be incomplete: the search process on the peer idx1 ended prematurely', true],
  ['Timed out waiting for peer idx1.', true],
  ['[subsearch]: Subsearch produced 10001 results, truncating to maxout 10000.', true],
  ['Search auto-finalized after time limit reached (30s)', true],
  ['The search returned partial results', true],
  ['3 events were skipped', true],
])('[SRC-69a] splunk: "%s" is a gap: %s', (said, isGap) => {
  const lines = [{ messages: [{ type: 'INFO', text: said }] }, { result: { _raw: 'x' } }];
  const made = results(lines.map((line) => JSON.stringify(line)).join('\n'), {});
  expect(made.is).toBe(isGap ? 'partial' : 'rows');
});

test('[SRC-52a] temporal_count: an error with exit code 0 is no count', () => {
  expect(read(count, { error: 'namespace shop is not found' })).toMatchObject({ is: 'failed' });
  expect(read(count, { code: 3, message: 'invalid query', details: [] })).toMatchObject({
    is: 'failed',
    why: expect.stringContaining('invalid query'),
  });
  expect(read(count, { took: 3 })).toMatchObject({ is: 'unknown' });
  expect(read(count, {})).toEqual({ is: 'rows', rows: ['0 in all'] });
});

test.each<[string, Reader, Json]>([
  ['jira_issue', issue, { fields: { summary: 'slow', created: null, updated: '' } }],
  ['servicenow_changes', planned, { result: [{ number: 'CHG1', start_date: '', end_date: null }] }],
  [
    'servicenow_changes of changes',
    changes,
    { result: [{ number: 'CHG1', work_start: '2026-11-28 05:00:00' }] },
  ],
  ['servicenow_record', record, { result: [{ number: 'INC1', state: 'New', priority: null }] }],
  ['confluence_page', page, { title: 'Pool', version: { number: 3 }, body: { storage: { value: '' } } }],
  ['helm_releases', releases, [{ name: 'shop', updated: '2026-11-28T05:00:00Z', status: 'failed' }]],
  ['temporal_task_queue', taskQueue, { stats: [{}], pollers: [{ identity: 'w' }] }],
  ['rabbitmq_queue', queue, { arguments: {}, messages: 1, deliveries: [{}] }],
])('[SRC-38b] %s: fields that are empty or null are absent, and no word for it', (_, reader, value) => {
  const said = JSON.stringify(read(reader, value));
  expect(said).toContain('"is":"rows"');
  expect(said).not.toMatch(/undefined|NaN|made ,|changed "/);
});

const state = `
GROUP    COORDINATOR (ID)  ASSIGNMENT-STRATEGY  STATE   #MEMBERS
billing  10.0.0.1:9092 (1) range                Stable  2
`;
test.each<[string, string]>([
  ['an error', 'Error: Executing consumer group command failed due to TimeoutException: Call timed out.'],
  ['an exception', 'org.apache.kafka.common.errors.TimeoutException: Call timed out.\n\tat a.B.c(B.java:1)'],
  ['its log', '[2026-11-28 05:00:00,000] ERROR Call timed out. (kafka.admin)'],
])('[SRC-52a] kafka: %s after rows is a gap, and no row', (_, error) => {
  for (const show of ['state', 'members'])
    expect(groups(`${state}${error}\n`, { group: '', show, limit: 40 })).toMatchObject({
      is: 'partial',
      why: [error.split('\n', 1)[0]],
      came: 1,
      total: 1,
    });
  const folders = '{"brokers":[{"broker":1,"logDirs":[{"logDir":"/a","partitions":[]}]}]}';
  expect(diskSizes(`Querying brokers\n${folders}\n${error}\n`, { limit: 1 })).toMatchObject({
    is: 'partial',
    why: [error.split('\n', 1)[0]],
  });
  const topic = 'Topic: orders\tPartitionCount: 1';
  expect(topics(`${topic}\n${error}\n`, {})).toMatchObject({
    is: 'partial',
    rows: [topic.replace('\t', ' ')],
  });
});

test('[SRC-59b] a cell wider than its column costs the empty cells of its own row alone', () => {
  const table = [
    'NAME    CLASS   HOSTS      ADDRESS   PORTS   AGE',
    'shop    <none>  shop.test            80      3d',
    'an-ingress-of-a-long-name  <none>  a.test  10.0.0.1  80  3d',
    'blog            blog.test            80      3d',
  ].join('\n');
  expect(readTable(table)).toMatchObject({
    rows: [
      'NAME  CLASS  HOSTS  ADDRESS  PORTS  AGE',
      'shop  <none>  shop.test  -  80  3d',
      'an-ingress-of-a-long-name  <none>  a.test  10.0.0.1  80  3d',
      'blog  -  blog.test  -  80  3d',
    ],
  });
});

test('[SRC-05f] a table without a row is nothing found: no container, no unit', async () => {
  const header = 'CONTAINER ID   IMAGE     COMMAND   CREATED   STATUS    PORTS     NAMES';
  expect(readTable(`${header}\n`)).toEqual({ is: 'none' });
  const folder = await temporaryFolder();
  const units =
    '  UNIT LOAD ACTIVE SUB DESCRIPTION\n0 loaded units listed. Pass --all to see loaded units.\n';
  const program = (said: string) =>
    `#!/bin/sh\ncase "$*" in *=Version*) echo Version=252 ;; *) printf '${said}' ;; esac\n`;
  await writeFile(join(folder, 'docker'), program(`${header}\\n`), { mode: 0o755 });
  await writeFile(join(folder, 'systemctl'), program(units.replaceAll('\n', '\\n')), { mode: 0o755 });
  await writeFile(join(folder, 'journalctl'), program(''), { mode: 0o755 });
  const path = `${folder}:${process.env['PATH']}`;
  for (const [name, tool] of [
    ['docker', 'docker_containers'],
    ['systemd', 'systemd_units'],
  ] as const) {
    const { open, returnOf } = starterToolset(name, {}, { path });
    const { text, details } = await returnOf(await open(), tool, {});
    expect(text).toMatch(/^Nothing found: /);
    expect(details).toMatchObject({ answer: 'nothing' });
  }
});
