// Full texts and bytes outside history: tool outputs, log segments, reports, results. One interface; the file
// store is the embedded one. All workers of a session must reach the same store.

export type StoredArtifact = { artifactId: string; sizeBytes: number; sha256: string };

/** Names are chosen by the caller and unique in a session, so that a retried activity overwrites its own bytes. */
export interface ArtifactStore {
  /** Atomic: a reader sees the old bytes or the new ones. Throws on a store that cannot be written. */
  put(sessionId: string, artifactId: string, bytes: Uint8Array | string): Promise<StoredArtifact>;
  /** Undefined where there is none; never another session's. */
  get(sessionId: string, artifactId: string): Promise<Uint8Array | undefined>;
  list(sessionId: string): Promise<string[]>;
}
