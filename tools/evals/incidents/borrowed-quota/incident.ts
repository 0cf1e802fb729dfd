// Two services share the quota of a partner. A crawl of one uses it up, and the other is refused right after its own
// release. Its log is a file; who asks the partner is in the log store of the gateway alone.
import { createLogStore } from '../../log-store.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const borrowedQuota: IncidentModule = { start };

/** Calls in a second. */
const quota = 20;

async function start(system: System): Promise<StartedIncident> {
  const store = createLogStore();
  const log = system.log('shipping');
  const gateway = await system.serve(store.routes, system.log('gateway'));
  let used = { second: 0, calls: 0 };
  const askPartner = (tenant: string): number => {
    const second = Math.floor(Date.now() / 1_000);
    used = used.second === second ? used : { second, calls: 0 };
    used.calls += 1;
    const status = used.calls > quota ? 429 : 200;
    store.add({ _msg: 'partner call', tenant, status: String(status), quota: String(quota) });
    return status;
  };
  let [good, refused] = [0, 0];
  const ship = (): void => {
    if (askPartner('shipping') === 200) good += 1;
    else if ((refused += 1) <= 100) log('ERROR', 'no label: partner answered 429 release=3.2.0');
  };
  log('INFO', 'started release=3.1.0');
  system.every(100, ship);
  await until('labels', () => good > 4);
  store.add({ _msg: 'crawl of all addresses started', tenant: 'address-check', rate: '100/s' });
  system.every(10, () => askPartner('address-check'));
  await system.deploy('d-333', 'shipping', 'release 3.2.0: labels in one call');
  log('INFO', 'started release=3.2.0');
  await until('refused labels', () => refused > 4);
  return {
    task: [
      'Shipping gets no labels from the partner since its release 3.2.0: 429. Does the release ask too often? Change nothing.',
      `Folder: ${system.folder} (logs/, deploys.log)`,
      `Log store of the gateway: ${gateway}/select/logsql/query?query=tenant:shipping and /select/logsql/field_values?query=*&field=tenant`,
    ].join('\n'),
  };
}
