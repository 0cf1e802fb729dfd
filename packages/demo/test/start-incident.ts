// An incident for one test, ended and removed with it.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { readMetrics, startIncident, type Incident } from '../src/checkout/incident.ts';
import { createRollbackConfig } from '../src/checkout/rollback-config.ts';
import { toolContext } from './tool-context.ts';

export async function startTestIncident(options: { seed: number; healthy?: boolean }): Promise<Incident> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-incident-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const incident = await startIncident({ dir, ...options });
  onTestFinished(() => incident.stop());
  return incident;
}

/** The customers leave, after the first of them was served; resolves when the metrics have forgotten all of them. */
export async function stopCustomers({ stopLoad, urls }: Incident): Promise<void> {
  const patience = { timeout: 20_000 };
  await expect.poll(() => hasData(urls), patience).toBe(true);
  await stopLoad();
  await expect.poll(() => hasData(urls), patience).toBe(false);
}

async function hasData({ shop, payments }: Incident['urls']): Promise<boolean> {
  const medians = [
    (await readMetrics(shop)).get('shop_checkout_duration_seconds{quantile="0.5"}'),
    (await readMetrics(payments)).get('payments_request_duration_seconds{quantile="0.5"}'),
  ];
  return medians.some((median) => !Number.isNaN(median));
}

export function logOf(incident: Incident, service: string): Promise<string> {
  return readFile(join(incident.logsDir, `${service}.log`), 'utf8');
}

export function rollBack(incident: Incident, callId: string, deploy: string) {
  return createRollbackConfig(incident.place).run({ service: 'payments', deploy }, toolContext(callId));
}
