// A real Alertmanager, with the configuration that docs/alerts.md shows, sends what a receiver reads.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@holdfast/processes/free-port';
import { expect, test } from 'vitest';
import { alertsOf, entriesOf, shownFile, shownReceiver } from '../../../test/support/alert-payloads.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { missingPrograms, programPath, started } from '../../../test/support/real-servers.ts';
import { temporaryFolder } from '../../../test/support/tool-calls.ts';
import { until } from '../../../test/support/until.ts';

const program = 'prometheus-alertmanager';
const missing = missingPrograms(program);

/** With the config of the page, whose address is that of `url`; returns its own address. */
async function startAlertmanager(url: string): Promise<string> {
  const [port, folder] = [await freePort(), await temporaryFolder()];
  const config = shownFile('alertmanager.yml')
    .replace('https://holdfast.example.org/alerts/prod', url)
    .replace('/etc/alertmanager/holdfast-token', join(folder, 'token'))
    .replace('group_wait: 10s', 'group_wait: 100ms\n  group_interval: 1s');
  await writeFile(join(folder, 'alertmanager.yml'), config);
  await writeFile(join(folder, 'token'), 'a-token-of-the-test');
  const place = [
    `--config.file=${join(folder, 'alertmanager.yml')}`,
    `--storage.path=${join(folder, 'data')}`,
  ];
  const address = `127.0.0.1:${port}`;
  const flags = [...place, `--web.listen-address=${address}`, '--cluster.listen-address='];
  started(spawn(programPath(program) ?? '', flags, { stdio: 'ignore' }));
  await until('Alertmanager is ready', () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return `http://${address}`;
}

test.skipIf(missing)(`[ALERT-01a] a real Alertmanager${missing ? `, skipped: ${missing}` : ''}`, async () => {
  const { url, received } = await startReceiver();
  const alertmanager = await startAlertmanager(`${url}/alerts/prod`);
  const post = async (...alerts: object[]) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(alerts);
    const { ok } = await fetch(`${alertmanager}/api/v2/alerts`, { method: 'POST', headers, body });
    expect(ok).toBe(true);
  };
  const on = (instance: string) => ({
    labels: { alertname: 'DiskFull', instance, severity: 'critical' },
    annotations: { summary: 'The disk is full.', runbook_url: 'https://wiki.example.org/disk' },
    generatorURL: 'http://prometheus.example.org/graph',
  });
  await post(on('web-1:9100'), on('web-2:9100'));
  const { body: first, headers } = await until('a first webhook', () => received[0]);
  expect(headers.authorization).toBe('Bearer a-token-of-the-test');
  const receiver = shownReceiver('prod');
  const entries = entriesOf(receiver, first);
  expect(entries.map(({ title }) => title).sort()).toEqual(['DiskFull web-1:9100', 'DiskFull web-2:9100']);
  expect(entries[0]?.alerts[0]).toMatchObject({
    name: 'DiskFull',
    status: 'firing',
    severity: 'critical',
    startsAt: expect.any(Number),
    links: [{ title: 'Source' }, { title: 'Alertmanager' }, { title: 'runbook' }],
  });
  await post({ ...on('web-1:9100'), endsAt: new Date().toISOString() });
  const over = await until('the end of one', () =>
    received
      .flatMap(({ body }) => entriesOf(receiver, body))
      .find((entry) => entry.alerts[0]?.status === 'resolved'),
  );
  const same = entries.find(({ title }) => title === 'DiskFull web-1:9100');
  expect(over.key).toBe(same?.key);
  expect(over.alerts[0]?.fingerprint).toBe(
    alertsOf(receiver, first).find((one) => one.labels['instance'] === 'web-1:9100')?.fingerprint,
  );
});
