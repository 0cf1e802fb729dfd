// Corrects the form of a model's report if the meaning is certain: JSON in a text, one item in place of a list, a word in
// capitals, a field of another spelling. Fields without a place are dropped, and named. Follows the schema of the input,
// which refuses the remaining faults. Runs in Node, pure.
import { z } from 'zod';
import { defined } from '@holdfast/base/defined';
import { type Json, type JsonObject, isRecord, parseJson } from '@holdfast/base/json';
import { mapValues } from '@holdfast/base/map-values';
import { omit } from '@holdfast/base/omit';
import { cutText } from '@holdfast/base/cut-text';
import { type Quote, reportInput } from './report-input.ts';

const form = z.toJSONSchema(reportInput, { io: 'input' }) as unknown as Form;

/** The parts of JSON Schema that the form of a report uses. */
type Form = {
  type?: string;
  anyOf?: Form[];
  enum?: string[];
  items?: Form;
  properties?: Record<string, Form>;
  required?: string[];
  maxLength?: number;
  maxItems?: number;
};

/** `leftOut`: the fields without a place. `leftOutQuotes`: the quotes in what was too much, and those that were cut, whole. */
export type Repaired = { value: Json; leftOut: string[]; leftOutQuotes: Quote[] };

export function repairReport(raw: Json): Repaired {
  const leftOut = new Set<string>();
  const given = unwrapped(raw);
  const value = repair(form, given, '', leftOut) ?? raw;
  if (leftOut.size === 0) return { value, leftOut: [], leftOutQuotes: [] };
  const kept = new Set(quotesIn(value).map(keyOf));
  const all = quotesIn(repair(withoutLimits(form), given, '', new Set()) ?? raw);
  const leftOutQuotes = all.filter((quote) => !kept.has(keyOf(quote)));
  return { value, leftOut: [...leftOut], leftOutQuotes };
}

function withoutLimits(wanted: Form): Form {
  const { anyOf, items, properties } = wanted;
  return {
    ...omit(wanted, 'maxItems', 'maxLength'),
    ...defined({
      anyOf: anyOf?.map(withoutLimits),
      items: items && withoutLimits(items),
      properties: properties && mapValues(properties, withoutLimits),
    }),
  };
}

function quotesIn(value: Json | undefined): Quote[] {
  if (Array.isArray(value)) return value.flatMap(quotesIn);
  if (!isRecord(value)) return [];
  const { callId, quote } = value;
  const own = typeof callId === 'string' && typeof quote === 'string' ? [{ callId, quote }] : [];
  return [...own, ...Object.values(value).flatMap(quotesIn)];
}

function keyOf({ callId, quote }: Quote): string {
  return JSON.stringify([callId, quote]);
}

/** The whole report in one field of another name: `{report: {...}}`. */
function unwrapped(raw: Json): Json {
  if (!isRecord(raw) || isReport(raw)) return raw;
  const parts = Object.values(raw).map((value) => inText(value) ?? value);
  const [inner, ...others] = parts.filter(isReport);
  return inner !== undefined && others.length === 0 ? inner : raw;
}

function isReport(value: Json): boolean {
  const names = Object.keys(form.properties ?? {}).map(lettersOf);
  return isRecord(value) && Object.keys(value).some((name) => names.includes(lettersOf(name)));
}

type Repair = (form: Form, value: Json, place: string, leftOut: Set<string>) => Json | undefined;

/** Undefined for an empty value. `place` is a field such as `claims.quotes.callId`; '' is the report itself. */
const repair: Repair = (wanted, value, place, leftOut) => {
  if (value === null) return undefined;
  if (wanted.anyOf) return repairChoice(wanted.anyOf, value, place, leftOut);
  if (wanted.enum) return toWord(wanted.enum, value);
  if (wanted.type === 'array') return repairList(wanted, value, place, leftOut);
  if (wanted.type === 'object') return repairObject(wanted, value, place, leftOut);
  return wanted.type === 'string' ? repairText(wanted, value, place, leftOut) : value;
};

