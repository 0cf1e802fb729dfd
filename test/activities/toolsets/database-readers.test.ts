// Readers of databases, queues and workflows on answers that no real server here gives: of other versions, without rights,
// without statistics.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Long } from 'mongodb';
import { expect, test } from 'vitest';
import type { SourceAnswer } from '@holdfast/sources/source-answer';
import type { Json } from '@holdfast/base/json';
import { startMongodbStandIn } from '../../support/mongodb-stand-in.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { starterToolset } from '../../support/toolset-bench.ts';
import { config, groups, sizes, topics } from '../../../catalog/toolsets/kafka.ts';
import { operations, serverStatus } from '../../../catalog/toolsets/mongodb.ts';
import { figures } from '../../../catalog/toolsets/mysql.ts';
import { test as nginxTest } from '../../../catalog/toolsets/nginx.ts';
import { connections, nodes, overview, queue, queues } from '../../../catalog/toolsets/rabbitmq.ts';
import { count, history, taskQueue, workflow, workflows } from '../../../catalog/toolsets/temporal.ts';

const whyOf = (read: SourceAnswer): string => ('why' in read ? [read.why].flat().join('; ') : '');
const textOf = (read: SourceAnswer): string =>
  'rows' in read
    ? read.rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')
    : '';
const json = (value: Json): string => JSON.stringify(value);

/** A redis-cli of version 6, which knows no `-e`, and its answer. */
async function redisSaid(
  said: string,
): Promise<Awaited<ReturnType<ReturnType<typeof starterToolset>['returnOf']>>> {
  const folder = await temporaryFolder();
  const program = `#!/bin/sh
for word; do [ "$word" = -e ] && { echo "Unrecognized option or bad number of args for: '-e'" >&2; exit 1; }; done
case "$*" in *PING*) echo PONG ;; *) printf '%s\\n\\n' "$SAID" ;; esac
`;
  await writeFile(join(folder, 'redis-cli'), program.replace('"$SAID"', `'${said}'`), { mode: 0o755 });
  const { open, returnOf } = starterToolset('redis', {}, { path: `${folder}:${process.env['PATH']}` });
  return returnOf(await open(), 'redis_key', { key: 'a' });
}

test.each([
  ['NOAUTH Authentication required.', /^No access: /],
  ['NOPERM this user has no permissions to run the type command', /^No access: /],
  ['DENIED Redis is running in protected mode because protected mode is enabled', /^No access: /],
  ['MOVED 3999 10.0.0.2:6381', /^Failed: the source answered with an error: MOVED 3999/],
  ['ASK 3999 10.0.0.2:6381', /^Failed: /],
  ['CLUSTERDOWN The cluster is down', /^Not reachable: /],
  ['LOADING Redis is loading the dataset in memory', /^Not reachable: /],
  ['MASTERDOWN Link with MASTER is down', /^Not reachable: /],
  ['BUSY Redis is busy running a script.', /^Failed: /],
  ['ERR unknown command `TYPE`, with args beginning with: `a`, ', /^Failed: /],
  ['(error) ERR max number of clients reached', /^Failed: /],
  ['string', /^string/],
  ['ReJSON-RL', /^ReJSON-RL/],
  ['-2', /^-2/],
])('[SRC-52c] redis-cli without -e says "%s" with exit code 0', async (said, expected) => {
  const { text, isError } = await redisSaid(said);
  expect(text).toMatch(expected);
  expect(isError ?? false).toBe(/^\(?[A-Za-z]+\)? /.test(said));
});

test('[SRC-52e] kafka: a setting of nothing, and an answer that is none', () => {
  const head = 'Dynamic configs for topic orders are:\n';
  expect(config(head, {})).toEqual({ is: 'none' });
  expect(config(`${head}  retention.ms=1 sensitive=false`, {})).toMatchObject({ is: 'rows' });
  expect(config('WARN something else', {})).toMatchObject({ is: 'partial', rows: [] });
});

const columns = 'GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID';

test.each([
  [
    'billing orders 0 5 9 4 my worker-3f1c2f6a-1111-4d2b-9d52-0d8f6f0f7b11 /10.1.2.3 my worker',
    'my worker /10.1.2.3',
  ],
  ['billing orders 0 5 9 4 c-3f1c2f6a-1111-4d2b-9d52-0d8f6f0f7b11/10.1.2.3 c', 'c /10.1.2.3'],
  ['orders 0 5 9 4 c-3f1c2f6a-1111-4d2b-9d52-0d8f6f0f7b11 /fe80:0:0:0:1%2 c', 'c /fe80:0:0:0:1%2', 'orders'],
  ['my  old group orders 0 5 9 4 c-1 /10.1.2.3 a /b c', 'a /b c /10.1.2.3', 'my  old group orders'],
  ['billing orders 0 5 9 4 owner of it', 'owner of it'],
])(
  '[SRC-53b] kafka: a row with blanks, or without them, is read: %s',
  (line, who, key = 'billing orders') => {
    // versions before 2.1 print no group
    const head = key === 'orders' ? columns.replace('GROUP ', '') : columns;
    expect(groups(`${head}\n${line}`, { show: 'lag', limit: 9 })).toMatchObject({
      rows: [`lag 4 in all: ${key}, 1 partitions`, `lag 4 ${key}/0: at 5 of 9, ${who}`],
    });
  },
);

