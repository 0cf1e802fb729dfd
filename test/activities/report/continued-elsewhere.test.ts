// A report that was handed in before its run was continued in another session.
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import type { CompleteReportInput } from '@holdfast/vocabulary/storage-contracts';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import { clientWithCheckpoint } from '../../support/own-workflow.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createCompleteReport } from '../../../src/activities/report/complete-report.ts';
import { storeReport } from '../../../src/activities/report/stored-report.ts';
import { renderReport } from '@holdfast/report/report-markdown';
import { wholeReport } from '../../support/sample-reports.ts';
import { startReportSession } from '../../support/report-session.ts';
import { readReportNamed } from '@holdfast/stored/stored-session';

test('[REPORT-13a] a run that was continued from a checkpoint has its commands for the session that ended it', async () => {
  const { artifacts } = await startReportSession();
  await storeReport(artifacts, 'second', 'report-c1.md', { ...wholeReport, sessionId: 'first' });
  const completeReport = createCompleteReport({
    artifacts,
    redactor: createRedactor([]),
    tools: new Map(),
    prepareCalls: () => Promise.resolve([]),
    transcripts: { readLog: () => Promise.resolve([]), readStretches: async function* () {} },
  });
  const counts = { quotes: 1, verifiedQuotes: 1, claims: 1, verifiedClaims: 1 };
  const environment = new MockActivityEnvironment({}, { client: clientWithCheckpoint({}) });
  const input: CompleteReportInput = {
    sessionId: 'second',
    runId: 'run-1',
    fromSeq: 1,
    toSeq: 9,
    endedAt: 1_000,
    end: { status: 'completed' },
    report: { artifactId: 'report-c1.md', grade: 'likely', ...counts },
  };
  const { artifactId }: ReportRef = await environment.run(completeReport, input);
  const report = await readReportNamed(artifacts, 'second', artifactId);
  expect(report?.sessionId).toBe('second');
  expect(report && renderReport(report)).toContain('holdfast output second call_2_1_metrics');
});
