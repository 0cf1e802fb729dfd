// Stored stretches of a session's log: written, and read back against the hash that the workflow holds. Runs in Node.
import { ApplicationFailure } from '@temporalio/common';
import type { Segment } from '../../core/model/frozen-context.ts';
import type { LogRecord } from '../../core/model/messages.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { sha256Hex } from '../context/digest.ts';

/** The type of a stretch that is gone or altered: no retry brings it back. */
const segmentLostType = 'Session.SegmentLost';

/** Rejects retryably where the store gives no answer. */
export async function storeSegment(
  artifacts: ArtifactStore,
  sessionId: string,
  records: readonly LogRecord[],
  { fromSeq, toSeq }: { fromSeq: number; toSeq: number },
): Promise<Segment> {
  const artifactId = `log-${fromSeq}-${toSeq}.json`;
  const text = JSON.stringify(records);
  await artifacts.put(sessionId, artifactId, text).catch(storeUnavailable);
  return { artifactId, sha256: sha256Hex(text), fromSeq, toSeq };
}

/** The records of a segment. Rejects with SegmentLost, or retryably where the store gives no answer. */
export async function loadSegment(
  artifacts: ArtifactStore,
  sessionId: string,
  segment: Segment,
): Promise<LogRecord[]> {
  const bytes = await artifacts.get(sessionId, segment.artifactId).catch(storeUnavailable);
  if (bytes === undefined) throw lost(segment, 'is not in the artifact store');
  if (sha256Hex(bytes) !== segment.sha256) throw lost(segment, 'is not what was stored');
  return fromStore(JSON.parse(new TextDecoder().decode(bytes)));
}

/** A store that gives no answer: infrastructure, retried until it is back. */
export function storeUnavailable(error: unknown): never {
  throw toStoreUnavailable(error);
}

export function toStoreUnavailable(error: unknown): ApplicationFailure {
  const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return ApplicationFailure.create({
    type: 'ArtifactStore.Unavailable',
    message: `The artifact store gave no answer${reason}. Expected the store that all workers of the session share; it is tried again.`,
  });
}

function lost(segment: Segment, what: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: segmentLostType,
    message: `Artifact ${segment.artifactId} (messages ${segment.fromSeq} to ${segment.toSeq}) ${what}. Expected the store that the session began with; give this worker the same one.`,
    nonRetryable: true,
  });
}

/** The one place where stored records get their type: workers alone write them. */
function fromStore(value: unknown): LogRecord[] {
  return value as LogRecord[];
}
