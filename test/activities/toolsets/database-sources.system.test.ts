// Databases and brokers as sources, for real: MariaDB, FerretDB (MongoDB's protocol), RabbitMQ and Kafka. What these servers
// cannot show here, a MongoDB replica set and the clients of RabbitMQ, comes in the shapes that the vendors document.
import { setTimeout as pause } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import type { ToolReturn } from '../../../src/activities/tools/define-tool.ts';
import { readToolset } from '../../../src/activities/toolsets/read-toolset.ts';
import { openToolset } from '../../../src/activities/toolsets/toolsets.ts';
import type { Json } from '@holdfast/base/json';
import { ferretdbMissing, startFerretdb } from '../../support/ferretdb-server.ts';
import { kafkaMissing, startKafka } from '../../support/kafka-server.ts';
import { mariadbMissing, startMariadb } from '../../support/mariadb-server.ts';
import { startMongodbStandIn } from '../../support/mongodb-stand-in.ts';
import { rabbitmqMissing, startRabbitmq } from '../../support/rabbitmq-server.ts';
import { startSourceApi } from '../../support/source-api.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { groups } from '../../../catalog/toolsets/kafka.ts';
import { createToolBench, plantedPassword as password, starterToolset } from '../../support/toolset-bench.ts';
import { until } from '../../support/until.ts';

const secret = 'secret://password';

async function opened(name: string, settings: Record<string, string>) {
  const { open, returnOf } = starterToolset(name, settings, {
    secrets: { password, wrong: 'wrong-password-9' },
  });
  const toolset = await open();
  const outcome = async (tool: string, args: Json = {}): Promise<ToolReturn> => {
    const answer = await returnOf(toolset, tool, args);
    expect(JSON.stringify(answer)).not.toMatch(new RegExp(`${password}|wrong-password-9`));
    return answer;
  };
  const call = async (tool: string, args: Json = {}): Promise<string> => (await outcome(tool, args)).text;
  return { reason: toolset.status === 'failed' ? toolset.reason : undefined, call, outcome };
}

