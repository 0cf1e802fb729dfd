// Removes secrets from text before anything is kept: the worker's own secret values in their usual encodings, and
// anything that looks like a credential. Runs in Node, inside the activity, because history cannot be edited afterwards.
import type { Json, JsonObject } from '../../core/base/json.ts';
import { shortestSecret } from './known-forms.ts';
import { KnownSecrets } from './known-secrets.ts';
import { credentialPatterns, unfinishedCredential } from './credential-patterns.ts';
import { entropyOf, tokenPatternsIn, unfinishedToken } from './token-patterns.ts';
import { passwordName } from './credential-names.ts';
import { isHarmless, type Place } from './harmless-values.ts';

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
    json: (value, clean = (part) => part) => mapStrings(value, (part) => text(clean(part))),
  };
}

function redactPatterns(text: string): string {
  let result = text;
  for (const { kind, pattern, entropy = 0 } of [...tokenPatternsIn(text), ...credentialPatterns]) {
    result = result.replace(pattern, (found: string, ...parts) => {
      const kept = keptPart(parts);
      const value = found.slice(kept.length);
      const isNone = value === '' || isHarmless(placeOf(value, kept, parts)) || entropyOf(value) < entropy;
      return isNone ? found : `${kept}[redacted:${kind}]`;
    });
  }
  return result;
}

/** Characters of the line that are checked on both sides of a value. */
const nearby = 160;

// a replacer's last arguments: the offset, the text, and the named groups if the pattern has any
function placeOf(value: string, kept: string, parts: unknown[]): Place {
  const numberAt = parts.findLastIndex((part) => typeof part === 'number');
  const [offset, text] = [Number(parts[numberAt]), String(parts[numberAt + 1])];
  const start = offset + kept.length;
  const next = text.slice(start + value.length, start + value.length + nearby);
  const lineEnd = next.search(/[\r\n]/);
  const rest = lineEnd < 0 ? next : next.slice(0, lineEnd);
  // the brackets after a value may be its own
  const closing = /^[)\]}>]{1,9}/.exec(rest)?.[0] ?? '';
  return {
    value: value + closing,
    get before() {
      const before = text.slice(Math.max(0, start - nearby), start);
      return before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1);
    },
    after: rest.slice(closing.length),
  };
}

/** Covers the longest tokens; looking further back costs time. */
const unfinishedLength = 16_384;

function redactUnfinished(text: string): string {
  const split = Math.max(0, text.length - unfinishedLength);
  const end = text.slice(split);
  const mark = '[redacted:unfinished]';
  return text.slice(0, split) + end.replace(unfinishedCredential, mark).replace(unfinishedToken, mark);
}

// a replacer's last argument holds the named groups if the pattern has any
function keptPart(parts: unknown[]): string {
  const groups = parts.at(-1);
  if (typeof groups !== 'object' || groups === null || !('keep' in groups)) return '';
  return typeof groups.keep === 'string' ? groups.keep : '';
}

function mapStrings(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [map(key), mapField(fieldName(key, value), item, map)]),
  );
}

// {"name": "DB_PASSWORD", "value": "..."}: here the field's name is a value itself
function fieldName(key: string, { name }: JsonObject): string {
  return key === 'value' && typeof name === 'string' ? name : key;
}

const isPasswordName = new RegExp(`${passwordName}$`, 'i');

// a password is recognised by the name before it, which in JSON is the key
function mapField(key: string, item: Json, map: (text: string) => string): Json {
  if (Array.isArray(item)) return item.map((each) => mapField(key, each, map));
  if (typeof item !== 'string') return mapStrings(item, map);
  if (isPasswordName.test(key)) {
    const isOpen = item === '' || isHarmless({ value: item, before: `${key}="`, after: '"' });
    return isOpen ? map(item) : '[redacted:password]';
  }
  const named = map(`${key}=${item}`);
  return named.startsWith(`${key}=`) ? named.slice(key.length + 1) : map(item);
}
