// The incident's script against its real tools: whatever it reports must come out of what they answered.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ledgerPath } from '../../../examples/incidents/checkout/place.ts';
import { playIncident, type Played } from './play-incident.ts';
import { startTestIncident } from './start-incident.ts';

const longTest = 120_000;

test(
  'the report follows the fault: denied, it says so; lost, it verifies and does not repeat',
  { timeout: longTest },
  async () => {
    const incident = await startTestIncident({ seed: 5 });
    await incident.deploy();
    const { fault } = incident.plan.deployIds;
    const cut = `Deploy ${fault} cut the pool of payments from 20 connections to ${incident.plan.poolAfter}.`;

    const denied = await playIncident(incident, { rollback: 'denied' });
    expect(denied.steps).toEqual(['look', 'logs', 'watch', 'mend', 'still', 'report-open', 'answer-open']);
    expect(denied.report.claims.map((claim) => claim.text)).toContain(cut);
    expect(denied.report.summary).toContain('Denied by demo: nobody was there.');
    expect(denied.answer).toMatch(/^Found, not mended\./);
    expectEveryQuoteReal(denied);

    const steer = { during: 'logs', text: 'Also look for "pool_size" in the logs, please.' };
    const lost = await playIncident(incident, { rollback: 'lost', steer });
    expect(lost.steps.slice(0, 6)).toEqual(['look', 'logs', 'aside', 'watch', 'mend', 'check']);
    expect(lost.steps.slice(-2)).toEqual(['report-mended', 'answer-mended']);
    expect(lost.rollbackCalls).toBe(1);
    expect((await readFile(ledgerPath(incident.place.dir), 'utf8')).trim().split('\n')).toHaveLength(1);
    expect(lost.report.claims.map((claim) => claim.text)).toContain(cut);
    expect(lost.report.ruledOut).toHaveLength(2);
    expect(lost.answer).toMatch(/^Found and mended\./);
    expectEveryQuoteReal(lost);
  },
);

test('a healthy system: the same script finds nothing wrong', { timeout: longTest }, async () => {
  const incident = await startTestIncident({ seed: 5, healthy: true });
  await incident.deploy();
  const healthy = await playIncident(incident, { rollback: 'run' });
  expect(healthy.steps).toEqual(['look', 'logs', 'watch', 'report-healthy', 'answer-healthy']);
  expect(healthy.answer).toMatch(/^Nothing wrong found/);
  expect(healthy.rollbackCalls).toBe(0);
  expectEveryQuoteReal(healthy);
});

function expectEveryQuoteReal({ report, results }: Played): void {
  const quotes = report.claims.flatMap((claim) => claim.quotes);
  expect(quotes.length).toBeGreaterThanOrEqual(6);
  expect(report.claims.every((claim) => claim.quotes.length > 0)).toBe(true);
  for (const { callId, quote } of quotes) expect(results.get(callId)).toContain(quote);
}
