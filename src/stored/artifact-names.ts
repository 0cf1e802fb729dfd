// The names of artifacts, and the reading side of their store: what activities, client and commands share. Runs in Node.
import { createHash } from 'node:crypto';
import { toolOutputPrefix } from '../core/model/outer-names.ts';

/** The reading side of an artifact store; the worker's stores fit. Undefined where there is no artifact of that name. */
export type ArtifactReader = {
  get(sessionId: string, artifactId: string): Promise<Uint8Array | undefined>;
};

/** Names under which tool outputs are kept; only these are evidence. */
export { toolOutputPrefix };

/** Every name that Holdfast chooses: letters, digits, `.`, `_` and `-`, at most 200, the first a letter or digit. */
export function isArtifactName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(name);
}

/** A name that every store takes, different for different call ids. */
export function toolOutputId(callId: string): string {
  const plain = /^[A-Za-z0-9_-]{1,120}$/.test(callId);
  if (plain) return `${toolOutputPrefix}${callId}`;
  const readable = callId.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
  const digest = createHash('sha256').update(callId).digest('hex');
  // A dot, which no plain name contains, keeps the two kinds of names apart.
  return `${toolOutputPrefix}${readable}.${digest.slice(0, 24)}`;
}
