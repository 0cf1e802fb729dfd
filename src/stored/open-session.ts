// What an artifact store has of one session, for programs that need neither server nor worker. Runs in Node; reads only.
import type { LogRecord } from '../core/model/messages.ts';
import type { SessionResult } from '../core/model/run-result.ts';
import type { OutputLines, OutputRequest } from '../core/model/stored-reads.ts';
import type { Report } from '../core/report/report.ts';
import type { ArtifactReader } from './artifact-names.ts';
import { readOutputLines } from './output-lines.ts';
import { readStoredReport } from './stored-reports.ts';
import { readStoredLog, readStoredResult } from './stored-session.ts';

/** Each gives undefined where the store has none. */
export type StoredSession = {
  /** Of the newest run, or of this one. */
  report(runId?: string): Promise<Report | undefined>;
  /** Lines around `line`, or a page from `fromLine`; of a call that was delegated, `<instance>/<call>`. */
  output(call: string, place?: OutputPlace): Promise<OutputLines | undefined>;
  result(): Promise<SessionResult | undefined>;
  /** The log at the end of the last run. */
  messages(): Promise<LogRecord[] | undefined>;
};

export type OutputPlace = Omit<OutputRequest, 'sessionId' | 'call'>;

export function openStoredSession(artifacts: ArtifactReader, sessionId: string): StoredSession {
  return {
    report: (runId) => readStoredReport(artifacts, { sessionId, ...(runId === undefined ? {} : { runId }) }),
    output: (call, place = {}) => readOutputLines(artifacts, { ...place, sessionId, call }),
    result: () => readStoredResult(artifacts, sessionId),
    messages: () => readStoredLog(artifacts, sessionId),
  };
}