const noMariadb = mariadbMissing ? ` (skipped: ${mariadbMissing})` : '';
test.skipIf(noMariadb !== '')(`[SRC-26abc] [SRC-31ab] mysql over MariaDB${noMariadb}`, async () => {
  const { port, sql, session } = await startMariadb(password);
  const rows = Array.from({ length: 300 }, (_, index) => `(${index}, '${'x'.repeat(40)}')`).join(', ');
  await sql(
    `create table shop.orders (id int primary key, note varchar(50)); insert into shop.orders values ${rows}`,
  );
  const settings = { port: `${port}`, password: secret };
  const { reason, call } = await opened('mysql', settings);
  expect(reason).toBeUndefined();

  await session("begin; update orders set note = 'held' where id = 1;");
  // InnoDB answers from a cache that it renews when nobody has read it for 100 ms
  const idle = () => pause(150);
  const open = 'select count(*) from information_schema.innodb_trx where trx_rows_modified = 1';
  await until('a transaction holds the row', async () => {
    await idle();
    return (await sql(open)) === '1';
  });
  await session("update orders set note = 'late' where id = 1;");
  const locks = await until('a session waits', async () => {
    await idle();
    const found = await call('mysql_locks');
    return found.includes('update orders') && found;
  });
  expect(locks).toMatch(
    /\n\d+\t\d+\tupdate orders set note = 'late' where id = 1\t\d+\troot\tlocalhost\tSleep\t\d+\t1\tno statement now/,
  );
  expect(await call('mysql_activity')).toMatch(
    /^sessions\tactive\tmax_connections\n3\t2\t151\n[^]*LOCK WAIT/,
  );

  expect(await call('mysql_show', { what: 'status' })).toMatch(/MariaDB[^]*Threads_connected\t3/);
  expect(await call('mysql_show', { what: 'replication' })).toMatch(
    /^\*+ 1\. row \*+\nserver_id: 1\nread_only: 0$/,
  );
  expect(await call('mysql_show', { what: 'statements' })).toContain('UPDATE `orders` SET `note` = ?');
  expect(await call('mysql_show', { what: 'tables' })).toMatch(/^name.*\nshop\.orders\tInnoDB\t/);

  const query = (text: string, limit = 100) => call('mysql_query', { query: text, limit });
  expect(await query('select id from shop.orders order by id', 2)).toBe(
    '2 of 300: the rest is left out\nid\n0\n1',
  );
  expect(await query("select id from shop.orders where note like 'none'")).toMatch(/^Nothing found/);
  expect(await query('select id from shop.missing')).toMatch(/^\[exit code 1\][^]*ERROR 1146|^No access/);
  expect(await query('select * from sys.sys_config')).toMatch(
    /^No access: .*grant select on shop[^]*ERROR 1142/,
  );
  await sql(
    "create table shop.flags (id int, isOn bit(1), uuid binary(4), body blob, note varchar(9)); insert into shop.flags values (1, 1, x'00ff09ab', 'pool\\nexhausted', 'ä'), (2, 0, '', '', null), (3, null, null, null, 'c')",
  );
  expect(await query('select * from shop.flags')).toBe(
    [
      'id\tisOn\tuuid\tbody\tnote',
      String.raw`1	0x01	0x00FF09AB	"pool\nexhausted"	ä`,
      '2\t0x00\t0x00000000\t0x (empty or NULL)\tNULL',
      '3\t0x (empty or NULL)\t0x (empty or NULL)\t0x (empty or NULL)\tc',
    ].join('\n'),
  );
  const wrong = await opened('mysql', { ...settings, password: 'secret://wrong' });
  expect(await wrong.call('mysql_activity')).toMatch(/^No access: [^]*ERROR 1045/);
  const gone = await opened('mysql', { ...settings, port: '1' });
  expect(await gone.call('mysql_activity')).toMatch(/^Not reachable: [^]*ERROR 200[23]/);
});

test.skipIf(noMariadb !== '')(
  `[SRC-26d] mysql only reads, also for a user who may write${noMariadb}`,
  async () => {
    const { port, folder, sql } = await startMariadb(password);
    await sql('create table shop.log (id int)');
    await sql(
      'delimiter //\ncreate function shop.touch() returns int begin insert into shop.log values (1); return 1; end //',
    );
    await sql(`create user writer@'%' identified by '${password}'; grant all on *.* to writer@'%'`);
    const settings = { port: `${port}`, password: secret, user: 'writer', statement_timeout_seconds: '1' };
    const { call } = await opened('mysql', settings);
    const query = (text: string) => call('mysql_query', { query: text });
    expect(await query('select shop.touch()')).toMatch(/ERROR 1792.*READ ONLY/);
    const slow =
      'select count(*) from information_schema.columns a, information_schema.columns b, information_schema.columns c';
    expect(await query(slow)).toMatch(/ERROR 1969.*max_statement_time/);
    // a command of the client in a later line
    for (const command of [`system touch ${folder}/ran`, `source ${folder}/x`, `tee ${folder}/ran`])
      expect(await query(`select 1\n${command}`)).toContain('ERROR 1064');
    for (const refused of [
      'delete from shop.log',
      'select 1; drop table shop.log',
      'select 1 \\! id',
      'set statement tx_read_only = 0 for select 1',
      "select * from shop.log into outfile '/tmp/x'",
      "select load_file('/etc/passwd')",
      "select get_lock('a', 1)",
      'select id from shop.log FOR  UPDATE',
      'select id from shop.log lock in share mode',
      'select SLEEP (9)',
      "select group_replication_set_as_primary('x')",
      'select `sleep`(9)',
      'select sleep/**/(9)',
      'select /*+ MAX_EXECUTION_TIME(0) */ 1',
      'select @x := 1',
      'select id into @x from shop.log',
      'select authentication_string from mysql.user',
      'select * from `mysql`.`user`',
      'show create user holdfast',
      'show grants for holdfast',
      'select 1 delimiter $ $ drop table shop.log',
    ])
      await expect(query(refused), refused).rejects.toThrow(/this tool (reads|takes)|expected one statement/);
    expect(await sql('select count(*) from shop.log')).toBe('0');
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  },
);

