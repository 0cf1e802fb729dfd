// The arguments of a tool call: the model's text is parsed as an object and checked against the tool's schema, or refused
// with a reason. Runs in Node, pure.
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { canonicalJson } from '../base/digest.ts';
import {
  type Json,
  type JsonObject,
  type JsonSchema,
  fieldsOf,
  isRecord,
  isTooDeep,
  maxJsonDepth,
  readJsonText,
} from '@holdfast/base/json';
import { compileSchema, describeFaults } from './schema-faults.ts';

export type ParsedArguments<Value> = { ok: true; value: Value } | { ok: false; reason: string };

/** Parses the JSON text. Blank text and null count as no arguments; an ambiguous text is refused. */
export function parseArgumentText(text: string): ParsedArguments<Json> {
  if (text.trim() === '') return { ok: true, value: {} };
  try {
    const value = readJsonText(text) ?? {};
    const reason = findInexactness(text);
    return reason === undefined ? { ok: true, value } : { ok: false, reason };
  } catch {
    const isOpen = text.trimStart().startsWith('{') && !text.trimEnd().endsWith('}');
    const cut = isOpen ? ', and end in the middle: the output limit may have cut them' : '';
    return {
      ok: false,
      reason: `the arguments are not valid JSON (${text.length} characters)${cut}. Send one JSON object, and no text beside it.`,
    };
  }
}

/** Arguments are named, so they must be an object. */
export function asArgumentObject(value: Json): ParsedArguments<JsonObject> {
  if (isTooDeep(value))
    return { ok: false, reason: `they are nested in more than ${maxJsonDepth} levels. Send them flatter.` };
  if (isRecord(value)) return { ok: true, value };
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

// Checks that a JSON text has one meaning: JSON.parse takes the last of two equal fields and rounds numbers, so the call
// would differ from the model's text. Runs in Node, pure, linear.
/** More digits than any exact number has. */
const maxNumberLength = 100;

/** The change that JSON.parse would make, in words; undefined for none. The text must be valid JSON. */
export function findInexactness(text: string): string | undefined {
  const fields: (Set<string> | undefined)[] = []; // of the open objects; arrays have none
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    const token = character === '"' ? stringAt(text, at) : (matchAt(number, text, at) ?? character);
    at += token.length;
    if (character === '{') fields.push(new Set());
    else if (character === '[') fields.push(undefined);
    else if (character === '}' || character === ']') fields.pop();
    else if (character === '"' && matchAt(colon, text, at) !== undefined) {
      const name: unknown = JSON.parse(token);
      if (fields.at(-1)?.has(String(name)))
        return `the field ${token} is there more than once. Send it once.`;
      fields.at(-1)?.add(String(name));
    } else if (/[-\d]/.test(character) && !isExact(token)) {
      return 'a number in the arguments has more digits than can be kept. Send it rounded, or as text where that is allowed.';
    }
  }
  return undefined;
}

const number = /-?\d[\d.eE+-]*/y;
const colon = /\s*:/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function stringAt(text: string, start: number): string {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return text.slice(start, end + 1);
}

/** 1.50 and 15e-1 are exact: only the notation differs. */
function isExact(literal: string): boolean {
  return literal.length <= maxNumberLength && digitsOf(literal) === digitsOf(String(Number(literal)));
}

function digitsOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept === ''
    ? '0'
    : `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

// Checks arguments against a tool's JSON Schema with Ajv: coerces ("3" to 3), fills defaults, and names the fields that
// fail. Runs in Node: Ajv compiles schemas to functions, which the sandbox forbids.
export type ArgumentValidator = (schema: JsonSchema, args: JsonObject) => ParsedArguments<JsonObject>;

/** Compiled schemas are cached by content: a run's specs come over the wire, so the objects differ every time. */
export function createArgumentValidator(): ArgumentValidator {
  const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });
  return (schema, args) => {
    const key = canonicalJson(schema);
    const validate = compiled.get(key) ?? compileSchema(schema, coercing);
    compiled.set(key, validate);
    const value = withoutEmptyOptionals(schema, structuredClone(args));
    if (validate(value)) return { ok: true, value };
    return { ok: false, reason: joinProblems(describeFaults(validate.errors ?? [], 'arguments')) };
  };
}

/** A ZodError, or any throw of a parser, in the same words as a schema failure. */
export function describeParseError(error: unknown): string {
  if (!(error instanceof z.ZodError))
    return error instanceof Error ? error.message : 'the parser refused them.';
  return joinProblems(
    error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${wordsOf(issue)}`),
  );
}

/** The schema author's message if there is one, and never the regular expression. */
function wordsOf(issue: z.core.$ZodIssue): string {
  const isPattern = issue.code === 'invalid_format' && issue.message.includes('must match pattern');
  return isPattern ? 'is not of the form that is expected' : issue.message;
}

const coercing = { coerceTypes: true, useDefaults: true };

// models send null for an unwanted field; coercion would turn it into "" or 0
function withoutEmptyOptionals(schema: JsonSchema, args: JsonObject): JsonObject {
  const properties = fieldsOf(schema['properties']);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const [name, value] of Object.entries(args)) {
    const property = properties[name];
    if (value === null && property !== undefined && !required.includes(name) && !allowsNull(property)) {
      delete args[name];
    }
  }
  return args;
}

function allowsNull(property: JsonSchema[string]): boolean {
  return JSON.stringify(property)?.includes('null') ?? true;
}

function joinProblems(problems: string[]): string {
  const unique = [...new Set(problems)];
  const shown = unique.slice(0, 8).join('; ');
  return unique.length > 8 ? `${shown}; and ${unique.length - 8} more.` : `${shown}.`;
}

// The beginnings of messages that refuse a malformed call before any gate. Preparation writes them; the report's gaps,
// which are about the world, leave such calls out.
export const invalidArgumentsPrefix = 'Invalid arguments for ';

export const cutOffText =
  'Not executed: the reply reached its length limit, so the arguments of this call may be cut off. Issue the call again.';

export const unknownToolPrefix = 'Unknown tool ';

export const rejectionPrefixes: readonly string[] = [invalidArgumentsPrefix, unknownToolPrefix, cutOffText];
