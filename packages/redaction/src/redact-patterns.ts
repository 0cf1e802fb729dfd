// Replaces what looks like a credential by a mark, in texts and in JSON. Pure: the values that a worker knows are in
// packages/redaction/src.
import type { Json, JsonObject } from '@holdfast/base/json';
import { mapValues } from '@holdfast/base/map-values';
import { passwordName } from './credential-names.ts';
import type { CredentialPattern } from './credential-pattern.ts';
import { credentialPatterns, unfinishedCredential } from './credential-patterns.ts';
import { isHarmless, type ValuePlace } from './harmless-values.ts';
import { mostKeyLines, privateKeys } from './private-key.ts';
import { insertedCells, tableCells } from './tables.ts';
import { entropyOf, tokenPatternsIn, unfinishedToken } from './token-patterns.ts';

/** No rule takes more of a text at once, whatever its pattern finds. */
const mostCharacters = { oneLine: 16_384, lines: 65_536 };

type Range = { from: number; to: number };

/** `find`: what it would take out of a text, in order. `lines`: the most at once, as a bound for whatever it finds. */
export type Rule = { kind: string; lines: number; find(text: string): Iterable<Range> };

export function redactPatterns(text: string): string {
  const found = new Set<string>();
  const clean = rulesFor(text).reduce((part, rule) => applyRule(part, rule, found), text);
  // a value that one line names may stand bare in the next
  return [...found].reduce((part, value) => part.replaceAll(value, '[redacted:password]'), clean);
}

/** Takes out only text that is a credential by its form: names such as `password` before a value count for nothing. */
export function redactTokens(text: string): string {
  return rulesFor(text)
    .filter(({ kind }) => !byName.has(kind))
    .reduce((part, rule) => applyRule(part, rule), text);
}

const byName = new Set(['password', 'cookie', 'key-lines']);

/** In the order in which they are applied. */
export function rulesFor(text: string): Rule[] {
  return [privateKeyRule, ...tokenPatternsIn(text).map(toRule), ...credentialRules, ...tableRules];
}

const privateKeyRule: Rule = { kind: 'private-key', lines: mostKeyLines, find: privateKeys };
const tableRules = [tableCells, insertedCells].map((find): Rule => ({ kind: 'password', lines: 1, find }));
const credentialRules = credentialPatterns.map(toRule);

/** Adds to `found` what is to be taken out elsewhere, too. */
function applyRule(text: string, rule: Rule, found?: Set<string>): string {
  let at = 0;
  let result = '';
  for (const { from, to } of takenBy(rule, text)) {
    const value = text.slice(from, to);
    if (found && found.size < mostRepeated && isUnmistakable(value)) found.add(value);
    result += text.slice(at, from) + markOf(rule.kind, value);
    at = to;
  }
  return at === 0 ? text : result + text.slice(at);
}

/** Values that are looked for again: each costs a pass over the text. */
const mostRepeated = 20;

