// The incident's script against its real tools: whatever it reports must come out of what they answered.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readMetrics } from '../src/checkout/incident.ts';
import { ledgerPath } from '../src/checkout/place.ts';
import { playIncident, type Played } from './play-incident.ts';
import { logOf, rollBack, startTestIncident, stopCustomers } from './start-incident.ts';

const longTest = 120_000;

test(
  'the report follows the fault: denied, it says so; lost, it verifies and does not repeat',
  { timeout: longTest },
  async () => {
    const incident = await startTestIncident({ seed: 5 });
    await incident.deploy();
    const { fault } = incident.plan.deployIds;
    const cut = `Deploy ${fault} cut the pool of payments from 20 connections to ${incident.plan.poolAfter}.`;

    const words = { text: 'Also look for "WARN".' };
    const denied = await playIncident(incident, { rollback: 'denied', steer: { during: 'still', ...words } });
    const [begin, end] = [
      ['look', 'logs', 'watch', 'fix', 'still'],
      ['report-open', 'answer-open'],
    ];
    expect(denied.steps).toEqual([...begin, 'aside', ...end]);
    expect(denied.report.grade).toBe('confirmed');
    expect(denied.report.claims.map((claim) => claim.text)).toContain(cut);
    expect(denied.report.summary).toContain('Denied by demo: nobody was there.');
    expect(denied.answer).toMatch(/^Found, not fixed\./);
    expectEveryQuoteReal(denied);

    const steer = { during: 'logs', text: 'Also look for "pool_size" in the logs, please.' };
    const lost = await playIncident(incident, { rollback: 'lost', steer });
    expect(lost.steps.slice(0, 6)).toEqual(['look', 'logs', 'aside', 'watch', 'fix', 'check']);
    expect(lost.steps.slice(-2)).toEqual(['report-fixed', 'answer-fixed']);
    expect(lost.rollbackCalls).toBe(1);
    expect((await readFile(ledgerPath(incident.place.dir), 'utf8')).trim().split('\n')).toHaveLength(1);
    expect(lost.report.claims.map((claim) => claim.text)).toContain(cut);
    expect(lost.report.ruledOut).toHaveLength(2);
    expect(lost.answer).toMatch(/^Found and fixed\./);
    expectEveryQuoteReal(lost);
  },
);

test(
  'without customers the metrics have no data: the report says so, is inconclusive, and knows what was applied',
  { timeout: longTest },
  async () => {
    // two incidents at once: most of it is waiting for the metrics to forget
    const [denied, applied] = await Promise.all([
      playWithoutLoad('denied', 'fix'),
      playWithoutLoad('run', 'fix'),
    ]);
    expect(denied.steps.slice(-3)).toEqual(['still', 'report-unsure', 'answer-unsure']);
    expect(denied.report.grade).toBe('inconclusive');
    expect(denied.answer).toContain('was not applied');
    expect(denied.answer).toMatch(/payments_request_duration_seconds\{quantile="0.95"\} NaN/);
    expectEveryQuoteReal(denied, 6);

    expect(applied.steps.slice(-3)).toEqual(['still', 'report-in-place', 'answer-in-place']);
    expect(applied.report.grade).toBe('inconclusive');
    expect(applied.answer).toContain('is in place');
    expect(`${applied.answer} ${applied.report.summary}`).not.toMatch(/not applied|still there/);
    expectEveryQuoteReal(applied, 7);
  },
);

test(
  'a healthy system has no fault: the same script finds nothing wrong, and without data neither a fault nor health',
  { timeout: longTest },
  async () => {
    const incident = await startTestIncident({ seed: 5, healthy: true });
    await incident.deploy();
    const steer = { during: 'report-healthy', text: 'Also look for "WARN".' };
    const healthy = await playIncident(incident, { rollback: 'run', steer });
    expect(healthy.steps).toEqual(['look', 'logs', 'watch', 'report-healthy', 'aside', 'answer-healthy']);
    expect(healthy.answer).toMatch(/^Nothing wrong found/);
    expect(healthy.rollbackCalls).toBe(0);
    expectEveryQuoteReal(healthy);

    const metrics = await readMetrics(incident.urls.payments);
    expect(metrics.get('payments_db_pool_size')).toBe(20);
    expect(metrics.get('payments_db_pool_timeouts_total')).toBe(0);
    // how many depends on the machine's load; that none failed does not
    expect(metrics.get('payments_requests_total{code="200"}')).toBeGreaterThan(0);
    expect(await logOf(incident, 'payments')).not.toMatch(/ERROR/);
    const answer = await rollBack(incident, 'call-1', incident.plan.deployIds.payments);
    expect(answer).toEqual({
      text: expect.stringContaining('There is no version of payments before'),
      isError: true,
    });

    await stopCustomers(incident);
    const blind = await playIncident(incident, { rollback: 'run' });
    expect(blind.steps).toEqual(['look', 'still', 'report-blind', 'answer-blind']);
    expect(blind.report.grade).toBe('inconclusive');
    expectEveryQuoteReal(blind, 2);
  },
);

/** The customers leave while the approval of the rollback waits. */
async function playWithoutLoad(rollback: 'run' | 'denied', from: string): Promise<Played> {
  const incident = await startTestIncident({ seed: 5 });
  await incident.deploy();
  return playIncident(incident, { rollback, noLoadFrom: from });
}

function expectEveryQuoteReal({ report, results }: Played, atLeast = 6): void {
  const { claims, ruledOut, timeline = [] } = report;
  const quotes = [...claims, ...ruledOut, ...timeline].flatMap((entry) => entry.quotes);
  expect(quotes.length).toBeGreaterThanOrEqual(atLeast);
  const { impact, rootCause, recommended } = report;
  expect([impact, rootCause, recommended, report.timeline]).not.toContain(undefined);
  expect(report.claims.every((claim) => claim.quotes.length > 0)).toBe(true);
  for (const { callId, quote } of quotes) expect(results.get(callId)).toContain(quote);
}
