// The activity readStored: reads texts of the store for a client that cannot reach it. Runs in Node; writes nothing.
import { ApplicationFailure } from '@temporalio/common';
import { messageOf } from '@holdfast/base/message-of';
import type { Activities } from '@holdfast/vocabulary/activity-table';
import type { StoredRead } from '@holdfast/vocabulary/stored-reads';
import { storedReadSchema } from '@holdfast/vocabulary/stored-reads.schema';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { readOutputLines } from '@holdfast/stored/output-lines';
import { readStoredReport } from '@holdfast/stored/stored-session';

type ReadStoredDeps = {
  artifacts: ArtifactReader;
  /** The log of a session; undefined if it does not answer. */
  readLog(sessionId: string): Promise<LogRecord[] | undefined>;
};

/** The activity returns null for a missing text. */
export function createReadStored({ artifacts, readLog }: ReadStoredDeps): Activities['readStored'] {
  return async function readStored(given) {
    const request = checked(given);
    if (request.what === 'report') return (await readStoredReport(artifacts, request)) ?? null;
    const found = await readOutputLines(artifacts, request);
    if (found !== undefined) return found;
    // the log is stored when a run ends: until then the session has it
    const log = await readLog(request.sessionId);
    return (log && (await readOutputLines(artifacts, request, log))) ?? null;
  };
}

/** The input is untrusted: anyone who may start workflows can send it. */
function checked(given: unknown): StoredRead {
  try {
    return storedReadSchema.parse(given);
  } catch (error) {
    throw ApplicationFailure.create({
      type: 'Input.Invalid',
      nonRetryable: true,
      message: `Not a read of stored texts: ${messageOf(error)}`,
    });
  }
}
