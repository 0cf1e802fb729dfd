// Takes secrets out of text before anything is kept: the worker's own secret values in their usual encodings,
// and what looks like a credential. Runs in Node, inside the activity: history cannot be edited afterwards.
import type { Json, JsonObject } from '../../core/base/json.ts';
import { shortestSecret } from './known-forms.ts';
import { KnownSecrets } from './known-secrets.ts';
import { credentialPatterns, unfinishedCredential } from './credential-patterns.ts';
import { entropyOf, tokenPatternsIn, unfinishedToken } from './token-patterns.ts';
import { passwordName } from './credential-names.ts';
import { isHarmless, type Place } from './harmless-values.ts';

export type Redactor = {
  text(text: string): string;
  /** As `text`, for one that was cut at its end: the possible beginning of a secret there is removed too. */
  cutText(text: string): string;
  /**
   * From here on this value is known too: a key that came after the worker's start. With the name of a configured secret
   * it stays known, beside the values that the name had just before: only unnamed values make room for newer ones.
   */
  learn(secret: string, name?: string): void;
  /** Strings and keys inside, after `clean`; everything else stays. */
  json(value: Json, clean?: (text: string) => string): Json;
};

/** Keys that live for an hour come for ever; of those learned the newest are kept. */
const learnedSecrets = 50;
/** Of one configured secret: after a rotation the value before is still in use for a while. */
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
      // one too short to be looked for would take the place of another, at every request
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

/** So much of its line is looked at on both sides of a value. */
const nearby = 160;

// The last arguments of a replacer: where it was found, the text, and the named groups, where the pattern has any.
function placeOf(value: string, kept: string, parts: unknown[]): Place {
  const numberAt = parts.findLastIndex((part) => typeof part === 'number');
  const [offset, text] = [Number(parts[numberAt]), String(parts[numberAt + 1])];
  const start = offset + kept.length;
  const next = text.slice(start + value.length, start + value.length + nearby);
  const lineEnd = next.search(/[\r\n]/);
  const rest = lineEnd < 0 ? next : next.slice(0, lineEnd);
  // the brackets behind a value may be its own
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

/** The longest tokens are of this length; looking further back costs time. */
const unfinishedLength = 16_384;

function redactUnfinished(text: string): string {
  const split = Math.max(0, text.length - unfinishedLength);
  const end = text.slice(split);
  const mark = '[redacted:unfinished]';
  return text.slice(0, split) + end.replace(unfinishedCredential, mark).replace(unfinishedToken, mark);
}

// The last argument of a replacer holds the named groups, where the pattern has any.
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

// {"name": "DB_PASSWORD", "value": "..."}: there the field's name is a value itself.
function fieldName(key: string, { name }: JsonObject): string {
  return key === 'value' && typeof name === 'string' ? name : key;
}

const isPasswordName = new RegExp(`${passwordName}$`, 'i');

// A password is known by the name before it, which in JSON is the key.
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
