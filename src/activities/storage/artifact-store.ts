// Texts and bytes outside history: tool outputs, log segments, reports, results. All workers of a session must reach the
// same store; the default is the file store.

/**
 * Your own store has an id, put and get, and goes into `artifacts` of the configuration. It keeps bytes by session and
 * name; Holdfast chooses the names, and a retried activity puts the same name again. The commands `holdfast artifacts`
 * also need list and remove.
 */
export interface ArtifactStore {
  /** Workers with one id see the same bytes; a worker with another id stores nothing for a running session. */
  readonly id: string;
  /** Resolves when the bytes are stored. Replaces older bytes atomically: a reader never sees a part. */
  put(sessionId: string, name: string, bytes: Uint8Array | string): Promise<void>;
  /** Undefined if it does not exist. Rejects if the store does not answer; the caller retries. */
  get(sessionId: string, name: string): Promise<Uint8Array | undefined>;
  /** Stored artifacts of one session or of all, in any order. */
  list?(sessionId?: string): AsyncIterable<StoredArtifact>;
  /** Removes one artifact, or without a name the whole session. A missing one is no error. */
  remove?(sessionId: string, name?: string): Promise<void>;
}

export type StoredArtifact = { sessionId: string; name: string; sizeBytes: number; storedAt: Date };

export function refusedName(name: string): Error {
  return new Error(
    `Artifact name of ${name.length} characters refused: expected letters, digits, ".", "_" and "-", at most 200.`,
  );
}

/** Codes of a disk and of S3 whose cause a person must remove. */
const lastingCodes = [
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EEXIST',
  'ENOTDIR',
  'AccessDenied',
  'NoSuchBucket',
];

/** With the pauses of Temporal's retries (1, 2, 4, 8, 10 s), an outage of 25 s costs nothing. */
const attemptsToKeep = 6;

/** True if a failed put should be retried: most outages are short. */
export function isOutage(error: unknown, attempt: number): boolean {
  const isLasting = error instanceof Error && 'code' in error && lastingCodes.includes(String(error.code));
  return !isLasting && attempt < attemptsToKeep;
}

/** The content of a marker, which identifies the store around it. */
export function toMarker(storeId: string): string {
  return `${JSON.stringify({ version: 1, storeId })}\n`;
}

/** The store's id in a marker. Throws if there is none; `place` is the marker's place for the message. */
export function readStoreId(marker: string, place: string): string {
  const storeId = /"storeId":\s*"([A-Za-z0-9_-]{1,64})"/.exec(marker)?.[1];
  if (storeId !== undefined) return storeId;
  throw new Error(
    `${place} is not a store marker: expected {"version":1,"storeId":"..."}. Move it away, or name another place.`,
  );
}
