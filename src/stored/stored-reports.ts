// The report of a session from its store, whatever version wrote it. Runs in Node; reads only.
import type { SessionResult } from '../core/model/run-result.ts';
import type { ReportRequest } from '../core/model/stored-reads.ts';
import { parseReport } from '../core/report/parse-report.ts';
import { type Report, reportJsonName, reportOfRun } from '../core/report/report.ts';
import type { ArtifactReader } from './artifact-names.ts';
import { readStoredResult, readText } from './stored-session.ts';

/** By the name of its Markdown form; undefined where it is not there. */
export async function readReportNamed(
  artifacts: ArtifactReader | undefined,
  sessionId: string,
  artifactId: string,
): Promise<Report | undefined> {
  const text = await readText(artifacts, sessionId, reportJsonName(artifactId));
  return text === undefined ? undefined : parseReport(JSON.parse(text));
}

/** Runs without a report, after the newest one that has one. */
const mostRuns = 50;

/** Of the newest run that has one, or of that run; undefined where this store has none. */
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

/** The newest first. A report of an older version has the name that its result gives it. */
function namesOf(result: SessionResult | undefined, runId: string | undefined): string[] {
  const named = result?.report && (runId ?? result.runId) === result.runId ? [result.report.artifactId] : [];
  if (runId !== undefined) return [...named, reportOfRun(runId)];
  const newest = Number(/^run-(\d+)$/.exec(result?.runId ?? '')?.[1] ?? 0);
  const older = Array.from({ length: Math.min(newest, mostRuns) }, (_, index) => `run-${newest - index}`);
  return [...named, ...older.map(reportOfRun)];
}
