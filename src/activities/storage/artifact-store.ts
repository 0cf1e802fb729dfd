// Texts and bytes outside history: tool outputs, log segments, reports, results. All workers of a session must reach
// the same store; the default is the file store.

/**
 * A store of your own has an id, put and get, and goes into `artifacts` of the configuration. Bytes are kept by session
 * and name; Holdfast chooses the names, and a retried activity puts the same name again. With list and remove the commands
 * `holdfast artifacts` work on it.
 */
export interface ArtifactStore {
  /** Workers that see the same id see the same bytes; a worker with another id keeps nothing for a running session. */
  readonly id: string;
  /** Resolves when the bytes are kept. Replaces what was there; a reader sees the old bytes or the new ones, never a part. */
  put(sessionId: string, name: string, bytes: Uint8Array | string): Promise<void>;
  /** Undefined where there is none. Rejects where the store does not answer: the caller tries again. */
  get(sessionId: string, name: string): Promise<Uint8Array | undefined>;
  /** What is kept, of one session or of all, in any order. */
  list?(sessionId?: string): AsyncIterable<StoredArtifact>;
  /** Resolves when it is gone: one artifact, or without a name the whole session. None there is no error. */
  remove?(sessionId: string, name?: string): Promise<void>;
}

export type StoredArtifact = { sessionId: string; name: string; sizeBytes: number; storedAt: Date };

export function refusedName(name: string): Error {
  return new Error(
    `Artifact name of ${name.length} characters refused: expected letters, digits, ".", "_" and "-", at most 200.`,
  );
}

/** Codes of a disk and of S3 whose cause a person has to remove. */
const lastingCodes = [
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EEXIST', 'ENOTDIR'],
  ...['AccessDenied', 'NoSuchBucket'],
];

/** With the pauses of Temporal's retries (1, 2, 4, 8, 10 s), an outage of 25 s costs nothing. */
const attemptsToKeep = 6;

/** Whether a put that failed in this attempt is to be left to the next one: most outages are over soon. */
export function isOutage(error: unknown, attempt: number): boolean {
  const isLasting = error instanceof Error && 'code' in error && lastingCodes.includes(String(error.code));
  return !isLasting && attempt < attemptsToKeep;
}

/** The content of a marker, which names the store that it lies in. */
export function toMarker(storeId: string): string {
  return `${JSON.stringify({ version: 1, storeId })}\n`;
}

/** The store that a marker names. Throws where the text is none; `place` is where it was read. */
export function readStoreId(marker: string, place: string): string {
  const storeId = /"storeId":\s*"([A-Za-z0-9_-]{1,64})"/.exec(marker)?.[1];
  if (storeId !== undefined) return storeId;
  throw new Error(
    `${place} is not a store marker: expected {"version":1,"storeId":"..."}. Move it away, or name another place.`,
  );
}
