// The demo's incident by itself: real processes, real load, real metrics, no agent.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { readMetrics, type Incident } from '../src/checkout/incident.ts';
import { ledgerPath } from '../src/checkout/place.ts';
import { planIncident, queryMs } from '../src/checkout/plan.ts';
import { readRecord } from '../src/checkout/record.ts';
import { createFailureSampler } from '../src/checkout/services/service.ts';
import { logOf, rollBack, startTestIncident } from './start-incident.ts';

const longTest = 90_000;
const patience = { timeout: 20_000, interval: 250 };

test('a seed decides size and time of the fault, and always makes one', () => {
  const plans = Array.from({ length: 200 }, (_, seed) => planIncident(seed));
  for (const plan of plans) {
    const capacity = (pool: number): number => (pool * 1_000) / queryMs;
    expect(plan.checkoutsPerSecond).toBeGreaterThan(capacity(plan.poolAfter) * 1.1);
    expect(plan.checkoutsPerSecond).toBeLessThan(capacity(plan.poolBefore) / 2);
  }
  expect(new Set(plans.map((plan) => plan.poolAfter))).toEqual(new Set([1, 2, 3]));
  expect(new Set(plans.map((plan) => plan.baselineMs)).size).toBeGreaterThan(100);
  expect(planIncident(7)).toEqual(planIncident(7));
});

function pidOf({ place }: Incident, service: string): number {
  return Number(
    execFileSync('pgrep', ['-f', `services/${service}\\.ts .*${place.dir}`], { encoding: 'utf8' }),
  );
}

test(
  '[CLI-09h] the deploy waits for a process that a slow machine does not let run, and for no time',
  { timeout: longTest },
  async () => {
    const incident = await startTestIncident({ seed: 3 });
    const pid = pidOf(incident, 'payments');
    process.kill(pid, 'SIGSTOP');
    const deployed = incident.deploy();
    // longer than its requests once had
    await new Promise((next) => setTimeout(next, incident.plan.baselineMs + incident.plan.gapMs + 7_000));
    process.kill(pid, 'SIGCONT');
    await deployed;
    const metrics = await readMetrics(incident.urls.payments);
    expect(metrics.get('payments_db_pool_timeouts_total')).toBeGreaterThanOrEqual(10);
  },
);

test(
  '[CLI-09h] the deploy ends with a message when a process of the incident has ended',
  { timeout: longTest },
  async () => {
    const incident = await startTestIncident({ seed: 3 });
    const deployed = incident.deploy();
    process.kill(pidOf(incident, 'payments'), 'SIGKILL');
    await expect(deployed).rejects.toThrow('The incident\'s process "payments" has ended.');
  },
);

test('a fault that lasts logs its first 500 failures, then one in 25', () => {
  const isLogged = createFailureSampler();
  const logged = Array.from({ length: 1_000 }, isLogged);
  expect(logged.slice(0, 500)).not.toContain(false);
  expect(logged.slice(500).filter(Boolean)).toHaveLength(20);
});

test(
  'the deploy makes a fault that the metrics show, and the rollback ends it; the record is the system itself',
  { timeout: longTest },
  async () => {
    const incident = await startTestIncident({ seed: 3 });
    const before = await readMetrics(incident.urls.payments);
    expect(before.get('payments_db_pool_size')).toBe(20);
    const { fault, payments } = incident.plan.deployIds;
    const { poolBefore, poolAfter } = incident.plan;
    const healthy = { running: payments, poolSize: poolBefore };
    expect(await readRecord(incident)).toEqual({ ...healthy, executions: 0 });

    await incident.deploy();
    expect(await readRecord(incident)).toEqual({ running: fault, poolSize: poolAfter, executions: 0 });
    const during = await readMetrics(incident.urls.payments);
    expect(during.get('payments_db_pool_size')).toBe(incident.plan.poolAfter);
    expect(during.get('payments_db_pool_waiting')).toBeGreaterThan(0);
    expect(during.get('payments_db_pool_timeouts_total')).toBeGreaterThanOrEqual(10);
    expect(await logOf(incident, 'payments')).toMatch(
      /ERROR charge .* reason="no database connection within 800 ms"/,
    );
    await expectRedHerrings(incident);
    const answer = await rollBack(incident, 'call-1', fault);
    expect(answer).toEqual({ text: expect.stringContaining(`${fault} -> ${payments}`) });
    await vi.waitFor(async () => {
      const after = await readMetrics(incident.urls.payments);
      expect(after.get('payments_db_pool_size')).toBe(20);
      expect(after.get('payments_db_pool_waiting')).toBe(0);
      expect(after.get('payments_request_duration_seconds{quantile="0.95"}')).toBeLessThan(0.3);
    }, patience);

    const again = await rollBack(incident, 'call-2', fault);
    expect(again).toEqual({ text: expect.stringContaining(`it runs ${payments}`), isError: true });
    const ledger = (await readFile(ledgerPath(incident.place.dir), 'utf8')).trim().split('\n');
    expect(ledger.map((line) => JSON.parse(line).callId)).toEqual(['call-1', 'call-2']);
    // also one that was refused
    expect(await readRecord(incident)).toEqual({ ...healthy, executions: 2 });
    await incident.stop();
    expect(await readRecord(incident)).toEqual({ running: payments, executions: 2 });
  },
);

/** Slow catalog refreshes and a deploy of the shop, both before anything failed. */
async function expectRedHerrings(incident: Incident): Promise<void> {
  const shopLog = await logOf(incident, 'shop');
  const firstError = shopLog.search(/ERROR checkout .* status=503/);
  expect(firstError).toBeGreaterThan(0);
  for (const redHerring of [/WARN {2}catalog refresh slow/, /config loaded .*Spring sale/]) {
    expect(shopLog.search(redHerring)).toBeGreaterThan(0);
    expect(shopLog.search(redHerring)).toBeLessThan(firstError);
  }
}
