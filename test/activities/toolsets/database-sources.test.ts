// Databases, brokers and workflow servers as sources, for real: MariaDB, FerretDB (MongoDB's protocol), RabbitMQ, Kafka and
// Temporal. A MongoDB replica set is played by its documented answers.
import { expect, test } from 'vitest';
import type { ToolReturn } from '../../../src/activities/tools/define-tool.ts';
import type { Json } from '../../../src/core/base/json.ts';
import { MongoClient } from 'mongodb';
import { ferretdbMissing, startFerretdb } from '../../support/ferretdb-server.ts';
import { startMongodbStandIn } from '../../support/mongodb-stand-in.ts';
import { mariadbMissing, startMariadb } from '../../support/mariadb-server.ts';
import { plantedPassword as password, starterToolset } from '../../support/toolset-bench.ts';
import { until } from '../../support/until.ts';

async function opened(name: string, settings: Record<string, string>) {
  const { open, returnOf } = starterToolset(name, settings);
  const toolset = await open();
  const outcome = async (tool: string, args: Json = {}): Promise<ToolReturn> => {
    const answer = await returnOf(toolset, tool, args);
    expect(JSON.stringify(answer)).not.toContain(password);
    return answer;
  };
  const call = async (tool: string, args: Json = {}): Promise<string> => (await outcome(tool, args)).text;
  return {
    reason: toolset.status === 'failed' ? toolset.reason : undefined,
    made: toolset.made,
    call,
    outcome,
  };
}

const secret = 'secret://password';

test.skipIf(mariadbMissing !== undefined)(
  `[SRC-40] mysql${mariadbMissing ? ` (skipped: ${mariadbMissing})` : ''}`,
  async () => {
    const { port, sql, session } = await startMariadb(password);
    await sql(
      'create table shop.orders (id int primary key, note varchar(50)); insert into shop.orders values (1, "x"), (2, "y")',
    );
    const settings = { port: `${port}`, password: secret };
    const { reason, call } = await opened('mysql', settings);
    expect(reason).toBeUndefined();
    await session('begin; update orders set note = "held" where id = 1;');
    await until('the row is held', async () => (await call('mysql_activity')).includes('Sleep'));
    await session('update orders set note = "late" where id = 1;');
    const locks = await until('one waits', async () => {
      const found = await call('mysql_locks');
      return found.includes('update orders') && found;
    });
    console.log(locks);
    console.log(await call('mysql_activity'));
    for (const what of ['status', 'replication', 'statements', 'tables'])
      console.log(await call('mysql_show', { what }));
    console.log(await call('mysql_query', { query: 'select * from shop.orders', limit: 1 }));
    console.log(
      await call('mysql_query', {
        query: 'select @@tx_read_only, @@max_statement_time, @@lock_wait_timeout',
      }),
    );
    for (const query of [
      'explain select * from shop.orders where id = 1',
      'select * from shop.orders where id = 9',
      'select * from mysql.user',
      'select nonsense',
    ])
      console.log(await call('mysql_query', { query }));
  },
);
test.skipIf(ferretdbMissing !== undefined)(
  `[SRC-41] mongodb${ferretdbMissing ? ` (${ferretdbMissing})` : ''}`,
  { timeout: 900_000 },
  async () => {
    const { url } = await startFerretdb();
    const client = new MongoClient(url);
    const orders = client.db('shop').collection('orders');
    await orders.insertMany(
      Array.from({ length: 30 }, (_, n) => ({
        n,
        at: new Date(1_795_843_000_000 + n),
        note: 'x'.repeat(2_000),
        state: n % 10 ? 'paid' : 'failed',
      })),
    );
    await orders.createIndex({ state: 1 });
    await client.close();
    const { reason, call } = await opened('mongodb', { url });
    expect(reason).toBeUndefined();
    console.log(await call('mongodb_status'));
    console.log(await call('mongodb_collections'));
    console.log(await call('mongodb_collections', { database: 'shop' }));
    console.log(await call('mongodb_operations', { seconds: 0 }));
    const where = { database: 'shop', collection: 'orders' };
    console.log(
      await call('mongodb_find', {
        ...where,
        filter: '{"state": "failed"}',
        projection: '{"_id": 0}',
        sort: '{"n": -1}',
      }),
    );
    console.log(
      await call('mongodb_find', {
        ...where,
        filter: '{"at": {"$gt": {"$date": {"$numberLong": "1795843000027"}}}}',
        limit: 3,
        projection: '{"n": 1, "at": 1}',
      }),
    );
    console.log(await call('mongodb_find', { ...where, explain: true }));
    console.log(
      await call('mongodb_aggregate', {
        ...where,
        pipeline: '[{"$group": {"_id": "$state", "count": {"$sum": 1}}}]',
      }),
    );
    console.log(await call('mongodb_find', { ...where, filter: '{"$where": "sleep(1)"}' }));
    const gone = await opened('mongodb', { url: 'mongodb://127.0.0.1:1' });
    console.log(await gone.call('mongodb_status'));
  },
);
