// Nothing is wrong: the nightly import fills a queue, as every night, and the queue is emptied. Its warnings and a deploy of
// the minute before look like an incident; the figures and the history of earlier nights say that it is none.
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { respond } from '../../../../packages/demo/src/checkout/services/service.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const nightlyLoad: IncidentModule = { start };

const day = 86_400_000;
const size = 400;

async function start(system: System): Promise<StartedIncident> {
  const log = system.log('importer');
  const metrics = createMetrics();
  const count = metrics.counter('importer_items_total', 'Items by outcome.');
  let depth = 0;
  let done = 0;
  metrics.gauge('importer_queue_depth', 'Items that wait.', () => depth);
  const earlier = [3, 2, 1].map((days) => {
    const at = new Date(Date.now() - days * day).toISOString();
    return `${at} nightly items=${size} peak_depth=${size - days} failed=0 drained_s=2`;
  });
  const runs = [...earlier];
  const url = await system.serve(
    {
      'GET /metrics': (_, response) => respond(response, 200, metrics.render()),
      'GET /runs': (_, response) => respond(response, 200, `${runs.join('\n')}\n`),
    },
    log,
  );
  await system.deploy('d-770', 'importer', 'release 1.9.0: new log format');
  log('INFO', 'started release=1.9.0');
  depth = size;
  const startedAt = new Date().toISOString();
  log('INFO', `nightly run started items=${size}`);
  log('WARN', `queue depth ${depth} is over 100: consumers lag behind`);
  system.every(10, () => {
    for (let item = 0; item < 8 && depth > 0; item += 1, depth -= 1, done += 1) count('{outcome="ok"}');
  });
  await until('an empty queue', () => depth === 0);
  log('INFO', `nightly run done items=${done} failed=0`);
  runs.push(`${startedAt} nightly items=${size} peak_depth=${size} failed=0 drained_s=1`);
  return {
    task: [
      'Alert ImporterLag: "queue depth over 100", and the importer was released a minute before. What is broken?',
      `Folder: ${system.folder} (logs/, deploys.log)`,
      `Importer: ${url}/metrics, and ${url}/runs lists the runs of earlier nights`,
    ].join('\n'),
  };
}