/** Names of pods, words, numbers, addresses, paths, digests and times have other letters and signs. */
function isUnmistakable(value: string): boolean {
  return /^(?=.*[a-z])(?=.*\d)(?=.*[A-Z!#$%^&*+?~])[^\s/[\]@]{8,100}$/.test(value);
}

/** The ranges that a rule takes out of a text; each is within its bound. */
export function* takenBy(rule: Rule, text: string): Generator<Range> {
  for (const { from, to } of rule.find(text))
    yield { from, to: from + withinBound(text.slice(from, to), rule).length };
}

/** Characters that a rule takes at most at once. */
export function boundOf({ lines }: Rule): number {
  return lines === 1 ? mostCharacters.oneLine : mostCharacters.lines;
}

function withinBound(value: string, rule: Rule): string {
  const short = value.slice(0, boundOf(rule));
  return short.includes('\n') ? short.split('\n').slice(0, rule.lines).join('\n') : short;
}

function toRule(pattern: CredentialPattern): Rule {
  const { kind, lines = 1 } = pattern;
  return { kind, lines, find: (text) => findByPattern(pattern, text) };
}

function* findByPattern({ pattern, entropy = 0, unless }: CredentialPattern, text: string): Generator<Range> {
  for (const match of text.matchAll(pattern)) {
    const from = match.index + (match.groups?.keep?.length ?? 0);
    const value = text.slice(from, match.index + match[0].length);
    if (value === '' || isHarmless(toValuePlace(text, from, value)) || entropyOf(value) < entropy) continue;
    if (unless?.(value) === true) continue;
    yield { from, to: from + value.length };
  }
}

/** A reader has to know how many lines are missing. */
function markOf(kind: string, value: string): string {
  const lines = value.split('\n').length;
  return `[redacted:${kind}${lines === 1 ? '' : `, ${lines} lines`}]`;
}

/** Characters of the line that are checked on both sides of a value. */
const nearby = 160;

function toValuePlace(text: string, start: number, value: string): ValuePlace {
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

/** Removes the possible beginning of a credential at the end of a cut text. */
export function redactUnfinished(text: string): string {
  const split = Math.max(0, text.length - unfinishedLength);
  const end = text.slice(split);
  const mark = '[redacted:unfinished]';
  return text.slice(0, split) + end.replace(unfinishedCredential, mark).replace(unfinishedToken, mark);
}

/** Maps the strings and keys inside; a value behind the name of a credential becomes a mark. */
export function redactJson(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return mapList(value, map, (item) => redactJson(item, map));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [map(key), mapField(fieldName(key, value), item, map)]),
  );
}

/** Words of a command that tell what the next one is. */
const wordsBefore = 8;

/** In a list of arguments an option tells what the next item is. */
function mapList(list: Json[], map: (text: string) => string, other: (item: Json) => Json): Json[] {
  return list.map((item, at) => {
    const option = list[at - 1];
    if (
      typeof item !== 'string' ||
      typeof option !== 'string' ||
      ![option, item].some((each) => each.startsWith('-'))
    )
      return other(item);
    const before = list.slice(Math.max(0, at - wordsBefore), at).filter((each) => typeof each === 'string');
    const words = map(before.join(' '));
    const line = map(`${before.join(' ')} ${item}`);
    return line.startsWith(`${words} `) ? line.slice(words.length + 1) : other(item);
  });
}

// {"name": "DB_PASSWORD", "value": "..."}: here the field's name is a value itself
function fieldName(key: string, fields: JsonObject): string {
  if ('kty' in fields && /^(?:d|p|q|dp|dq|qi|k)$/.test(key)) return 'private_key'; // a JSON Web Key
  if (!/^(?:parameter)?value$/i.test(key)) return key;
  const name = Object.entries(fields).find(([each]) => /^(?:name|(?:parameter)?key)$/i.test(each))?.[1];
  return typeof name === 'string' ? name : key;
}

const isPasswordName = new RegExp(`${passwordName}$`, 'i');

// a password is recognised by the name before it, which in JSON is the key
function mapField(key: string, item: Json, map: (text: string) => string): Json {
  if (Array.isArray(item)) return mapList(item, map, (each) => mapField(key, each, map));
  if (isTyped(item)) return mapValues(item, (value) => mapField(key, value, map));
  if (typeof item !== 'string') return redactJson(item, map);
  if (isPasswordName.test(key)) {
    const isOpen = item === '' || isHarmless({ value: item, before: `${key}="`, after: '"' });
    return isOpen ? map(item) : '[redacted:password]';
  }
  const named = map(`${key}=${item}`);
  return named.startsWith(`${key}=`) ? named.slice(key.length + 1) : map(item);
}

/** OpenTelemetry: `{"stringValue": "..."}`, `{"arrayValue": {"values": [...]}}`. */
function isTyped(item: Json): item is JsonObject {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return false;
  const [field, ...others] = Object.keys(item);
  return others.length === 0 && /^(?:(?:string|bytes|array|kvlist)Value|values)$/.test(field ?? '');
}
