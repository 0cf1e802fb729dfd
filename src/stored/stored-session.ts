// Reads the stored texts of a session: its log and its result. Runs in Node; reads only.
import type { LogRecord } from '../core/model/messages.ts';
import { logArtifact, resultArtifact } from '../core/model/outer-names.ts';
import type { SessionResult } from '../core/model/run-result.ts';
import { readSessionResult } from '../core/model/run-result.schema.ts';
import { type ArtifactReader, isArtifactName } from './artifact-names.ts';

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
  return text === undefined ? undefined : readSessionResult(JSON.parse(text));
}

/** The log at the end of the last run; undefined if the store has none. */
export async function readStoredLog(
  store: ArtifactReader | undefined,
  sessionId: string,
): Promise<LogRecord[] | undefined> {
  return readRecords(store, sessionId, logArtifact);
}

/** A stored list of records or segments. Checks only the outline, because a worker wrote these bytes. */
export async function readRecords<Value = LogRecord>(
  store: ArtifactReader | undefined,
  sessionId: string,
  artifactId: string,
): Promise<Value[] | undefined> {
  const text = await readText(store, sessionId, artifactId);
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error('A stored segment of the log is not a list.');
  return value as Value[];
}
