// Removes secrets from text before anything is kept: the worker's own secret values in their usual encodings, and
// anything that looks like a credential. Runs in Node, inside the activity, because history cannot be edited afterwards.
import type { Json } from '@holdfast/base/json';
import { shortestSecret } from './known-forms.ts';
import { KnownSecrets } from './known-secrets.ts';
import { redactJson, redactPatterns, redactUnfinished } from './redact-patterns.ts';

export type Redactor = {
  text(text: string): string;
  /** Like `text`, for a text cut at its end: also removes the possible beginning of a secret there. */
  cutText(text: string): string;
  /**
   * Adds a value that came after the worker's start. With the name of a configured secret it stays known, beside the
   * name's last values. Without a name, newer values displace it.
   */
  learn(secret: string, name?: string): void;
  /** Cleans the strings and keys inside, after `clean`; everything else stays. */
  json(value: Json, clean?: (text: string) => string): Json;
};

/** Hourly keys would add up for ever, so only the newest are kept. */
const learnedSecrets = 50;
/** Values kept for one configured secret: after a rotation the old value is in use for a while. */
const valuesOfName = 3;

/** `secrets` are the values that the worker itself holds: keys, passwords, tokens. */
export function createRedactor(secrets: readonly string[]): Redactor {
  let learned: string[] = [];
  const named = new Map<string, string[]>();
  let known = new KnownSecrets(secrets);
  const text = (input: string): string => redactPatterns(known.redact(input));
  return {
    text,
    cutText: (input) => redactUnfinished(redactPatterns(known.redact(input, true))),
    learn(secret, name) {
      const before = name === undefined ? learned : (named.get(name) ?? []);
      // a value too short to match would displace another, at every request
      if (secret.trim().length < shortestSecret || before.includes(secret)) return;
      if (name !== undefined) named.set(name, [...before, secret].slice(-valuesOfName));
      else if (!known.has(secret.trim())) learned = [...before, secret].slice(-learnedSecrets);
      known = new KnownSecrets([...secrets, ...learned, ...[...named.values()].flat()]);
    },
    json: (value, clean = (part) => part) => redactJson(value, (part) => text(clean(part))),
  };
}