const noFerretdb = ferretdbMissing ? ` (${ferretdbMissing})` : '';
test.skipIf(noFerretdb !== '')(
  `[SRC-27ab] [SRC-31ab] mongodb over FerretDB${noFerretdb}`,
  { timeout: 900_000 },
  async () => {
    const { url } = await startFerretdb();
    const client = new MongoClient(url);
    const orders = client.db('shop').collection('orders');
    await orders.insertMany(
      Array.from({ length: 60 }, (_, n) => ({
        n,
        at: new Date(1_795_843_000_000 + n),
        state: n % 10 === 0 ? 'failed' : 'paid',
        note: 'x'.repeat(2_000),
      })),
    );
    await orders.createIndex({ state: 1 });
    await client.close();
    const { reason, call, outcome } = await opened('mongodb', { url });
    expect(reason).toBeUndefined();
    expect(await call('mongodb_status')).toMatch(/^no replica set: .*\n.* 7\.0\.\d+, up \d+ s$/);
    expect(await call('mongodb_collections')).toMatch(/^shop \d+ bytes$/);
    expect(await call('mongodb_collections', { database: 'shop' })).toMatch(
      /^orders 60 documents, \d+ bytes, on disk \d+; indexes: \{"_id":1\}.*, \{"state":1\}/,
    );
    const where = { database: 'shop', collection: 'orders' };
    const find = (args: Record<string, Json>) => outcome('mongodb_find', { ...where, ...args });
    const short = { projection: '{"_id": 0, "n": 1}', sort: '{"n": -1}' };
    expect((await find({ ...short, filter: '{"state": "failed"}', limit: 2 })).text).toBe(
      '2 of at least 2: the limit is reached, and there may be more\n{"n":50}\n{"n":40}',
    );
    const since = '{"at": {"$gt": {"$date": "2026-11-28T05:16:40.057Z"}}}';
    expect((await find({ ...short, filter: since })).text).toBe('{"n":59}\n{"n":58}');
    const all = await find({});
    expect(all.text.split('\n')).toHaveLength(21);
    expect(all.text.length).toBeLessThan(21 * 610);
    expect(all.full?.length).toBeGreaterThan(20 * 2_000);
    expect((await find({ explain: true })).text).toContain('SCAN');
    expect(
      await call('mongodb_aggregate', {
        ...where,
        pipeline: '[{"$group": {"_id": "$state", "count": {"$sum": 1}}}, {"$sort": {"count": 1}}]',
      }),
    ).toBe('{"_id":"failed","count":6}\n{"_id":"paid","count":54}');
    expect((await find({ filter: '{"n": 99}' })).text).toMatch(/^Nothing found/);
    const gone = await opened('mongodb', {
      url: 'mongodb://127.0.0.1:1',
      user: 'holdfast',
      password: secret,
    });
    expect(await gone.outcome('mongodb_status')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Not reachable: MongoServerSelectionError: .*ECONNREFUSED/),
    });
  },
);

