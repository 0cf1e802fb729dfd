// An incident for one test, ended and removed with it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { readMetrics, startIncident, type Incident } from '../../../examples/incidents/checkout/incident.ts';

export async function startTestIncident(options: { seed: number; healthy?: boolean }): Promise<Incident> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-incident-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const incident = await startIncident({ dir, ...options });
  onTestFinished(() => incident.stop());
  return incident;
}

/** The customers leave; resolves when the metrics have forgotten them. */
export async function stopCustomers({ stopLoad, urls }: Incident): Promise<void> {
  await stopLoad();
  const median = async (): Promise<number | undefined> =>
    (await readMetrics(urls.payments)).get('payments_request_duration_seconds{quantile="0.5"}');
  await expect.poll(median, { timeout: 20_000 }).toBeNaN();
}
