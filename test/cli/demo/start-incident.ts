// An incident for one test, ended and removed with it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startIncident, type Incident } from '../../../examples/incidents/checkout/incident.ts';

export async function startTestIncident(options: { seed: number; healthy?: boolean }): Promise<Incident> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-incident-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const incident = await startIncident({ dir, ...options });
  onTestFinished(() => incident.stop());
  return incident;
}