test('[SRC-27d] [FAULT-113c] mongodb: a query is data; one that would run JavaScript or write is not sent', async () => {
  const { url, commands } = await startMongodbStandIn({});
  const { call } = await opened('mongodb', { url });
  const where = { database: 'shop', collection: 'orders' };
  for (const [operator, filter] of [
    ['$where', '{"$where": "sleep(1)"}'],
    ['$where', '{"$or": [{"a": 1}, {"\\u0024where": "sleep(1)"}]}'],
    ['$function', '{"$expr": {"$function": {"body": "function() {}", "args": [], "lang": "js"}}}'],
    ['$code', '{"a": {"$code": "1"}}'],
  ] as const)
    expect(await call('mongodb_find', { ...where, filter })).toMatch(`Error: ${operator}`);
  for (const stage of [
    '{"$out": "copy"}',
    '{"$merge": "copy"}',
    '{"$group": {"_id": 1, "a": {"$accumulator": {}}}}',
  ])
    expect(await call('mongodb_aggregate', { ...where, pipeline: `[${stage}]` })).toContain(
      '; this tool reads',
    );
  for (const stage of [
    '{"$unionWith": "system.users"}',
    '{"$unionWith": {"coll": "system.users", "pipeline": []}}',
    '{"$unionWith": {"db": "admin", "coll": "x"}}',
    '{"$lookup": {"from": "system.users", "as": "a", "pipeline": []}}',
    '{"$lookup": {"from": {"db": "admin", "coll": "system.users"}, "as": "a", "pipeline": []}}',
    '{"$lookup": {"from": {"db": "billing", "coll": "cards"}, "as": "a", "pipeline": []}}',
    '{"$lookup": {"from": {"$symbol": "system.users"}, "as": "a", "pipeline": []}}',
    '{"$graphLookup": {"from": "system.profile", "startWith": "$a", "connectFromField": "a", "connectToField": "b", "as": "c"}}',
    '{"$facet": {"a": [{"$lookup": {"from": "orders", "as": "b", "pipeline": [{"\\u0024unionWith": "system.users"}]}}]}}',
    '{"$lookup": ["system.users"]}',
    '{"$listSessions": {"allUsers": true}}',
    '{"$changeStream": {}}',
  ])
    expect([stage, await call('mongodb_aggregate', { ...where, pipeline: `[${stage}]` })]).toEqual([
      stage,
      expect.stringContaining('; this tool reads'),
    ]);
  for (const place of [
    { database: 'admin', collection: 'x' },
    { database: 'local', collection: 'oplog.rs' },
    { database: 'admin.system', collection: 'users' },
    { database: 'shop', collection: 'system.users' },
  ]) {
    await expect(call('mongodb_find', place)).rejects.toThrow(/this tool reads data|form/);
    await expect(call('mongodb_aggregate', { ...place, pipeline: '[]' })).rejects.toThrow(
      /this tool reads data|form/,
    );
  }
  expect(await call('mongodb_find', { ...where, sort: '{"$out": 1}' })).toContain('$out writes');
  expect(await call('mongodb_find', { ...where, filter: 'db.orders.find()' })).toContain(
    'expected extended JSON',
  );
  expect(await call('mongodb_aggregate', { ...where, pipeline: '{}' })).toContain('expected a JSON array');
  expect(commands).toEqual([]);
});