test('[SRC-53c] kafka: a lag that is not known is not 0, and a line that cannot be read is named', () => {
  const table = `${columns}\ng orders 0 - 9 - - - -\ng orders 1 5 - - c /10.1.2.3 c\ng - - - - - idle /10.1.2.3 idle\nodd line`;
  expect(groups(table, { show: 'lag', limit: 9 })).toEqual({
    is: 'partial',
    came: 2,
    total: 2,
    why: ['1 of the lines could not be read: odd line'],
    rows: [
      'lag unknown in all: g orders, 2 partitions, 2 WITH AN UNKNOWN LAG, 1 WITHOUT A CONSUMER',
      'NOTHING COMMITTED g orders/0: at - of 9, no consumer',
      'lag unknown g orders/1: at 5 of -, c /10.1.2.3',
      'g: idle /10.1.2.3 has no partition',
    ],
  });
  expect(groups('Note: nothing here', { show: 'lag', limit: 9 })).toMatchObject({ is: 'unknown' });
});

test.each([
  'Error: Executing consumer group command failed due to org.apache.kafka.common.errors.GroupIdNotFoundException: Group x not found.',
  "Error: Consumer group 'x' does not exist.",
])('[SRC-53d] kafka: a group that is not there is none, unless all were asked for: %s', (said) => {
  expect(groups(`\n${said}\n`, { group: 'x', show: 'lag', limit: 9 })).toEqual({ is: 'none' });
  expect(groups(`\n${said}\n`, { group: '', show: 'lag', limit: 9 })).toEqual({ is: 'failed', why: said });
});

test('[SRC-56e] mysql: a server or a proxy whose sessions can write is not worked with', async () => {
  const folder = await temporaryFolder();
  const said = "printf 'one more where sessions are read-only\\n41\\n'";
  await writeFile(join(folder, 'mysql'), `#!/bin/sh\n${said}\n`, { mode: 0o755 });
  const { open } = starterToolset('mysql', {}, { path: `${folder}:${process.env['PATH']}` });
  expect(await open()).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('where sessions are read-only 41": expected "42"'),
  });
});

test.each([
  [{ tls: 'true', tls_server_name: 'shop' }, '--tls --tls-server-name shop'],
  [
    { tls_ca: '/ca.pem', tls_cert: '/cert.pem', tls_key: '/key.pem' },
    '--tls-ca-path /ca.pem --tls-cert-path /cert.pem --tls-key-path /key.pem',
  ],
  [{ tls: 'false' }, ''],
])('[SRC-56f] temporal: TLS by %j', async (settings: Record<string, string>, words) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'temporal'), '#!/bin/sh\necho "$*"\n', { mode: 0o755 });
  const { open, callerOf } = starterToolset('temporal', settings, { path: folder });
  const said = await callerOf(await open())('temporal_count', {});
  expect(said).toContain(`--output=json ${words === '' ? '' : `${words} `}--query=`);
});

test('[SRC-53e] kafka: warnings of Java before an answer are no part of it, and hide no failure', async () => {
  const warnings =
    'OpenJDK 64-Bit Server VM warning: Option UseConcMarkSweepGC was deprecated\n[2026-11-28 05:00:00,000] WARN [AdminClient] slow (org.apache.kafka)\n';
  const table = `${warnings}\n${columns}\ng orders 0 5 9 4 - - -\n`;
  expect(groups(table, { group: '', show: 'lag', limit: 9 })).toMatchObject({ is: 'rows', came: 1 });
  expect(topics(`${warnings}Topic: orders`, {})).toEqual({ is: 'rows', rows: ['Topic: orders'] });
  const folder = await temporaryFolder();
  const said = `${warnings}\nError: Executing consumer group command failed due to TimeoutException`;
  for (const [name, answer] of [
    ['consumer-groups', said],
    ['topics', ''],
  ] as const)
    await writeFile(join(folder, `kafka-${name}.sh`), `#!/bin/sh\ncat <<'END'\n${answer}\nEND\n`, {
      mode: 0o755,
    });
  const { open, callerOf } = starterToolset('kafka', { bin: folder });
  expect(await callerOf(await open())('kafka_groups', {})).toMatch(/^Not reachable: .*TimeoutException/);
});

