// The activity readStored: reads texts of the store for a client that cannot reach it. Runs in Node; writes nothing.
import { ApplicationFailure } from '@temporalio/common';
import { messageOf } from '../../core/base/message-of.ts';
import type { StoredRead, StoredReadActivities } from '../../core/model/stored-reads.ts';
import { parseStoredRead } from '../../core/model/stored-reads.schema.ts';
import { readOutputLines } from '../../stored/output-lines.ts';
import { readStoredReport } from '../../stored/stored-reports.ts';
import type { ArtifactStore } from './artifact-store.ts';

/** The activity returns null for a missing text. */
export function createReadStored({
  artifacts,
}: {
  artifacts: ArtifactStore;
}): StoredReadActivities['readStored'] {
  return async function readStored(given) {
    const request = checked(given);
    const found =
      request.what === 'output'
        ? await readOutputLines(artifacts, request)
        : await readStoredReport(artifacts, request);
    return found ?? null;
  };
}

/** The input is untrusted: anyone who may start workflows can send it. */
function checked(given: unknown): StoredRead {
  try {
    return parseStoredRead(given);
  } catch (error) {
    throw ApplicationFailure.create({
      type: 'Input.Invalid',
      nonRetryable: true,
      message: `Not a read of stored texts: ${messageOf(error)}`,
    });
  }
}
