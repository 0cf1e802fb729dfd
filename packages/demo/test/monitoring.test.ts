// The monitoring of the demo by alert, where Prometheus and Alertmanager are missing.
import { expect, onTestFinished, test } from 'vitest';
import { startMonitoring } from '../src/monitoring/monitoring.ts';
import { alertRequest } from '@holdfast/alert-intake/sender-check';
import { readAlerts } from '../../../test/support/read-alerts.ts';
import { temporaryFolder } from '../../../test/support/tool-calls.ts';
import { startHttpServer } from '../../../test/support/http-server.ts';

test('[ALERT-09b] without Prometheus and Alertmanager a sender takes their place, says so, and sends one alert of their form', async () => {
  let failed = 0;
  const taken = Promise.withResolvers<Buffer>();
  const server = await startHttpServer((request, response) => {
    if (request.method === 'POST') taken.resolve(request.toArray().then((pieces) => Buffer.concat(pieces)));
    response.end(`shop_checkouts_total{code="503"} ${(failed += 50)}\n`);
  });
  const monitoring = await startMonitoring({
    dir: await temporaryFolder(),
    path: '',
    folders: [],
    shopUrl: server.url,
    alertsUrl: `${server.url}/alerts/shop`,
    say: () => undefined,
  });
  onTestFinished(() => monitoring.stop());
  expect(monitoring.words).toBe('a sender of the demo (not installed: prometheus, alertmanager)');
  const body = await taken.promise;
  const read = await readAlerts(
    { name: 'shop', receiver: { format: 'alertmanager' } },
    alertRequest(body, () => undefined),
    {
      resolveSecret: () => Promise.reject(new Error('none')),
      fetchText: () => Promise.reject(new Error('none')),
      now: 0,
    },
  );
  expect(read).toMatchObject({
    ok: true,
    groups: [{ alerts: [{ name: 'CheckoutErrors', status: 'firing', severity: 'critical' }] }],
  });
});
