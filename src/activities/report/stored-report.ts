// A report in the artifact store: Markdown, and JSON beside it. Runs in Node.
import { ApplicationFailure } from '@temporalio/common';
import { renderReport } from '@holdfast/report/report-markdown';
import { type Report, reportJsonName } from '@holdfast/report/report';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { storeUnavailable } from '../storage/segments.ts';
import { readReportNamed } from '@holdfast/stored/stored-session';

/** Named by its Markdown form. The JSON is stored first, so that a reader of the Markdown finds it. */
export async function storeReport(
  artifacts: Pick<ArtifactStore, 'put'>,
  sessionId: string,
  artifactId: string,
  report: Report,
): Promise<void> {
  await artifacts.put(sessionId, reportJsonName(artifactId), toJson(report));
  await artifacts.put(sessionId, artifactId, renderReport(report));
}

/** A point of a series takes one line, not four. Line feeds are never inside a text of JSON. */
function toJson(report: Report): string {
  return JSON.stringify(report, null, 2).replaceAll(
    /\[\n\s+(\d+),\n\s+(null|-?[\d.e+-]+)\n\s+\]/g,
    '[$1, $2]',
  );
}

/** Named by its Markdown form. Rejects if it is missing. */
export async function readReport(
  artifacts: Pick<ArtifactStore, 'get'>,
  sessionId: string,
  artifactId: string,
): Promise<Report> {
  const bytes = { get: (...args: [string, string]) => artifacts.get(...args).catch(storeUnavailable) };
  const report = await readReportNamed(bytes, sessionId, artifactId);
  if (report !== undefined) return report;
  // a retry does not help: the store has lost it, or a recording is played, whose tools store nothing
  throw ApplicationFailure.create({
    type: 'Report.NotStored',
    message: `The report ${reportJsonName(artifactId)} is not in the artifact store.`,
    nonRetryable: true,
  });
}