test('[SRC-27bc] mongodb: operations that run long, members of a replica set with lag, plan of a query', async () => {
  // shapes of the manual of MongoDB 8.0: currentOp, replSetGetStatus, serverStatus, explain
  const at = (seconds: number) => new Date(1_795_843_000_000 + seconds * 1_000);
  const { url, commands } = await startMongodbStandIn({
    currentOp: {
      inprog: [
        {
          type: 'op',
          opid: 1,
          op: 'query',
          ns: 'shop.orders',
          secs_running: 3,
          client: '10.0.0.1:1',
          command: { find: 'orders' },
        },
        {
          type: 'op',
          opid: 7,
          op: 'command',
          ns: 'shop.orders',
          secs_running: 95,
          client: '10.0.0.2:2',
          appName: 'report',
          planSummary: 'COLLSCAN',
          waitingForLock: true,
          numYields: 12,
          command: { aggregate: 'orders', pipeline: [{ $match: { note: 'y'.repeat(900) } }] },
        },
      ],
      ok: 1,
    },
    replSetGetStatus: {
      set: 'rs0',
      members: [
        { name: 'db-0:27017', health: 1, stateStr: 'PRIMARY', uptime: 900, optimeDate: at(100) },
        // of an election, the one that does not know yet
        { name: 'db-3:27017', health: 1, stateStr: 'PRIMARY', uptime: 900, optimeDate: at(90) },
        {
          name: 'db-1:27017',
          health: 1,
          stateStr: 'SECONDARY',
          uptime: 900,
          optimeDate: at(58),
          syncSourceHost: 'db-0:27017',
        },
        {
          name: 'db-2:27017',
          health: 0,
          stateStr: '(not reachable/healthy)',
          uptime: 0,
          lastHeartbeatMessage: 'Connection refused',
        },
      ],
      ok: 1,
    },
    serverStatus: {
      host: 'db-0',
      process: 'mongod',
      version: '8.0.4',
      uptime: 900,
      connections: { current: 40, active: 3, available: 10 },
      ok: 1,
    },
    explain: {
      queryPlanner: {
        namespace: 'shop.orders',
        winningPlan: { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: 'state_1' } },
      },
      executionStats: {
        nReturned: 2,
        executionTimeMillis: 350,
        totalKeysExamined: 9_000,
        totalDocsExamined: 9_000,
      },
      ok: 1,
    },
  });
  const { call } = await opened('mongodb', { url });
  const operations = (await call('mongodb_operations', { seconds: 2 })).split('\n');
  expect(operations[0]).toMatch(
    /^95 s command shop\.orders opid 7, waits for a lock, 12 yields, COLLSCAN, client 10\.0\.0\.2:2 \(report\): \{"aggregate"/,
  );
  expect(operations[0]?.length).toBeLessThan(450);
  expect(operations[1]).toMatch(/^3 s query/);
  expect(commands[0]).toMatchObject({ currentOp: 1, active: true, secs_running: { $gte: 2 }, $db: 'admin' });
  expect((await call('mongodb_status')).split('\n')).toEqual([
    'db-0:27017 PRIMARY, up 900 s',
    'db-3:27017 PRIMARY, up 900 s',
    'db-1:27017 SECONDARY, lag 42 s, syncs from db-0:27017, up 900 s',
    'db-2:27017 (not reachable/healthy) NOT REACHABLE: Connection refused, up 0 s',
    'db-0 mongod 8.0.4, up 900 s',
    'connections 40, active 3, available 10',
  ]);
  const explained = await call('mongodb_find', { database: 'shop', collection: 'orders', explain: true });
  expect(explained).toMatch(
    /^returned 2 in 350 ms: looked at 9000 documents, 9000 keys\nFETCH < IXSCAN\(state_1\)\n/,
  );
  // as a server refuses a user without the role, and a wrong password
  const refused = await call('mongodb_find', { database: 'shop', collection: 'orders' });
  expect(refused).toMatch(/^No access: .*clusterMonitor[^]*not authorized/);
  const stranger = await opened('mongodb', { url, user: 'holdfast', password: secret });
  expect(await stranger.call('mongodb_status')).toMatch(
    /^No access: .*\nMongoServerError: Authentication failed/,
  );
});

test('[SRC-27e] a tool of code: what it names is checked, and a package that is not installed is said', async () => {
  const folder = await temporaryFolder();
  const { deps } = createToolBench();
  const write = async (tool: string): Promise<string> => {
    const file = join(folder, 'own.yaml');
    const head = 'name: own\ndescription: Own.\nprerequisites: [{ package: no-such-package }]\n';
    await writeFile(file, `${head}tools: [{ name: own_read, description: Reads., ${tool} }]\n`);
    return file;
  };
  const good = await write('effect: read, code: { run: mongodb.collections }');
  expect(await openToolset(good, {}, deps)).toMatchObject({
    status: 'failed',
    reason:
      'the npm package no-such-package is not installed. Run "npm install no-such-package" where holdfast is installed',
  });
  for (const [tool, fault] of [
    ['effect: read, code: { run: mongodb.drop }', 'mongodb.find'],
    ['effect: once, code: { run: mongodb.find }', 'expected the effect read'],
    ['effect: read, code: { run: mongodb.find }, command: [id]', 'expected one of command, http and code'],
    ['effect: read, code: { run: mongodb.find, with: { a: "{{b}}" } }', 'names {{b}}'],
    ['effect: read, command: [id], read: nothing', 'read is "nothing"'],
  ] as const)
    await expect(readToolset(await write(tool)), tool).rejects.toThrow(fault);
});

