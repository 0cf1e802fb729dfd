// The report of a session from its store, whatever version wrote it. Runs in Node; reads only.
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

/** Undefined where the session, or that run of it, has none in this store. */
export async function readStoredReport(
  artifacts: ArtifactReader | undefined,
  { sessionId, runId }: ReportRequest,
): Promise<Report | undefined> {
  const result = await readStoredResult(artifacts, sessionId);
  const named = runId === undefined || result?.runId === runId ? result?.report?.artifactId : undefined;
  const artifactId = named ?? (runId === undefined ? undefined : reportOfRun(runId));
  return artifactId === undefined ? undefined : readReportNamed(artifacts, sessionId, artifactId);
}
