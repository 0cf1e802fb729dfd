// Stored stretches of a session's log: written, and read back against the hash that the workflow holds. Runs in Node.
import { ApplicationFailure } from '@temporalio/common';
import type { Segment } from '@holdfast/vocabulary/frozen-context';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { SeqRange } from '@holdfast/vocabulary/run-result';
import type { ArtifactStore } from './artifact-store.ts';
import { DamagedError } from '@holdfast/stored/parse-stored';
import { sha256Hex } from '@holdfast/stored/sha256';

/** The failure type for a missing or altered stretch; a retry cannot bring it back. */
const segmentLostType = 'Session.SegmentLost';

/** Rejects retryably if the store does not answer. */
export function storeSegment(
  artifacts: ArtifactStore,
  sessionId: string,
  records: readonly LogRecord[],
  range: SeqRange,
): Promise<Segment> {
  return store(artifacts, sessionId, records, {
    ...range,
    artifactId: `log-${range.fromSeq}-${range.toSeq}.json`,
  });
}

/** Replaces consecutive segments by one. */
export async function storeList(
  artifacts: ArtifactStore,
  sessionId: string,
  segments: readonly Segment[],
): Promise<Segment> {
  const [fromSeq = 1, toSeq = 0] = [segments[0]?.fromSeq, segments.at(-1)?.toSeq];
  const place = { artifactId: `log-list-${fromSeq}-${toSeq}.json`, fromSeq, toSeq };
  return { ...(await store(artifacts, sessionId, segments, place)), isList: true };
}

async function store(
  artifacts: ArtifactStore,
  sessionId: string,
  values: readonly object[],
  place: SeqRange & { artifactId: string },
): Promise<Segment> {
  const text = JSON.stringify(values);
  await artifacts.put(sessionId, place.artifactId, text).catch(storeUnavailable);
  return { ...place, sha256: sha256Hex(text) };
}

/** The records of a segment, or the segments of a list. Rejects with SegmentLost, or retryably if the store does not answer. */
export async function loadSegment<Value = LogRecord>(
  artifacts: ArtifactStore,
  sessionId: string,
  segment: Segment,
): Promise<Value[]> {
  const bytes = await artifacts.get(sessionId, segment.artifactId).catch(storeUnavailable);
  if (bytes === undefined) throw lost(segment, 'is not in the artifact store');
  if (sha256Hex(bytes) !== segment.sha256) throw lost(segment, 'is not what was stored');
  // only workers write them
  return JSON.parse(new TextDecoder().decode(bytes)) as Value[];
}

/** For a store that does not answer: infrastructure, retried until it is back. */
export function storeUnavailable(error: unknown): never {
  throw toStoreUnavailable(error);
}

export function toStoreUnavailable(error: unknown): ApplicationFailure {
  const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  const message =
    error instanceof DamagedError
      ? error.message
      : `The artifact store gave no answer${reason}. Expected the store that all workers of the session share; it is tried again.`;
  return ApplicationFailure.create({ type: 'ArtifactStore.Unavailable', message });
}

function lost(segment: Segment, what: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: segmentLostType,
    message: `Artifact ${segment.artifactId} (messages ${segment.fromSeq} to ${segment.toSeq}) ${what}. Expected the store that the session began with; give this worker the same one.`,
    nonRetryable: true,
  });
}
