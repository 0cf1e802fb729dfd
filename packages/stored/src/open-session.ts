// The stored parts of one session, for programs without server or worker. Runs in Node; reads only.
import { defined } from '@holdfast/base/defined';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import type { OutputLines, OutputRequest } from '@holdfast/vocabulary/stored-reads';
import type { Report } from '@holdfast/report/report';
import type { ArtifactReader } from './artifact-names.ts';
import { readOutputLines } from './output-lines.ts';
import { readStoredLog, readStoredResult, readStoredReport } from './stored-session.ts';

/** Each method returns undefined if the store has no such text. */
export type StoredSession = {
  /** The report of the newest run, or of `runId`. */
  report(runId?: string): Promise<Report | undefined>;
  /** Lines around `line`, or a page from `fromLine`; a delegated call is written `<instance>/<call>`. */
  output(call: string, place?: OutputPlace): Promise<OutputLines | undefined>;
  result(): Promise<SessionResult | undefined>;
  /** The log at the end of the last run. */
  messages(): Promise<LogRecord[] | undefined>;
};

export type OutputPlace = Omit<OutputRequest, 'sessionId' | 'call'>;

export function openStoredSession(artifacts: ArtifactReader, sessionId: string): StoredSession {
  return {
    report: (runId) => readStoredReport(artifacts, defined({ sessionId, runId })),
    output: (call, place = {}) => readOutputLines(artifacts, { ...place, sessionId, call }),
    result: () => readStoredResult(artifacts, sessionId),
    messages: () => readStoredLog(artifacts, sessionId),
  };
}
