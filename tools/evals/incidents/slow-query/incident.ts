// A real PostgreSQL in which a migration dropped the index that the customers' page needs. Its vacuum and a release of the
// invoices are decoys.
import pg from 'pg';
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { respond } from '../../../../packages/demo/src/checkout/services/service.ts';
import { findPostgres, startPostgres } from '../../postgres.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const slowQuery: IncidentModule = {
  start,
  lacks: () => (findPostgres() === undefined ? 'PostgreSQL not installed' : undefined),
};

const query = 'select id, cents from orders where customer_id = $1 order by id desc limit 20';
const slowMs = 15;

async function start(system: System): Promise<StartedIncident> {
  const connectionString = await startPostgres(system, [
    `log_min_duration_statement=${slowMs}`,
    'autovacuum=off',
  ]);
  const pool = new pg.Pool({ connectionString, max: 2 });
  pool.on('error', () => undefined);
  system.atEnd(() => pool.end());
  await pool.query(`create table orders as select id, id % 20000 as customer_id, 4990 as cents, repeat('x', 60) as note
    from generate_series(1, 400000) as id`);
  await pool.query('create index orders_customer_id on orders (customer_id)');
  await pool.query('vacuum analyze orders');
  const log = system.log('customers');
  const metrics = createMetrics();
  const observe = metrics.summary('customers_query_duration_seconds', 'Duration of the query of orders.');
  let [fast, slow] = [0, 0];
  const page = async (): Promise<void> => {
    const startedAt = performance.now();
    await pool.query(query, [Math.floor(Math.random() * 20_000)]);
    const ms = Math.round(performance.now() - startedAt);
    observe(ms / 1_000);
    if (ms < slowMs) fast += 1;
    else if ((slow += 1) <= 200) log('WARN', `page of customer slow ms=${ms} query=orders`);
  };
  const explain = async (): Promise<string> => {
    const { rows } = await pool.query(`explain analyze ${query.replace('$1', '4711')}`);
    const indexes = await pool.query("select 1 from pg_indexes where tablename = 'orders'");
    const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
    return `${plan}\nindexes of orders: ${indexes.rowCount}\n`;
  };
  const url = await system.serve(
    {
      'GET /metrics': (_, response) => respond(response, 200, metrics.render()),
      'GET /debug/explain': async (_, response) => respond(response, 200, await explain()),
    },
    log,
  );
  system.every(60, page);
  await until('fast pages', () => fast > 8);
  await system.deploy('d-480', 'invoices', 'release 7.7.0: PDF in colour');
  await pool.query('vacuum orders');
  const migrations = system.log('migrations');
  await system.deploy('d-481', 'customers', 'migration 0093: drop unused indexes');
  await pool.query('drop index orders_customer_id');
  migrations('INFO', 'migration 0093 done: drop index orders_customer_id');
  await until('slow pages', () => slow > 8);
  return {
    task: [
      'Pages of customers have become slow, some say since the release of invoices. The database has work to do, as its log',
      'shows. What is slow, and why? Change nothing.',
      `Folder: ${system.folder} (logs/, postgresql.log among them, deploys.log)`,
      `Customers: ${url}/metrics and ${url}/debug/explain`,
    ].join('\n'),
  };
}
