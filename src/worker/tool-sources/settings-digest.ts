// A digest of the settings of a toolset or an MCP server, so that a run meets the same ones on every worker.
import { canonicalJson, digestOf } from '../../activities/base/digest.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { secretReferences } from '../../activities/secrets/references.ts';
import { mayHoldSecret } from '../literal-secrets.ts';

const patterns = createRedactor([]);

/** Names that end in such a word hold a secret. `keyspace` or `tokenUrl` only may, and they decide where a tool reaches. */
const holdsSecret =
  /(?:auth|authorization|token|secret|passw(?:or)?d|passphrase|pwd|credentials?|cookie|session(?:_?id)?|key)$/i;

/** A reference to a secret counts as the reference. A secret that is written into the config does not count. */
export function settingsDigest(settings: object): string {
  return digestOf(JSON.parse(canonicalJson(settings), counted));
}

function counted(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const references = secretReferences(value);
  // beside the text, where a reference may look like a credential
  if (references.length > 0) return [patterns.text(value), ...references];
  if (holdsSecret.test(name)) return '[secret]';
  // twelve bits tell two values apart, and are too few to guess a value by
  if (mayHoldSecret(name)) return digestOf(value).slice(0, 3);
  return patterns.text(withoutPassword(value));
}

/** For a URL such as `postgres://app:password@db/shop`. */
export function withoutPassword(value: string): string {
  const url = URL.parse(value);
  if (!url?.password) return value;
  url.password = '';
  return url.href;
}
