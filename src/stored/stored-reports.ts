// Reads the report of a session from its store. Runs in Node; reads only.
import type { SessionResult } from '../core/model/run-result.ts';
import type { ReportRequest } from '../core/model/stored-reads.ts';
import { parseReport } from '../core/report/parse-report.ts';
import { type Report, reportJsonName, reportOfRun } from '../core/report/report.ts';
import type { ArtifactReader } from './artifact-names.ts';
import { readStoredResult, readText } from './stored-session.ts';

/** `artifactId` names the Markdown form; undefined if the report is not stored. */
export async function readReportNamed(
  artifacts: ArtifactReader | undefined,
  sessionId: string,
  artifactId: string,
): Promise<Report | undefined> {
  const text = await readText(artifacts, sessionId, reportJsonName(artifactId));
  return text === undefined ? undefined : parseReport(JSON.parse(text));
}

/** Limit of earlier runs to search for a report. */
const mostRuns = 50;

/** The report of the newest run that has one, or of `runId`; undefined if this store has none. */
export async function readStoredReport(
  artifacts: ArtifactReader | undefined,
  { sessionId, runId }: ReportRequest,
): Promise<Report | undefined> {
  const result = await readStoredResult(artifacts, sessionId);
  for (const name of namesOf(result, runId)) {
    const report = await readReportNamed(artifacts, sessionId, name);
    if (report !== undefined) return report;
  }
  return undefined;
}

/** Newest first. The report of a run that did not complete has the name in its result. */
function namesOf(result: SessionResult | undefined, runId: string | undefined): string[] {
  const named = result?.report && (runId ?? result.runId) === result.runId ? [result.report.artifactId] : [];
  if (runId !== undefined) return [...named, reportOfRun(runId)];
  const newest = Number(/^run-(\d+)$/.exec(result?.runId ?? '')?.[1] ?? 0);
  const older = Array.from({ length: Math.min(newest, mostRuns) }, (_, index) => `run-${newest - index}`);
  return [...named, ...older.map(reportOfRun)];
}