const noRabbitmq = rabbitmqMissing ? ` (skipped: ${rabbitmqMissing})` : '';
test.skipIf(noRabbitmq !== '')(
  `[SRC-28ab] [SRC-31ab] rabbitmq${noRabbitmq}`,
  { timeout: 300_000 },
  async () => {
    const { url, api } = await startRabbitmq(password);
    for (const name of ['orders', 'mails', 'empty'])
      await api('PUT', `/queues/%2F/${name}`, { durable: true });
    const message = { properties: {}, payload: 'x', payload_encoding: 'string' };
    for (const routing_key of ['orders', 'orders', 'mails'])
      await api('POST', '/exchanges/%2F/amq.default/publish', { ...message, routing_key });
    const { call } = await opened('rabbitmq', {
      url,
      authorization: `Basic ${btoa(`holdfast:${password}`)}`,
    });
    const queues = await until('the messages are counted', async () => {
      const found = await call('rabbitmq_queues');
      return /^2 messages[^]*\n1 messages/.test(found) && found;
    });
    expect(queues.split('\n').map((line) => line.slice(0, 70))).toEqual([
      '2 messages in / orders: ready 2, unacknowledged 0, consumers 0 (NOBODY',
      '1 messages in / mails: ready 1, unacknowledged 0, consumers 0 (NOBODY ',
      '0 messages in / empty: ready 0, unacknowledged 0, consumers 0, a secon',
    ]);
    expect(await call('rabbitmq_queues', { limit: 1 })).toMatch(
      /^1 of 3: the rest is left out\n2 messages in \/ orders/,
    );
    expect(await call('rabbitmq_queues', { name: 'none' })).toMatch(/^Nothing found/);
    expect(await call('rabbitmq_overview')).toMatch(/RabbitMQ 3[^]*messages 3: ready 3[^]*"queues":3/);
    expect(await call('rabbitmq_nodes')).toMatch(
      /^holdfast-\d+@localhost, memory \d+ of \d+ bytes, disk free/,
    );
    expect(await call('rabbitmq_queue', { queue: 'orders' })).toMatch(
      /^2 messages: ready 2[^]*\nno consumers$/,
    );
    expect(await call('rabbitmq_connections')).toMatch(/^Nothing found/);
    const stranger = await opened('rabbitmq', { url, authorization: 'Basic d3Jvbmc6d3Jvbmc=' });
    expect(await stranger.call('rabbitmq_overview')).toMatch(/^No access: .*tag monitoring/);
    const gone = await opened('rabbitmq', { url: 'http://127.0.0.1:1', authorization: `Bearer ${secret}` });
    expect(await gone.call('rabbitmq_overview')).toMatch(/^Not reachable: /);
  },
);

