// A misspelt option: the service ignores it with one warning, takes the default of 60 ms, and gives up on a supplier that
// takes 120 ms as always. The deploy of the supplier just before is a decoy.
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { respond, field } from '../../../../packages/demo/src/checkout/services/service.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

const known = ['supplier_timeout_ms', 'currency'];
const defaultTimeoutMs = 60;

export const configTypo: IncidentModule = { start };

async function start(system: System): Promise<StartedIncident> {
  const supplierLog = system.log('supplier');
  const supplier = await system.serve(
    {
      'GET /price': async (_, response) => {
        await sleep(120);
        respond(response, 200, '4990\n');
      },
      'GET /metrics': (_, response) => respond(response, 200, supplierMetrics.render()),
    },
    supplierLog,
  );
  const supplierMetrics = createMetrics();
  const observe = supplierMetrics.summary('supplier_request_duration_seconds', 'Duration of a price.');
  supplierLog('INFO', 'started release=8.0.1');
  const log = system.log('prices');
  const metrics = createMetrics();
  const count = metrics.counter('prices_requests_total', 'Prices by outcome.');
  let timeoutMs = defaultTimeoutMs;
  metrics.gauge('prices_supplier_timeout_ms', 'Timeout in force.', () => timeoutMs);
  let [good, failed] = [0, 0];
  const load = async (config: object): Promise<void> => {
    const loaded: unknown = parse(stringify(config));
    await system.write('config/prices.yaml', stringify(config));
    for (const name of Object.keys(config)) {
      if (!known.includes(name)) log('WARN', `config: unknown option "${name}" ignored`);
    }
    timeoutMs = Number(field(loaded, 'supplier_timeout_ms') ?? defaultTimeoutMs);
    log('INFO', `config loaded supplier_timeout_ms=${timeoutMs}`);
  };
  const price = async (): Promise<void> => {
    const startedAt = performance.now();
    try {
      await (await fetch(`${supplier}/price`, { signal: AbortSignal.timeout(timeoutMs) })).text();
      observe((performance.now() - startedAt) / 1_000);
      count('{outcome="ok"}');
      good += 1;
    } catch (error) {
      failed += 1;
      count('{outcome="failed"}');
      if (failed <= 200)
        log(
          'ERROR',
          `price failed after ${Math.round(performance.now() - startedAt)} ms reason="${String(error)}"`,
        );
    }
  };
  const url = await system.serve(
    { 'GET /metrics': (_, response) => respond(response, 200, metrics.render()) },
    log,
  );
  await load({ supplier_timeout_ms: 500, currency: 'EUR' });
  system.every(30, price);
  await until('a price', () => good > 15);
  await system.deploy('d-87', 'supplier', 'release 8.0.2: dependencies');
  supplierLog('INFO', 'started release=8.0.2');
  await sleep(300);
  await system.deploy('d-88', 'prices', 'config: longer timeout for the supplier, 500 -> 800 ms');
  await load({ suplier_timeout_ms: 800, currency: 'EUR' });
  await until('failed prices', () => failed > 20);
  // probes with patience: the supplier is as fast as it was
  system.every(100, async () => {
    const startedAt = performance.now();
    await (await fetch(`${supplier}/price`)).text();
    observe((performance.now() - startedAt) / 1_000);
  });
  await until('a probe', () => supplierMetrics.render().includes('{quantile="0.95"} 0.1'));
  return {
    task: [
      'Product pages have no prices since a few minutes; "prices" logs timeouts of its supplier. The supplier team had a',
      'release just before, is it theirs? Find the cause. Change nothing.',
      `Folder: ${system.folder} (logs/, config/, deploys.log)`,
      `Prices: ${url}/metrics Supplier: ${supplier}/metrics`,
    ].join('\n'),
  };
}
