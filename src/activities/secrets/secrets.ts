// Secrets by reference: settings contain `secret://name`, and an activity reads the value when it uses the setting. No
// value enters a workflow, and the redactor learns each one before it is returned. Runs in Node.
import { messageOf } from '@holdfast/base/message-of';
import { LRUCache } from 'lru-cache';
import { shortestSecret } from '@holdfast/redaction/known-forms';
import { splitReferences } from './references.ts';
import { readSource, type SecretSource, type SourceDeps } from './sources.ts';

export type Secrets = {
  /** The text with values in place of its references. Rejects with a SecretError for a reference without a value. */
  resolve(text: string): Promise<string>;
};

export type SecretsDeps = SourceDeps & {
  /** Removes the value from every output from now on. */
  learn(value: string, name: string): void;
  /** Default 60 s. */
  keepMs?: number;
};

/** A secret that cannot be resolved. The message has its name, never its value. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/** A value that could be a word cannot be removed from outputs. */
const tooShort = `it is shorter than ${shortestSecret} characters, and could not be kept out of outputs`;

/** The time until a value is read again, which finds a rotated one. */
const keepMs = 60_000;

export function createSecrets(settings: Readonly<Record<string, SecretSource>>, deps: SecretsDeps): Secrets {
  const sources = new Map(Object.entries(settings));
  // one that failed is read again at its next use; one that makes room for another still gives its value
  const values = new LRUCache<string, string>({
    max: Math.max(1, sources.size),
    ttl: deps.keepMs ?? keepMs,
    fetchMethod: read,
    ignoreFetchAbort: true,
  });

  async function read(name: string): Promise<string> {
    const source = sources.get(name);
    if (!source) throw new SecretError(describeUnknownSecret(name, [...sources.keys()]));
    try {
      const value = await readSource(source, deps);
      if (value.trim().length < shortestSecret) throw new Error(tooShort);
      deps.learn(value, name);
      return value;
    } catch (error) {
      const reason = messageOf(error);
      throw new SecretError(`The secret "${name}" has no value: ${reason}.`);
    }
  }

  async function resolve(text: string): Promise<string> {
    const pieces = splitReferences(text);
    const parts = await Promise.all(
      pieces.map((piece) => ('name' in piece ? values.forceFetch(piece.name) : Promise.resolve(piece.text))),
    );
    return parts.join('');
  }

  return { resolve };
}

/** For a reference to a secret that the config does not have. */
export function describeUnknownSecret(name: string, known: readonly string[]): string {
  const there = known.length === 0 ? 'the config has no "secrets"' : `expected one of ${known.join(', ')}`;
  return `There is no secret "${name}", which secret://${name} names: ${there}.`;
}
