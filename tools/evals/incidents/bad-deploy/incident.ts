// A release reads a field that only orders with a coupon have: all others fail with a TypeError. Another service was
// deployed at nearly the same time, and logs warnings.
import { pathToFileURL } from 'node:url';
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { respond } from '../../../../packages/demo/src/checkout/services/service.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

type Totals = { totalOf(order: { cents: number; coupon?: { percent: number } }): number };

const releases = {
  '2.3.0':
    'export function totalOf({ cents, coupon }) {\n  return coupon ? cents - (cents * coupon.percent) / 100 : cents;\n}\n',
  '2.4.0':
    '// one formula for all orders\nexport function totalOf({ cents, coupon }) {\n  return cents - (cents * coupon.percent) / 100;\n}\n',
};

export const badDeploy: IncidentModule = { start };

async function start(system: System): Promise<StartedIncident> {
  const log = system.log('checkout');
  const metrics = createMetrics();
  const count = metrics.counter('checkout_requests_total', 'Checkouts by HTTP status.');
  let failed = 0;
  let served = 0;
  let release = '2.3.0';
  let totals: Totals;
  const load = async (version: keyof typeof releases): Promise<void> => {
    const path = await system.write(`releases/checkout-${version}/totals.mjs`, releases[version]);
    totals = (await import(pathToFileURL(path).href)) as Totals;
    release = version;
    log('INFO', `started release=${version}`);
  };
  const checkOut = (coupon: boolean): number => {
    try {
      totals.totalOf({ cents: 4_990, ...(coupon && { coupon: { percent: 10 } }) });
      served += 1;
      count('{code="200"}');
      return 200;
    } catch (error) {
      failed += 1;
      count('{code="500"}');
      const [reason, place = ''] = error instanceof Error ? (error.stack ?? '').split('\n') : [];
      const words = place.trim().replace(/file:\/\/.*releases\//, 'releases/');
      if (failed <= 200)
        log('ERROR', `checkout failed coupon=${coupon} release=${release} reason="${reason}" ${words}`);
      return 500;
    }
  };
  metrics.gauge('checkout_release_info{service="checkout"}', 'Running release, as a number.', () =>
    Number(release.replaceAll('.', '')),
  );
  const url = await system.serve(
    {
      'GET /metrics': (_, response) => respond(response, 200, metrics.render()),
      'GET /watch': async (_, response) => {
        const [before, good] = [failed, served];
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        respond(
          response,
          200,
          `watched 1 s: release=${release} failed=${failed - before} served=${served - good}\n`,
        );
      },
    },
    log,
  );
  await system.deploy('d-310', 'checkout', 'release 2.3.0');
  await load('2.3.0');
  let order = 0;
  system.every(20, () => checkOut((order += 1) % 4 === 0));
  await until('a checkout', () => served > 20);
  const search = system.log('search');
  await system.deploy('d-311', 'search', 'release 5.1.0: new ranking');
  for (const ms of [412, 388, 455]) search('WARN', `slow query ms=${ms} ranking=new`);
  await system.deploy('d-312', 'checkout', 'release 2.4.0: one formula for totals');
  await load('2.4.0');
  await until('failed checkouts', () => failed > 30);
  return {
    task: [
      'Customers cannot pay: most checkouts end with an error since a few minutes. Search is also said to be slow. What is',
      'broken, since when, and why? If a rollback helps, do it: run_action rollback, target = id of the deploy.',
      `Folder: ${system.folder} (logs/, deploys.log, releases/)`,
      `Checkout: ${url}/metrics, and ${url}/watch counts for a second`,
    ].join('\n'),
    actions: {
      rollback: async (target) => {
        if (target !== 'd-312')
          throw new Error(`${target} is not the newest deploy of a service. Nothing was changed.`);
        await load('2.3.0');
        return 'Rolled back d-312: checkout runs release 2.3.0.';
      },
    },
  };
}