test('[SRC-55f] of sources that leave out without a word what the user may not see, an empty list is not whole', () => {
  expect(whyOf(topics('\n', {}))).toContain('may not DESCRIBE');
  expect(topics('\n', { problem: 'unavailable-partitions' })).toEqual({ is: 'none' });
  expect(whyOf(groups('', { group: '', show: 'lag', limit: 9 }))).toContain('may not DESCRIBE');
  expect(groups('', { group: 'x', show: 'lag', limit: 9 })).toEqual({ is: 'none' });
  expect(whyOf(figures('', { what: 'tables' }))).toContain('no right');
  expect(figures('', { what: 'statements' })).toEqual({ is: 'none' });
  const none = json({ items: [], filtered_count: 0 });
  expect(whyOf(queues(none, { name: '' }))).toContain('no permission');
  expect(queues(none, { name: 'x' })).toEqual({ is: 'none' });
});

test('[SRC-55d] kafka: a broker that names no log folder hides it; folders that failed come first', () => {
  const dir = (error: string | null) => ({
    logDir: '/data',
    error,
    partitions: [
      { partition: 'a-0', size: 5, offsetLag: 0, isFuture: false },
      { partition: 'a-1', size: 9, offsetLag: 3, isFuture: false },
    ],
  });
  const brokers = [
    { broker: 1, logDirs: [dir(null)] },
    { broker: 2, logDirs: [] },
    { broker: 3, logDirs: [{ logDir: '/lost', error: 'KafkaStorageException', partitions: [] }] },
  ];
  const read = sizes(`Querying brokers\n${json({ version: 1, brokers })}\n`, { limit: 1 });
  expect(whyOf(read)).toBe('broker 2 names no log folder, as to a user who may not DESCRIBE the cluster');
  expect(textOf(read).split('\n')).toEqual([
    'broker 3 /lost FAILED: KafkaStorageException',
    '2 partitions, 14 bytes',
    '9 bytes a-1 on broker 1, behind by 3',
  ]);
  expect(read).toMatchObject({ came: 1, total: 2 });
  expect(sizes('Querying brokers\n', { limit: 1 })).toMatchObject({ is: 'unknown' });
});

test('[SRC-54a] rabbitmq: of a broker without statistics nothing is 0', () => {
  const bare = { name: 'orders', vhost: '/', type: 'quorum', state: 'running', arguments: {}, node: 'a' };
  for (const read of [
    queues(json({ filtered_count: 1, item_count: 1, items: [bare] }), {}),
    queue(json(bare), {}),
    overview(json({ rabbitmq_version: '4.1.9', cluster_name: 'shop', object_totals: { queues: 1 } }), {}),
    nodes(json([{ name: 'rabbit@a', running: true, partitions: [] }]), {}),
    connections(json({ filtered_count: 1, items: [{ name: 'c', user: 'shop', state: 'running' }] }), {}),
  ]) {
    expect(whyOf(read)).toContain('statistics are off');
    expect(textOf(read)).toContain('unknown');
    expect(textOf(read)).not.toMatch(/\b0\b|undefined|NaN/);
  }
});

test('[SRC-54b] rabbitmq: rates of a queue that had no message are 0 where others are kept, else unknown', () => {
  const figures = {
    name: 'q',
    vhost: '/',
    messages: 3,
    messages_ready: 3,
    messages_unacknowledged: 0,
    consumers: 0,
  };
  const line = (message_stats: Json) => textOf(queues(json({ items: [{ ...figures, message_stats }] }), {}));
  expect(line({ publish: 3, publish_details: { rate: 1.5 } })).toContain(
    '(NOBODY CONSUMES), a second: in 1.5, out 0, acknowledged 0',
  );
  expect(line({ publish: 3 })).toContain('a second: in unknown, out unknown');
  expect(queues(json({ error: 'bad_request', reason: 'no page' }), {})).toMatchObject({ is: 'failed' });
});