test('[SRC-28b] rabbitmq: alarms, blocked connections and consumers come first', async () => {
  // shapes of the HTTP API of RabbitMQ 4.0
  const node = {
    name: 'rabbit@a',
    running: true,
    mem_alarm: true,
    disk_free_alarm: false,
    mem_used: 9,
    mem_limit: 8,
    disk_free: 7,
    disk_free_limit: 6,
    fd_used: 5,
    fd_total: 10,
    proc_used: 4,
    proc_total: 10,
    run_queue: 1,
    uptime: 60_000,
    partitions: ['rabbit@b'],
  };
  const connection = {
    user: 'shop',
    vhost: '/',
    peer_host: '10.0.0.1',
    channels: 3,
    client_properties: { connection_name: 'checkout' },
    recv_oct_details: { rate: 10 },
    send_oct_details: { rate: 20 },
    connected_at: 1_795_843_000_000,
  };
  const { url } = await startSourceApi([
    { path: '/api/nodes', answer: [node, { name: 'rabbit@c', running: false, partitions: [] }] },
    {
      path: '/api/connections',
      query: { page: '1', page_size: '50', sort: 'state' },
      answer: {
        filtered_count: 2,
        item_count: 2,
        items: [
          { ...connection, state: 'blocked' },
          { ...connection, state: 'running' },
        ],
      },
    },
    {
      path: '/api/queues///orders',
      answer: {
        messages: 9,
        messages_ready: 1,
        messages_unacknowledged: 8,
        message_bytes: 90,
        type: 'quorum',
        state: 'running',
        node: 'rabbit@a',
        arguments: {},
        consumers: 1,
        consumer_details: [
          {
            consumer_tag: 'tag',
            prefetch_count: 8,
            active: true,
            channel_details: { user: 'shop', peer_host: '10.0.0.1' },
          },
        ],
      },
    },
  ]);
  const { call } = await opened('rabbitmq', { url, authorization: `Bearer ${secret}` });
  expect(await call('rabbitmq_nodes')).toMatch(
    /^MEMORY ALARM rabbit@a, PARTITIONED from rabbit@b, memory 9 of 8 bytes.*up 60 s\nNOT RUNNING rabbit@c$/,
  );
  expect(await call('rabbitmq_connections')).toMatch(
    /^blocked shop \/ from 10\.0\.0\.1 checkout, channels 3.*\nrunning/,
  );
  expect(await call('rabbitmq_queue', { queue: 'orders' })).toMatch(
    /^9 messages: ready 1, unacknowledged 8[^]*\nconsumer shop 10\.0\.0\.1 tag, prefetch 8$/,
  );
});

const noKafka = kafkaMissing ? ` (${kafkaMissing})` : '';
test.skipIf(noKafka !== '')(`[SRC-29ab] [SRC-31ab] kafka${noKafka}`, { timeout: 900_000 }, async () => {
  const { port, bin, command, produce, consume, clientConfig } = await startKafka(password);
  await command(
    'kafka-topics',
    '--create',
    '--topic',
    'orders',
    '--partitions',
    '2',
    '--config',
    'retention.ms=60000',
  );
  await produce(
    'orders',
    Array.from({ length: 50 }, (_, index) => `key-${index}:order ${index}`),
  );
  consume('orders', 'billing');
  const reset = ['--reset-offsets', '--to-earliest', '--execute'];
  await command('kafka-consumer-groups', '--group', 'shipping', '--topic', 'orders', ...reset);
  const settings = { brokers: `127.0.0.1:${port}`, bin };
  const { reason, call } = await opened('kafka', {
    ...settings,
    command_config: await clientConfig(password),
  });
  expect(reason).toBeUndefined();
  const lag = await until(
    'the consumer has read',
    async () => {
      const found = await call('kafka_groups');
      return (
        found.split('\n').filter((line) => /^lag 0 billing orders\/\d: at \d/.test(line)).length === 2 &&
        found
      );
    },
    120_000,
  );
  expect(lag.split('\n').map((line) => line.replaceAll(/\d\d of|of \d\d/g, 'N'))).toEqual([
    'lag 50 in all: shipping orders, 2 partitions, 2 WITHOUT A CONSUMER',
    'lag 0 in all: billing orders, 2 partitions',
    expect.stringMatching(/^lag \d\d shipping orders\/\d: at 0 N, no consumer$/),
    expect.stringMatching(/^lag \d\d shipping orders\/\d: at 0 N, no consumer$/),
    expect.stringMatching(/^lag 0 billing orders\/\d: at N \d\d, console-consumer \/127\.0\.0\.1$/),
    expect.stringMatching(/^lag 0 billing orders\/\d: at N \d\d, console-consumer \/127\.0\.0\.1$/),
    '[On standard error:]',
    "Consumer group 'shipping' has no active members.",
  ]);
  expect(await call('kafka_groups', { group: 'shipping', show: 'state' })).toMatch(
    /^GROUP.*STATE.*\nshipping .*Empty +0\n\[On standard error:\]/,
  );
  expect(await call('kafka_groups', { group: 'none' })).toMatch(/^Nothing found/);
  expect(await call('kafka_topics', { topic: 'orders' })).toMatch(
    /^Topic: orders.*PartitionCount: 2[^]*Partition: 1 Leader: 1/,
  );
  expect(await call('kafka_topics', { problem: 'under-replicated-partitions' })).toMatch(/^Nothing found/);
  expect(await call('kafka_sizes', { topics: 'orders' })).toMatch(
    /^2 partitions, \d+ bytes\n\d+ bytes orders-\d on broker 1\n\d+ bytes orders-\d on broker 1$/,
  );
  expect(await call('kafka_config', { name: 'orders' })).toMatch(/^retention\.ms=60000 /);
  await expect(call('kafka_config', { name: '--alter' })).rejects.toThrow('does not begin with "-"');
  const wrong = await opened('kafka', {
    ...settings,
    command_config: await clientConfig('wrong-password-9'),
  });
  expect(await wrong.call('kafka_topics')).toMatch(/^No access: .*DESCRIBE[^]*Authentication failed/);
  const hasty = await clientConfig(
    password,
    'holdfast',
    'default.api.timeout.ms=2000\nrequest.timeout.ms=1000',
  );
  const gone = await opened('kafka', { ...settings, brokers: '127.0.0.1:1', command_config: hasty });
  expect(await gone.call('kafka_topics')).toMatch(/^Not reachable: /);
  expect((await opened('kafka', { bin: '/nowhere' })).reason).toMatch(
    /kafka-consumer-groups\.sh cannot be read/,
  );
});

