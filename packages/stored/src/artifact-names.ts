// The names of artifacts, and the reading side of their store, shared by activities, client and commands. Runs in Node.
import { sha256Hex } from './sha256.ts';
import { toolOutputPrefix } from '@holdfast/vocabulary/outer-names';

/** The reading side of an artifact store, which the worker's stores have. Undefined for an unknown name. */
export type ArtifactReader = { get(sessionId: string, artifactId: string): Promise<Uint8Array | undefined> };

/** The writing side of an artifact store: for images, and for checkpoints that are too large to send. */
export type ArtifactWriter = {
  put(sessionId: string, artifactId: string, bytes: Uint8Array | string): Promise<unknown>;
};

/** Prefix of tool outputs; only these are evidence. */
export { toolOutputPrefix };

/** True for names in Holdfast's form: letters, digits, `.`, `_` and `-`, at most 200, the first a letter or digit. */
export function isArtifactName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(name);
}

/** A name that every store takes, different for different call ids. */
export function toolOutputId(callId: string): string {
  const plain = /^[A-Za-z0-9_-]{1,120}$/.test(callId);
  if (plain) return `${toolOutputPrefix}${callId}`;
  const readable = callId.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
  const digest = sha256Hex(callId);
  // a dot, which no plain name contains, separates the two kinds of names
  return `${toolOutputPrefix}${readable}.${digest.slice(0, 24)}`;
}

/** Holds the text of a skill, by its digest. */
export function skillArtifact(sha256: string): string {
  return `skill-${sha256}.md`;
}