test('[SRC-55c] mongodb: rights that hide databases, members or the figures of a collection are said', async () => {
  const own = { databases: [{ name: 'shop', sizeOnDisk: 9 }], ok: 1 };
  const { url } = await startMongodbStandIn(
    {
      listDatabases: own,
      serverStatus: { host: 'db-0', process: 'mongod', version: '8.0.4', uptime: 9, ok: 1 },
      listCollections: {
        cursor: {
          id: Long.ZERO,
          ns: 'shop.$cmd.listCollections',
          firstBatch: [{ name: 'orders', type: 'collection' }],
        },
        ok: 1,
      },
    },
    (command) => command['authorizedDatabases'] === false,
  );
  const { open, returnOf } = starterToolset('mongodb', { url });
  const toolset = await open();
  expect(await returnOf(toolset, 'mongodb_collections', {})).toMatchObject({
    text: expect.stringMatching(/^Not whole: only databases that the user may read.*\nshop 9 bytes$/),
    details: { answer: 'partial' },
  });
  expect(await returnOf(toolset, 'mongodb_collections', { database: 'shop' })).toMatchObject({
    text: expect.stringMatching(
      /^Not whole: of 1 collections the sizes are not known: not authorized.*\norders$/,
    ),
  });
  expect(await returnOf(toolset, 'mongodb_status', {})).toMatchObject({
    text: expect.stringMatching(/^Not whole: the replica set is not known: not authorized.*\ndb-0 mongod/),
  });
});

test('[SRC-54e] mongodb: an operation or a member without a figure has none', () => {
  const read = operations(
    json({ operations: { inprog: [{ opid: 'shard0:7', op: 'none' }, { op: 'x' }] } }),
    {},
  );
  expect(textOf(read)).toBe('for an unknown time none opid shard0:7, client unknown: ');
  expect(whyOf(read)).toMatch(/^1 of 2 could not be read/);
  const members = [{ name: 'db-1', health: 0, stateStr: 'DOWN' }];
  const status = serverStatus(json({ server: { error: 'x' }, replicas: { set: 'rs0', members } }), {});
  expect(textOf(status)).toBe('The replica set has no primary\ndb-1 DOWN NOT REACHABLE: no word from it');
  expect(whyOf(status)).toBe('serverStatus: x');
  expect(serverStatus(json({ ok: 1 }), {})).toMatchObject({ is: 'unknown' });
});

test('[SRC-57c] mysql: the state of a replica by the names of each version', () => {
  const fields = (names: string): string =>
    `*** 1. row ***\n${names.replaceAll(/\S+/g, '$&: x').replaceAll(' ', '\n')}\nOther: x\n`;
  for (const names of [
    'Master_Host: Slave_IO_Running: Seconds_Behind_Master:',
    'Source_Host: Replica_IO_Running: Seconds_Behind_Source:',
  ]) {
    const read = figures(fields(names.replaceAll(':', '')), { what: 'replication' });
    expect(textOf(read).split('\n')).toHaveLength(4);
  }
});

test('[SRC-55e] nginx: a fault of rights is told from one of the configuration', () => {
  const denied = 'nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)';
  const ok = 'nginx: the configuration file /etc/nginx/nginx.conf syntax is ok';
  expect(whyOf(nginxTest(`${ok}\n${denied}\n`, {}))).toContain('the syntax is right');
  const key =
    'nginx: [emerg] cannot load certificate key "/k": BIO_new_file() failed (SSL: error:8000000D:system library::Permission denied)';
  expect(whyOf(nginxTest(`${key}\n`, {}))).toContain('is not known');
  const log =
    'nginx: [alert] could not open error log file: open() "/var/log/nginx/error.log" failed (13: Permission denied)';
  expect(nginxTest(`${log}\n${ok}\nnginx: configuration file test is successful`, {})).toMatchObject({
    is: 'rows',
  });
  const wrong = 'nginx: [emerg] unknown directive "nonsense" in /etc/nginx/nginx.conf:1';
  expect(nginxTest(`${log}\n${wrong}\n`, {})).toMatchObject({ is: 'rows' });
});

test('[SRC-57d] temporal: shapes of other versions, and what JSON leaves out', () => {
  const info = { execution: { workflowId: 'w' }, type: { name: 'order' }, status: 'Running', taskQueue: 'q' };
  expect(textOf(workflows(json([info, { status: 'x' }]), {}))).toBe('Running order w on q, run ?');
  expect(workflows('[]', {})).toEqual({ is: 'none' });
  expect(textOf(count('{}', {}))).toBe('0 in all');
  expect(textOf(workflow(json({ workflowExecutionInfo: info }), {}))).toBe(
    'Running order on q, 0 events, 0 bytes',
  );
  expect(workflow('{}', {})).toMatchObject({ is: 'unknown' });
  expect(history(json({ events: null }), { limit: 3 })).toEqual({ is: 'none' });
  expect(taskQueue(json({ pollers: [] }), {})).toMatchObject({ is: 'unknown' });
  expect(textOf(taskQueue(json({ stats: [{ taskQueueType: 'workflow' }], pollers: null }), {}))).toBe(
    'workflow tasks: backlog unknown, the oldest unknown, a second: added unknown, dispatched unknown, NO WORKER POLLS',
  );
});
