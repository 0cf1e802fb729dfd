// Takes secrets out of text before anything is kept: the worker's own secret values in their usual encodings,
// and what looks like a credential. Runs in Node, inside the activity: history cannot be edited afterwards.
import type { Json } from '../core/json.ts';
import { credentialPatterns } from './credential-patterns.ts';

export type Redactor = {
  text(text: string): string;
  /** From here on this value is known too: a key that came after the worker's start. */
  learn(secret: string): void;
  /** Strings and keys inside, after `clean`; everything else stays. */
  json(value: Json, clean?: (text: string) => string): Json;
};

/** Shorter values are words, and taking them out would spoil the evidence. */
const shortestSecret = 6;
/** Keys that live for an hour come for ever; of those learned the newest are kept. */
const learnedSecrets = 50;

/** `secrets` are the values that the worker itself holds: keys, passwords, tokens. */
export function createRedactor(secrets: readonly string[]): Redactor {
  let learned: string[] = [];
  let known = knownForms(secrets);
  const text = (input: string): string => redactPatterns(redactKnown(input, known));
  return {
    text,
    learn(secret) {
      if (known.includes(secret.trim())) return;
      learned = [...learned, secret].slice(-learnedSecrets);
      known = knownForms([...secrets, ...learned]);
    },
    json: (value, clean = (part) => part) => mapStrings(value, (part) => text(clean(part))),
  };
}

function redactKnown(text: string, known: readonly string[]): string {
  let result = text;
  for (const form of known) {
    if (result.includes(form)) result = result.replaceAll(form, '[redacted:secret]');
  }
  return result;
}

function redactPatterns(text: string): string {
  let result = text;
  for (const { kind, pattern } of credentialPatterns) {
    result = result.replace(pattern, (...parts) => `${keptPart(parts)}[redacted:${kind}]`);
  }
  return result;
}

// The last argument of a replacer holds the named groups, where the pattern has any.
function keptPart(parts: unknown[]): string {
  const groups = parts.at(-1);
  if (typeof groups !== 'object' || groups === null || !('keep' in groups)) return '';
  return typeof groups.keep === 'string' ? groups.keep : '';
}

// Longest first: a form that contains another must go as a whole.
function knownForms(secrets: readonly string[]): string[] {
  const forms = secrets
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [secret, ...urlForms(secret), ...base64Forms(secret), ...escapedForms(secret)]);
  return [...new Set(forms)].sort((left, right) => right.length - left.length);
}

function urlForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const lower = encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const strict = encoded.replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return [encoded, lower, strict, encoded.replaceAll('%20', '+')];
}

function escapedForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const xml = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return [json, xml, Buffer.from(secret, 'utf8').toString('hex')];
}

// Inside longer data (`user:secret` of Basic authentication) a value starts at one of three places of a base64
// group. The characters that also carry bits of the neighbours are left off.
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const whole = before === 0 ? 0 : before + 1;
    const end = (bytes.length + before) % 3 === 0 ? encoded.length : encoded.length - 1;
    const certain = encoded.slice(whole, end);
    return certain.length < 8 ? [] : [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function mapStrings(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapField(key, item, map)]));
}

// A password is known by the name before it, which in JSON is the key.
function mapField(key: string, item: Json, map: (text: string) => string): Json {
  if (typeof item !== 'string') return mapStrings(item, map);
  const named = map(`${key}=${item}`);
  return named.startsWith(`${key}=`) ? named.slice(key.length + 1) : map(item);
}
