// The shop: customers check out here, and each checkout is charged by the payments service. It also refreshes its
// catalog from the database every few seconds, which is slow and always was. Node process.
import { messageOf } from '@holdfast/base/message-of';
import { Agent, get } from 'node:http';
import { createMetrics } from './metrics.ts';
import { ConnectionPool } from './pool.ts';
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
const option = readArguments(['config', 'log', 'database-port', 'payments-port']);
const log = logTo(option('log'));
let config = await readConfig(option('config'));
logConfig();

const metrics = createMetrics();
const countCheckout = metrics.counter('shop_checkouts_total', 'Checkouts by HTTP status.');
const observeCheckout = metrics.summary('shop_checkout_duration_seconds', 'Duration of a checkout.');
const observeCatalog = metrics.summary('shop_catalog_refresh_seconds', 'Duration of a catalog refresh.');
let inFlight = 0;
metrics.gauge('shop_checkouts_in_flight', 'Checkouts being worked on.', () => inFlight);
metrics.gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const catalog = new ConnectionPool({
  port: Number(option('database-port')),
  size: 1,
  acquireTimeoutMs: 5_000,
});
let checkouts = 0;
const isLogged = createFailureSampler();

async function checkout(order: string): Promise<number> {
  checkouts += 1;
  const isSampled = checkouts % 25 === 0;
  inFlight += 1;
  const startedAt = performance.now();
  const { status, reason } = await charge(order);
  const tookMs = performance.now() - startedAt;
  inFlight -= 1;
  observeCheckout(tookMs / 1_000);
  const line = `checkout order=${order} status=${status} ms=${Math.round(tookMs)}`;
  if (status === 200 && isSampled) log('INFO', line);
  if (status !== 200 && isLogged()) log('ERROR', `${line} reason="payments: ${reason}"`);
  return status;
}

/** The payments service's answer; its silence or absence is a 502. */
function charge(order: string): Promise<{ status: number; reason: string }> {
  return new Promise((resolve) => {
    const url = `http://127.0.0.1:${option('payments-port')}/charge?order=${order}`;
    const timeout = positiveField(config, 'payments.timeout_ms');
    const request = get(url, { agent, timeout }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 502, reason: body.trim() }));
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeout} ms`)));
    request.on('error', (error) => resolve({ status: 502, reason: error.message }));
  });
}

async function refreshCatalog(): Promise<void> {
  const startedAt = performance.now();
  try {
    await catalog.query('catalog');
    const tookMs = performance.now() - startedAt;
    observeCatalog(tookMs / 1_000);
    const expectedMs = positiveField(config, 'catalog.expected_refresh_ms');
    if (tookMs > expectedMs)
      log('WARN', `catalog refresh slow ms=${Math.round(tookMs)} expected_ms=${expectedMs}`);
  } catch (error) {
    log('ERROR', `catalog refresh failed reason="${messageOf(error)}"`);
  }
  setTimeout(() => void refreshCatalog(), positiveField(config, 'catalog.refresh_every_ms'));
}

function logConfig(): void {
  log(
    'INFO',
    `config loaded deploy=${String(field(config, 'deploy'))} banner="${String(field(config, 'banner.text'))}"`,
  );
}

void refreshCatalog();
listen(
  serve(
    {
      'GET /checkout': async (url, response) => {
        const status = await checkout(url.searchParams.get('order') ?? 'unknown');
        countCheckout(`{code="${status}"}`);
        respond(response, status, status === 200 ? 'thank you\n' : 'please try again\n');
      },
      'GET /metrics': (_url, response) => respond(response, 200, metrics.render()),
      'POST /-/reload': async (_url, response) => {
        config = await readConfig(option('config'));
        logConfig();
        respond(response, 200, 'reloaded\n');
      },
    },
    log,
  ),
);
