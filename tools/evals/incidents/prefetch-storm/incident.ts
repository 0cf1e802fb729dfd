// A feature flag makes clients fetch offers ahead, which a service cannot serve. A real Prometheus knows which route grew;
// which flag it was is in the log of changes, beside a deploy of the search.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { respond } from '../../../../packages/demo/src/checkout/services/service.ts';
import { lacksPrograms } from '../../programs.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const prefetchStorm: IncidentModule = { start, lacks: () => lacksPrograms('prometheus') };

/** Requests that are served in 100 ms. */
const capacity = 8;

async function start(system: System): Promise<StartedIncident> {
  const log = system.log('offers');
  const metrics = createMetrics();
  const count = metrics.counter('offers_requests_total', 'Requests by route.');
  const overload = metrics.counter('offers_overload_total', 'Requests that were turned away.');
  overload('{service="offers"}');
  let budget = capacity;
  let [served, failed] = [0, 0];
  const request = (route: string): void => {
    count(`{route="${route}"}`);
    budget -= 1;
    if (budget >= 0) return void (served += 1);
    failed += 1;
    overload('{service="offers"}');
    if (failed <= 100) log('ERROR', 'offers overloaded status=503');
  };
  const url = await system.serve(
    { 'GET /metrics': (_, response) => respond(response, 200, metrics.render()) },
    log,
  );
  const prometheus = await startPrometheus(system, url);
  system.every(100, () => (budget = capacity));
  system.every(50, () => request('/offers'));
  await until('requests', () => served > 5);
  await system.deploy('d-510', 'search', 'release 2.2.0: faster suggestions');
  system.log('flags')('INFO', 'flag changed name=prefetch_offers value=on by=growth');
  system.every(5, () => request('/offers/prefetch'));
  await until('overload', () => failed > 20);
  const query = 'offers_requests_total{route="/offers/prefetch"} > 50';
  await until('the series', async () => {
    const response = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(query)}`);
    return (await response.text()).includes('/offers/prefetch');
  });
  return {
    task: [
      'Pages show no offers since a few minutes (503). Search was released then. What is it? Change nothing.',
      `Folder: ${system.folder} (logs/, deploys.log). The prometheus tools ask for figures, such as offers_requests_total.`,
    ].join('\n'),
    toolsets: { prometheus: { url: prometheus } },
  };
}

async function startPrometheus(system: System, target: string): Promise<string> {
  const file = await system.write(
    'prometheus.yml',
    `global: { scrape_interval: 200ms, scrape_timeout: 200ms }
scrape_configs: [{ job_name: offers, static_configs: [{ targets: ['${new URL(target).host}'] }] }]
`,
  );
  const data = await mkdtemp(join(tmpdir(), 'holdfast-prometheus-'));
  system.atEnd(() => rm(data, { recursive: true, force: true }));
  const address = `127.0.0.1:${system.port()}`;
  const flags = [`--config.file=${file}`, `--storage.tsdb.path=${data}`, `--web.listen-address=${address}`];
  system.run('prometheus', 'prometheus', flags);
  await until('Prometheus', () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return `http://${address}`;
}
