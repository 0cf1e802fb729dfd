// A nightly report takes every connection of the pool that the order service works with, and keeps them: orders wait and
// fail. A deploy of the service and cache warnings are decoys.
import { createServer } from 'node:net';
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { ConnectionPool, PoolTimeout } from '../../../../packages/demo/src/checkout/services/pool.ts';
import { messageOf } from '@holdfast/base/message-of';
import { respond } from '../../../../packages/demo/src/checkout/services/service.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const poolExhausted: IncidentModule = { start };

const size = 6;

async function start(system: System): Promise<StartedIncident> {
  const database = createServer((socket) => {
    // an order is found at once; a report reads for minutes
    socket.on('data', (line) => {
      const answerIt = (): unknown => socket.write('ok\n');
      if (!line.toString().startsWith('report')) setTimeout(answerIt, 15);
    });
  });
  const port = await system.listen(database);
  const pool = new ConnectionPool({ port, size, acquireTimeoutMs: 300 });
  const held = new Map<string, { by: string; since: string }>();
  const query = async (by: string, text: string): Promise<void> => {
    const noted = setTimeout(() => held.set(text, { by, since: new Date().toISOString() }), 50);
    try {
      await pool.query(text);
    } finally {
      clearTimeout(noted);
      held.delete(text);
    }
  };
  const log = system.log('orders');
  const metrics = createMetrics();
  const countOk = metrics.counter('orders_served_total', 'Orders that were read.');
  const countTimeout = metrics.counter(
    'orders_pool_timeouts_total',
    'Orders that got no connection in time.',
  );
  metrics.gauge('orders_pool_size', 'Size of the pool.', () => pool.figures.size);
  metrics.gauge('orders_pool_in_use', 'Connections in use.', () => pool.figures.inUse);
  metrics.gauge('orders_pool_waiting', 'Queries that wait.', () => pool.figures.waiting);
  let [served, failed] = [0, 0];
  const readOrder = async (id: number): Promise<void> => {
    try {
      await query('orders', `order ${id}`);
      served += 1;
      countOk();
    } catch (error) {
      failed += 1;
      if (error instanceof PoolTimeout) countTimeout();
      const { inUse, waiting } = pool.figures;
      if (failed <= 200)
        log(
          'ERROR',
          `order=${id} failed in_use=${inUse}/${size} waiting=${waiting} reason="${messageOf(error)}"`,
        );
    }
  };
  const url = await system.serve(
    {
      'GET /metrics': (_, response) => respond(response, 200, metrics.render()),
      'GET /debug/pool': (_, response) => {
        const lines = [...held].flatMap(([text, { by, since }]) =>
          by === 'orders' ? [] : [`held_by=${by} since=${since} query="${text}"\n`],
        );
        respond(response, 200, `size=${size} held_for_long=${lines.length}\n${lines.join('')}`);
      },
    },
    log,
  );
  let id = 5_000;
  system.every(25, () => readOrder((id += 1)));
  await until('orders', () => served > 15);
  await system.deploy('d-420', 'orders', 'release 3.9.1: shorter log lines');
  log('WARN', 'cache miss ratio=0.41 above 0.30');
  const jobs = system.log('report-export');
  jobs('INFO', `started by=cron workers=${size} pool=orders months=2026-05..2026-10`);
  for (let month = 5; month < 5 + size; month += 1)
    void query('report-export', `report month=2026-${String(month).padStart(2, '0')}`).catch(() => undefined);
  await until('orders without a connection', () => failed > 30);
  log('WARN', 'cache miss ratio=0.44 above 0.30');
  return {
    task: [
      'Order pages hang and then show an error. The database team says that their side is idle. orders was released a',
      'moment ago. What is going on? Only find out, change nothing.',
      `Folder: ${system.folder} (logs/, deploys.log)`,
      `Orders: ${url}/metrics and ${url}/debug/pool`,
    ].join('\n'),
  };
}