/** Plain words may stay words if the form has a choice. */
function repairChoice(choices: Form[], value: Json, place: string, leftOut: Set<string>): Json | undefined {
  const given = inText(value) ?? value;
  const type = isRecord(given) ? 'object' : 'string';
  const choice = choices.find((each) => each.type === type);
  return choice ? repair(choice, given, place, leftOut) : given;
}

function toWord(words: readonly string[], value: Json): Json {
  const given = value === true ? 'yes' : value === false ? 'no' : value;
  if (typeof given !== 'string') return value;
  const plain = lettersOf(given);
  return words.find((word) => lettersOf(word) === plain) ?? value;
}

function repairList(wanted: Form, value: Json, place: string, leftOut: Set<string>): Json {
  const given = inText(value) ?? value;
  const items = Array.isArray(given) ? given : given === '' ? [] : [given];
  const { items: form = {}, maxItems = Infinity } = wanted;
  if (items.length > maxItems) leftOut.add(`${place} after the first ${maxItems}`);
  return items
    .slice(0, maxItems)
    .flatMap((item) => repair(form, item, place, leftOut) ?? [])
    .filter((item) => item !== '');
}

function repairObject(wanted: Form, value: Json, place: string, leftOut: Set<string>): Json {
  const given = inText(value) ?? value;
  const { properties = {}, required = [] } = wanted;
  // words in place of an object become its main field
  const main = required.find((name) => mainFields.has(name)) ?? required[0] ?? '';
  const object = place !== '' && typeof given === 'string' ? { [main]: given } : given;
  if (!isRecord(object)) return object;
  const named = byOwnNames(object, Object.keys(properties), place, leftOut);
  const repaired: JsonObject = {};
  for (const [name, part] of Object.entries(properties)) {
    const inner = place === '' ? name : `${place}.${name}`;
    const isOwed = required.includes(name);
    const item = named[name] === undefined ? undefined : repair(part, named[name], inner, leftOut);
    // a word that the form does not have: required at the top, dropped elsewhere
    const isDropped = isWrongWord(part, item) && !(isOwed && place === '');
    if (isDropped) leftOut.add(inner);
    const whole = (isDropped ? undefined : item) ?? (isOwed && place !== '' ? unsaid(part) : undefined);
    if (whole !== undefined) repaired[name] = whole;
  }
  return repaired;
}

const mainFields: ReadonlySet<string> = new Set(['text', 'event', 'quote', 'who']);

function isWrongWord({ enum: words }: Form, item: Json | undefined): boolean {
  return words !== undefined && item !== undefined && !words.some((word) => word === item);
}

/** The value for a missing required part inside another part. */
function unsaid({ type, enum: words }: Form): Json | undefined {
  if (type === 'array') return [];
  if (words) return words.includes('unknown') ? 'unknown' : undefined;
  return type === 'string' ? 'unknown' : undefined;
}

function repairText(wanted: Form, value: Json, place: string, leftOut: Set<string>): Json | undefined {
  const isLines = Array.isArray(value) && value.length > 0 && value.every((line) => typeof line === 'string');
  const text = isLines ? value.join('\n') : value;
  if (typeof text !== 'string') return value;
  if (text.trim() === '') return place.includes('.') || place === 'gaps' ? undefined : text;
  const { maxLength = Infinity } = wanted;
  if (text.length <= maxLength) return text;
  leftOut.add(`the end of ${place}`);
  // a part of a quote is still a quote
  return cutText(text, maxLength, '');
}

/** A field may be spelled `root_cause` or `CallId`. */
function byOwnNames(
  object: JsonObject,
  names: readonly string[],
  place: string,
  leftOut: Set<string>,
): JsonObject {
  const named: JsonObject = {};
  for (const [given, value] of Object.entries(object)) {
    const name = names.find((each) => lettersOf(each) === lettersOf(given));
    const isTaken = name !== undefined && name !== given && object[name] !== undefined;
    if (name !== undefined && !isTaken) named[name] = value;
    else leftOut.add(place === '' ? given.slice(0, 100) : `${place}.${given.slice(0, 100)}`);
  }
  return named;
}

function lettersOf(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** A list or an object that was encoded as JSON twice. */
function inText(value: Json): Json | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
  return parseJson(value);
}
