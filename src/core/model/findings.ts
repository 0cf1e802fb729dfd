// What the agent has pinned: state of the session, so no summary and no hand-over can lose it (COND-23). Pure.
import { findingsBytes, utf8Bytes } from '../base/sizes.ts';

export type Finding = { id: string; text: string; callId: string };

/** Room for further texts, in UTF-8 bytes. */
export function findingBytesLeft(findings: readonly Finding[]): number {
  return findings.reduce((left, { text }) => left - utf8Bytes(text), findingsBytes);
}
