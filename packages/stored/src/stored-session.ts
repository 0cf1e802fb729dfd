// Reads the stored texts of a session: its log, its result and its reports. Runs in Node; reads only.
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { logArtifact, resultArtifact } from '@holdfast/vocabulary/outer-names';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import { readSessionResult } from '@holdfast/vocabulary/run-result.schema';
import { type ArtifactReader, isArtifactName } from './artifact-names.ts';
import type { ReportRequest } from '@holdfast/vocabulary/stored-reads';
import { parseStored } from './parse-stored.ts';
import { parseReport } from '@holdfast/report/parse-report';
import { type Report, reportJsonName, reportOfRun } from '@holdfast/report/report';

/** Undefined if the store lacks it, or there is no store. A name that Holdfast never gives does not reach the store. */
export async function readText(
  store: ArtifactReader | undefined,
  sessionId: string,
  artifactId: string,
): Promise<string | undefined> {
  const bytes = isArtifactName(artifactId) ? await store?.get(sessionId, artifactId) : undefined;
  return bytes && Buffer.from(bytes).toString('utf8');
}

/** Undefined if the store has no result of this session. */
export async function readStoredResult(
  store: ArtifactReader | undefined,
  sessionId: string,
): Promise<SessionResult | undefined> {
  const text = await readText(store, sessionId, resultArtifact);
  return text === undefined ? undefined : readSessionResult(parseStored(text, sessionId, resultArtifact));
}

/** The log at the end of the last run; undefined if the store has none. */
export async function readStoredLog(
  store: ArtifactReader | undefined,
  sessionId: string,
): Promise<LogRecord[] | undefined> {
  return readRecords(store, sessionId, logArtifact);
}

/** A stored list, such as one of records or segments. Checks only the outline, because a worker wrote these bytes. */
export async function readRecords<Value = LogRecord>(
  store: ArtifactReader | undefined,
  sessionId: string,
  artifactId: string,
): Promise<Value[] | undefined> {
  const text = await readText(store, sessionId, artifactId);
  if (text === undefined) return undefined;
  const value = parseStored(text, sessionId, artifactId);
  if (!Array.isArray(value))
    throw new Error(`${artifactId} of session ${sessionId} is no list in the artifact store.`);
  return value as Value[];
}

/** `artifactId` names the Markdown form; undefined if the report is not stored. */
export async function readReportNamed(
  artifacts: ArtifactReader | undefined,
  sessionId: string,
  artifactId: string,
): Promise<Report | undefined> {
  const name = reportJsonName(artifactId);
  const text = await readText(artifacts, sessionId, name);
  return text === undefined ? undefined : parseReport(parseStored(text, sessionId, name));
}

/** Limit of earlier runs to search for a report. */
const mostRuns = 50;

/** The report of the newest run that has one, or of `runId`; undefined if this store has none. */
export async function readStoredReport(
  artifacts: ArtifactReader | undefined,
  { sessionId, runId }: ReportRequest,
): Promise<Report | undefined> {
  const result = await readStoredResult(artifacts, sessionId);
  for (const name of reportNames(result, runId)) {
    const report = await readReportNamed(artifacts, sessionId, name);
    if (report !== undefined) return report;
  }
  return undefined;
}

/** Newest first. The report of a run that did not complete has the name in its result. */
function reportNames(result: SessionResult | undefined, runId: string | undefined): string[] {
  const named = result?.report && (runId ?? result.runId) === result.runId ? [result.report.artifactId] : [];
  if (runId !== undefined) return [...named, reportOfRun(runId)];
  const newest = Number(/^run-(\d+)$/.exec(result?.runId ?? '')?.[1] ?? 0);
  const older = Array.from({ length: Math.min(newest, mostRuns) }, (_, index) => `run-${newest - index}`);
  return [...named, ...older.map(reportOfRun)];
}
