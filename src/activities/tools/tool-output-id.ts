// The name under which the full output of a tool call is stored, and by which a quote of it is checked.
import { toolOutputPrefix } from '../storage/artifact-store.ts';
import { sha256Hex } from '../context/digest.ts';

/** A name that every store takes, different for different call ids. */
export function toolOutputId(callId: string): string {
  const plain = /^[A-Za-z0-9_-]{1,120}$/.test(callId);
  if (plain) return `${toolOutputPrefix}${callId}`;
  const readable = callId.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
  // A dot, which no plain name contains, keeps the two kinds of names apart.
  return `${toolOutputPrefix}${readable}.${sha256Hex(callId).slice(0, 24)}`;
}
