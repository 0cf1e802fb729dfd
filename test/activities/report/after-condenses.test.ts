// A report after four condenses, beside the one of the same work without any.
import { expect, test } from 'vitest';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { reportJsonName } from '../../../src/core/report/report.ts';
import type { Report } from '../../../src/core/report/report.ts';
import { claimsOf, lookWindow, reporter } from '../../support/condensed-report.ts';
import { localSession } from '../../support/local-session.ts';

async function reportAfter(condenses: number, continueAsNewAfterTurns?: number): Promise<Report> {
  const { model, tools, summaries } = reporter(condenses);
  const agent = { model: { contextWindow: lookWindow }, condense: { maxPerRun: 0 } };
  const session = await localSession(
    { model, tools, agent },
    continueAsNewAfterTurns ? { continueAsNewAfterTurns } : {},
  );
  const result = await session.ask('Why is checkout slow?');
  expect(result).toMatchObject({ status: 'completed', condenses });
  expect(summaries()).toBe(condenses);
  const store = await createFileArtifactStore(session.artifactsDir);
  const bytes = await store.get('session', reportJsonName(result.report?.artifactId ?? ''));
  return JSON.parse(Buffer.from(bytes ?? []).toString('utf8')) as Report;
}

test('[REPORT-12a] after four condenses it equals the one without, claim by claim; over hand-overs too', async () => {
  const without = await reportAfter(0);
  expect(without.claims).toHaveLength(8);
  expect(without.claims.every(({ verified }) => verified)).toBe(true);
  expect(claimsOf(await reportAfter(4))).toEqual(claimsOf(without));
  expect(claimsOf(await reportAfter(4, 1))).toEqual(claimsOf(without));
});
