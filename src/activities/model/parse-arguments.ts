// The argument text of a model, read as an object or refused with what is wrong about it. Runs in Node, pure.
import type { Json, JsonObject } from '../../core/base/json.ts';
import { findInexactness } from './exact-json.ts';
import { isTooDeep, maxJsonDepth } from '../../core/base/json-depth.ts';

export type Parsed<Value> = { ok: true; value: Value } | { ok: false; reason: string };

/** Reads the JSON text as received. Blank text and null count as no arguments; what can be read two ways is refused. */
export function parseArgumentText(text: string): Parsed<Json> {
  if (text.trim() === '') return { ok: true, value: {} };
  try {
    const value = toJson(text) ?? {};
    const reason = findInexactness(text);
    return reason === undefined ? { ok: true, value } : { ok: false, reason };
  } catch {
    return {
      ok: false,
      reason: `the arguments are not valid JSON (${text.length} characters). Send one JSON object, and no text beside it.`,
    };
  }
}

/** Arguments are named: an object, and nothing else. */
export function asArgumentObject(value: Json): Parsed<JsonObject> {
  if (isTooDeep(value))
    return { ok: false, reason: `they are nested in more than ${maxJsonDepth} levels. Send them flatter.` };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, value };
  return { ok: false, reason: `expected a JSON object with named fields, got ${describeKind(value)}.` };
}

function describeKind(value: Json): string {
  if (Array.isArray(value)) return 'an array';
  if (value === null) return 'null';
  if (typeof value !== 'string') return `a ${typeof value}`;
  return value.trimStart().startsWith('{')
    ? 'a string that holds an object: the arguments were written as JSON twice'
    : 'a string';
}

// Wire data enters here: JSON.parse returns nothing but JSON.
function toJson(text: string): Json {
  return JSON.parse(text) as Json;
}
