// Takes secrets out of text before anything is kept: the worker's own secret values in their usual encodings,
// and what looks like a credential. Runs in Node, inside the activity: history cannot be edited afterwards.
import type { Json, JsonObject } from '../../core/base/json.ts';
import { credentialPatterns, isPlaceholder, unfinishedCredential } from './credential-patterns.ts';

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

/** Shorter values are words, and taking them out would spoil the evidence. */
export const shortestSecret = 6;
/** Keys that live for an hour come for ever; of those learned the newest are kept. */
const learnedSecrets = 50;
/** Of one configured secret: after a rotation the value before is still in use for a while. */
const valuesOfName = 3;

/** `secrets` are the values that the worker itself holds: keys, passwords, tokens. */
export function createRedactor(secrets: readonly string[]): Redactor {
  let learned: string[] = [];
  const named = new Map<string, string[]>();
  let known = knownForms(secrets);
  const text = (input: string): string => redactPatterns(redactKnown(input, known));
  return {
    text,
    cutText: (input) => redactUnfinished(redactPatterns(redactBeginning(redactKnown(input, known), known))),
    learn(secret, name) {
      const before = name === undefined ? learned : (named.get(name) ?? []);
      // one too short to be looked for would take the place of another, at every request
      if (secret.trim().length < shortestSecret || before.includes(secret)) return;
      if (name !== undefined) named.set(name, [...before, secret].slice(-valuesOfName));
      else if (!known.includes(secret.trim())) learned = [...before, secret].slice(-learnedSecrets);
      known = knownForms([...secrets, ...learned, ...[...named.values()].flat()]);
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
    result = result.replace(pattern, (found: string, ...parts) => {
      const kept = keptPart(parts);
      const value = found.slice(kept.length);
      return value === '' || isPlaceholder(value) ? found : `${kept}[redacted:${kind}]`;
    });
  }
  return result;
}

/** Fewer characters of a secret tell too little, and are often the beginning of a word. */
const shortestBeginning = 8;

// Of a known secret that is cut off by the end of the text.
function redactBeginning(text: string, known: readonly string[]): string {
  for (const form of known) {
    const beginning = form.slice(0, shortestBeginning);
    const tail = Math.max(0, text.length - form.length);
    for (let at = text.indexOf(beginning, tail); at >= 0; at = text.indexOf(beginning, at + 1)) {
      if (form.startsWith(text.slice(at))) return `${text.slice(0, at)}[redacted:secret]`;
    }
  }
  return text;
}

/** The longest tokens are of this length; looking further back costs time. */
const unfinishedLength = 16_384;

function redactUnfinished(text: string): string {
  const split = Math.max(0, text.length - unfinishedLength);
  return text.slice(0, split) + text.slice(split).replace(unfinishedCredential, '[redacted:unfinished]');
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
    .flatMap((secret) => [secret.trim(), ...linesOf(secret)])
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [secret, ...urlForms(secret), ...base64Forms(secret), ...escapedForms(secret)]);
  return [...new Set(forms)].sort((left, right) => right.length - left.length);
}

/** A shorter line of a longer value may be a word. */
const shortestLine = 20;

/** Of a value of several lines, such as a key: search tools show them one by one. Its frame is no secret. */
function linesOf(secret: string): string[] {
  const lines = secret.trim().split(/\r?\n/);
  if (lines.length === 1) return [];
  return lines
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestLine && !line.startsWith('-----'));
}

function urlForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const lower = encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const strict = encoded.replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  // as forms and Java write it: blanks as +, and all but letters, digits and *-._ escaped
  const form = strict.replaceAll('%20', '+').replaceAll('%2A', '*').replaceAll('~', '%7E');
  // as it appears in a path or query that somebody has escaped only where it was needed
  const lenient = encodeURI(secret.toWellFormed());
  return [encoded, lower, strict, encoded.replaceAll('%20', '+'), form, lenient];
}

function escapedForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const xml = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  // Go escapes these three in JSON, PHP the slash, and a JSON text inside JSON is escaped twice
  const goJson = json.replaceAll(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
  const slashed = json.replaceAll('/', String.raw`\/`);
  const twice = JSON.stringify(json).slice(1, -1);
  const apostrophes = ['&apos;', '&#39;', '&#x27;'].map((entity) => xml.replaceAll("'", entity));
  const hex = Buffer.from(secret, 'utf8').toString('hex');
  return [json, goJson, slashed, twice, xml, ...apostrophes, hex, hex.toUpperCase()];
}

/** Of the shortest secret, wherever it begins. */
const shortestBase64 = 7;

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
    return certain.length < shortestBase64
      ? []
      : [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
  });
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

// A password is known by the name before it, which in JSON is the key.
function mapField(key: string, item: Json, map: (text: string) => string): Json {
  if (typeof item !== 'string') return mapStrings(item, map);
  const named = map(`${key}=${item}`);
  return named.startsWith(`${key}=`) ? named.slice(key.length + 1) : map(item);
}
