// The payments service: every charge needs a database connection from a pool whose size its configuration file
// gives. `POST /-/reload` reads the file again. Node process.
import { messageOf } from '@holdfast/base/message-of';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMetrics } from './metrics.ts';
import { ConnectionPool, PoolTimeout } from './pool.ts';
import {
  respond,
  createFailureSampler,
  endWithParent,
  field,
  listen,
  logTo,
  positiveField,
  readArguments,
  readConfig,
  serve,
} from './service.ts';

endWithParent();
const option = readArguments(['config', 'log', 'database-port']);
const log = logTo(option('log'));
const config = await readConfig(option('config'));
const pool = new ConnectionPool({
  port: Number(option('database-port')),
  size: positiveField(config, 'database.pool_size'),
  acquireTimeoutMs: positiveField(config, 'database.acquire_timeout_ms'),
});
logConfig(config);

const metrics = createMetrics();
const countRequest = metrics.counter('payments_requests_total', 'Charges by HTTP status.');
const countTimeout = metrics.counter(
  'payments_db_pool_timeouts_total',
  'Charges that got no database connection in time.',
);
const observe = metrics.summary('payments_request_duration_seconds', 'Duration of a charge.');
metrics.gauge('payments_db_pool_size', 'Configured size of the connection pool.', () => pool.figures.size);
metrics.gauge('payments_db_pool_in_use', 'Connections that run a query.', () => pool.figures.inUse);
metrics.gauge('payments_db_pool_waiting', 'Charges that wait for a connection.', () => pool.figures.waiting);
metrics.gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());

let charges = 0;
const isLogged = createFailureSampler();

async function charge(order: string): Promise<{ status: number; body: string }> {
  charges += 1;
  const isSampled = charges % 25 === 0;
  const startedAt = performance.now();
  try {
    await pool.query(`charge ${order}`);
    const tookMs = Math.round(performance.now() - startedAt);
    if (isSampled) log('INFO', `charge order=${order} status=200 ms=${tookMs}`);
    return { status: 200, body: 'charged\n' };
  } catch (error) {
    const waitedMs = Math.round(performance.now() - startedAt);
    const { size, inUse, waiting } = pool.figures;
    if (error instanceof PoolTimeout) countTimeout();
    if (isLogged())
      log(
        'ERROR',
        `charge order=${order} status=503 waited_ms=${waitedMs} pool_size=${size} in_use=${inUse} waiting=${waiting} reason="${messageOf(error)}"`,
      );
    return { status: 503, body: `${messageOf(error)}\n` };
  } finally {
    observe((performance.now() - startedAt) / 1_000);
  }
}

/** The pool as it is over some seconds: one line a sample, then a summary. */
async function samplePool(seconds: number): Promise<string> {
  const samples: string[] = [];
  let waitingSum = 0;
  const endAt = performance.now() + Math.min(Math.max(seconds, 1), 10) * 1_000;
  while (performance.now() < endAt) {
    const { size, inUse, waiting } = pool.figures;
    waitingSum += waiting;
    samples.push(`${new Date().toISOString()} size=${size} in_use=${inUse} waiting=${waiting}`);
    await sleep(250);
  }
  const average = (waitingSum / samples.length).toFixed(1);
  return `${samples.join('\n')}\nsamples=${samples.length} average_waiting=${average}\n`;
}

function logConfig(loaded: unknown): void {
  log(
    'INFO',
    `config loaded deploy=${String(field(loaded, 'deploy'))} pool_size=${String(field(loaded, 'database.pool_size'))}`,
  );
}

listen(
  serve(
    {
      'GET /charge': async (url, response) => {
        const { status, body } = await charge(url.searchParams.get('order') ?? 'unknown');
        countRequest(`{code="${status}"}`);
        respond(response, status, body);
      },
      'GET /metrics': (_url, response) => respond(response, 200, metrics.render()),
      'GET /debug/pool': async (url, response) => {
        respond(response, 200, await samplePool(Number(url.searchParams.get('seconds') ?? 1)));
      },
      'POST /-/reload': async (_url, response) => {
        const loaded = await readConfig(option('config'));
        pool.resize(positiveField(loaded, 'database.pool_size'));
        logConfig(loaded);
        respond(response, 200, 'reloaded\n');
      },
    },
    log,
  ),
);
