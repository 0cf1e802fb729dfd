// A report as it is in the artifact store: Markdown, and JSON beside it. Runs in Node.
import { ApplicationFailure } from '@temporalio/common';
import { renderReport } from '../../core/report/report-markdown.ts';
import { type Report, reportJsonName } from '../../core/report/report.ts';
import { readReportNamed } from '../../stored/stored-reports.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { storeUnavailable } from '../storage/segments.ts';

/** Under the name of its Markdown form; the JSON goes first, so that a reader of the Markdown finds it. */
export async function storeReport(
  artifacts: Pick<ArtifactStore, 'put'>,
  sessionId: string,
  artifactId: string,
  report: Report,
): Promise<void> {
  await artifacts.put(sessionId, reportJsonName(artifactId), JSON.stringify(report, null, 2));
  await artifacts.put(sessionId, artifactId, renderReport(report));
}

/** By the name of its Markdown form. Rejects where it is not there. */
export async function readReport(
  artifacts: Pick<ArtifactStore, 'get'>,
  sessionId: string,
  artifactId: string,
): Promise<Report> {
  const bytes = { get: (...args: [string, string]) => artifacts.get(...args).catch(storeUnavailable) };
  const report = await readReportNamed(bytes, sessionId, artifactId);
  if (report !== undefined) return report;
  // no retry brings it: the store has lost it, or a recording is played, whose tools store nothing
  throw ApplicationFailure.create({
    type: 'Report.NotStored',
    message: `The report ${reportJsonName(artifactId)} is not in the artifact store.`,
    nonRetryable: true,
  });
}
