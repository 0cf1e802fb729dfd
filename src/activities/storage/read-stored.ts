// The activity readStored: reads texts of the store for a client that cannot reach it. Runs in Node; writes nothing.
import { ApplicationFailure } from '@temporalio/common';
import { messageOf } from '../../../packages/base/src/message-of.ts';
import type { Activities } from '../../../packages/vocabulary/src/activity-table.ts';
import type { StoredRead } from '../../../packages/vocabulary/src/stored-reads.ts';
import { storedReadSchema } from '../../../packages/vocabulary/src/stored-reads.schema.ts';
import type { LogRecord } from '../../../packages/vocabulary/src/messages.ts';
import type { ArtifactReader } from '../../../packages/stored/src/artifact-names.ts';
import { readOutputLines } from '../../../packages/stored/src/output-lines.ts';
import { readStoredReport } from '../../../packages/stored/src/stored-session.ts';

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
