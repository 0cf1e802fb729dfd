// Full texts and bytes outside history: tool outputs, log segments, reports, results. One interface; the file
// store is the embedded one. All workers of a session must reach the same store.
import { sha256Hex } from '../context/digest.ts';

export type StoredArtifact = { artifactId: string; sizeBytes: number; sha256: string };

/** Names are chosen by the caller and unique in a session, so that a retried activity overwrites its own bytes. */
export interface ArtifactStore {
  /** Names the store: two workers that see the same id see the same bytes. */
  readonly storeId?: string;
  /**
   * Atomic: a reader sees the old bytes or the new ones. Throws on a store that cannot be written, and on a
   * name other than letters, digits, `.`, `_`, `-` (at most 200, the first a letter or digit).
   */
  put(sessionId: string, artifactId: string, bytes: Uint8Array | string): Promise<StoredArtifact>;
  /** Undefined where there is none; never another session's. */
  get(sessionId: string, artifactId: string): Promise<Uint8Array | undefined>;
  /** Sorted by name. */
  list(sessionId: string): Promise<string[]>;
}

/** Names under which tool outputs are kept; only these are evidence. */
export const toolOutputPrefix = 'tool-';

/** Whether a store takes this name; any other is a caller's bug on put, and unknown on get. */
export function isArtifactName(artifactId: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(artifactId);
}

/** A name that every store takes, different for different call ids. */
export function toolOutputId(callId: string): string {
  const plain = /^[A-Za-z0-9_-]{1,120}$/.test(callId);
  if (plain) return `${toolOutputPrefix}${callId}`;
  const readable = callId.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
  // A dot, which no plain name contains, keeps the two kinds of names apart.
  return `${toolOutputPrefix}${readable}.${sha256Hex(callId).slice(0, 24)}`;
}