const columns = 'GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID';

test('[SRC-29d] kafka: of a hundred groups those with the largest lag', () => {
  const tables = Array.from(
    { length: 100 },
    (_, lag) => `\n${columns}\ng${lag} orders 0 1 ${lag + 1} ${lag} - - -`,
  );
  expect(groups(tables.join('\n'), { show: 'lag', limit: 2 })).toEqual({
    is: 'rows',
    came: 2,
    total: 100,
    rows: [
      'lag 99 in all: g99 orders, 1 partitions, 1 WITHOUT A CONSUMER',
      'lag 98 in all: g98 orders, 1 partitions, 1 WITHOUT A CONSUMER',
      'lag 99 g99 orders/0: at 1 of 100, no consumer',
      'lag 98 g98 orders/0: at 1 of 99, no consumer',
    ],
  });
});

test('[SRC-29c] a command that still tries when its time is over is not reachable, if its output says so', async () => {
  const file = join(await temporaryFolder(), 'own.yaml');
  await writeFile(
    file,
    `name: own
description: Own.
signs: { notReachable: could not be established }
tools:
  - name: own_read
    description: Reads.
    effect: read
    timeoutMs: 300
    command: [sh, -c, 'echo Connection could not be established; exec sleep 60']
`,
  );
  const { deps, callerOf } = createToolBench();
  const call = callerOf(await openToolset(file, {}, deps));
  expect(await call('own_read', {})).toMatch(/^Not reachable: \[not done in 300 ms/);
});

test('[SRC-49] a text with an empty default may be left out, and is no value for a word', async () => {
  const file = join(await temporaryFolder(), 'own.yaml');
  await writeFile(
    file,
    `name: own
description: Own.
tools:
  - name: own_read
    description: Reads.
    effect: read
    parameters: { group: { type: string, default: '' } }
    command: [echo, { when: group, words: [--group, '{{group}}'] }, { when: group, is: '', words: [--all] }]
`,
  );
  const { deps, callerOf } = createToolBench();
  const call = callerOf(await openToolset(file, {}, deps));
  expect(await call('own_read', {})).toBe('--all\n');
  expect(await call('own_read', { group: 'shop' })).toBe('--group shop\n');
});
