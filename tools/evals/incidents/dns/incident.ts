// A real name server on loopback whose new zone file misspells one name: a service that asks for it gets NXDOMAIN. The service
// behind the name works, and its release is a decoy.
import { Resolver } from 'node:dns/promises';
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { messageOf } from '@holdfast/base/message-of';
import { respond } from '../../../../packages/demo/src/checkout/services/service.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';
import { startNameServer } from './name-server.ts';

export const dns: IncidentModule = { start };

const zoneOf = (serial: number, name: string): string =>
  `; zone shop.internal serial=${serial}\ncart.shop.internal 127.0.0.1\n${name}.shop.internal 127.0.0.1\n`;

async function start(system: System): Promise<StartedIncident> {
  const stockLog = system.log('stock');
  const stock = await system.serve(
    { 'GET /stock': (_, response) => respond(response, 200, '17\n') },
    stockLog,
  );
  stockLog('INFO', 'started release=6.2.0');
  const names = new Map<string, string>();
  const dnsLog = system.log('name-server');
  const load = async (serial: number, name: string): Promise<void> => {
    const zone = zoneOf(serial, name);
    await system.write('zones/shop.internal.zone', zone);
    names.clear();
    for (const [, host = '', address = ''] of zone.matchAll(/^(\S+) (\d\S+)$/gm)) names.set(host, address);
    dnsLog('INFO', `zone shop.internal loaded serial=${serial} names=${[...names.keys()].join(',')}`);
  };
  let unknown = 0;
  const dnsPort = await startNameServer(system, (name) => {
    const found = names.get(name);
    if (found === undefined && (unknown += 1) <= 50) dnsLog('WARN', `NXDOMAIN name=${name}`);
    return found;
  });
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([`127.0.0.1:${dnsPort}`]);
  const log = system.log('cart');
  const metrics = createMetrics();
  const count = metrics.counter('cart_stock_requests_total', 'Questions to stock by outcome.');
  let [good, failed] = [0, 0];
  const ask = async (): Promise<void> => {
    try {
      const [host = ''] = await resolver.resolve4('stock.shop.internal');
      await (await fetch(`http://${host}:${new URL(stock).port}/stock`)).text();
      good += 1;
      count('{outcome="ok"}');
    } catch (error) {
      failed += 1;
      count('{outcome="failed"}');
      if (failed <= 100) log('ERROR', `stock not reached reason="${messageOf(error)}"`);
    }
  };
  const url = await system.serve(
    { 'GET /metrics': (_, response) => respond(response, 200, metrics.render()) },
    log,
  );
  await load(2026112201, 'stock');
  system.every(40, ask);
  await until('answers of stock', () => good > 10);
  await system.deploy('d-640', 'stock', 'release 6.2.1: faster start');
  stockLog('INFO', 'started release=6.2.1');
  await system.deploy('d-641', 'name-server', 'zone shop.internal serial 2026112202: tidied up');
  await load(2026112202, 'stcok');
  await until('names that are not found', () => failed > 20);
  return {
    task: [
      'Carts show no stock any more: cart cannot reach the service stock. stock was released just now, their team says it is',
      'fine. Please find out where it breaks. Change nothing.',
      `Folder: ${system.folder} (logs/, zones/, deploys.log)`,
      `Cart: ${url}/metrics Stock, by its address: ${stock}/stock`,
    ].join('\n'),
  };
}
