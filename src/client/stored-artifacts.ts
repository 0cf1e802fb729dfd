// What a session leaves in the artifact store, as the client reads it: its result, its report, log segments.
import type { Segment } from '../core/model/frozen-context.ts';
import { logArtifact, resultArtifact } from '../core/model/outer-names.ts';
import type { LogRecord } from '../core/model/messages.ts';
import type { SessionResult } from '../core/model/run-result.ts';
import { readSessionResult } from '../core/model/run-result.schema.ts';

/** The reading side of an artifact store; the worker's stores fit. */
export type ArtifactReader = {
  get(sessionId: string, artifactId: string): Promise<Uint8Array | undefined>;
  list(sessionId: string): Promise<string[]>;
};

/** Undefined where the store has no result of this session. */
export async function readStoredResult(
  store: ArtifactReader | undefined,
  sessionId: string,
): Promise<SessionResult | undefined> {
  const bytes = await store?.get(sessionId, resultArtifact);
  return bytes === undefined ? undefined : readSessionResult(JSON.parse(Buffer.from(bytes).toString('utf8')));
}

/** The log as it stood at the end of the last run; undefined where the store has none. */
export async function readStoredLog(
  store: ArtifactReader | undefined,
  sessionId: string,
): Promise<LogRecord[] | undefined> {
  const text = await readText(store, sessionId, logArtifact);
  return text === undefined ? undefined : toRecords(JSON.parse(text));
}

/** The records of a stored stretch of the log; undefined where the store lacks it. */
export async function readSegment(
  store: ArtifactReader | undefined,
  sessionId: string,
  segment: Segment,
): Promise<LogRecord[] | undefined> {
  const bytes = await store?.get(sessionId, segment.artifactId);
  return bytes === undefined ? undefined : toRecords(JSON.parse(Buffer.from(bytes).toString('utf8')));
}

/** The worker wrote these bytes; only their outline is checked. */
function toRecords(value: unknown): LogRecord[] {
  if (!Array.isArray(value)) throw new Error('A stored segment of the log is not a list.');
  return value as LogRecord[];
}

/** A stored text; undefined where the store lacks it. */
export async function readText(
  store: ArtifactReader | undefined,
  sessionId: string,
  artifactId: string,
): Promise<string | undefined> {
  const bytes = await store?.get(sessionId, artifactId);
  return bytes && Buffer.from(bytes).toString('utf8');
}
