// Checks arguments against a tool's JSON Schema with Ajv: coerces ("3" to 3), fills defaults, and names the
// fields that fail. Runs in Node: Ajv compiles schemas to functions, which the sandbox forbids.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { JsonObject, JsonSchema } from '../../core/base/json.ts';
import { canonicalJson } from '../context/digest.ts';
import type { Parsed } from './parse-arguments.ts';

export type ArgumentValidator = (schema: JsonSchema, args: JsonObject) => Parsed<JsonObject>;

/** Compiled schemas are kept by content: a run's specs come over the wire, so the objects differ every time. */
export function createArgumentValidator(): ArgumentValidator {
  const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });
  return (schema, args) => {
    const key = canonicalJson(schema);
    const validate = compiled.get(key) ?? compileSchema(schema);
    compiled.set(key, validate);
    const value = withoutEmptyOptionals(schema, structuredClone(args));
    if (validate(value)) return { ok: true, value };
    return { ok: false, reason: describeErrors(validate.errors ?? []) };
  };
}

/** A ZodError (or any throw of a parser) in the same words as a schema failure. */
export function describeParseError(error: unknown): string {
  if (!(error instanceof z.ZodError))
    return error instanceof Error ? error.message : 'the parser refused them.';
  return joinProblems(
    error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`),
  );
}

// An instance of its own per schema: Ajv keeps every schema that it has seen.
function compileSchema(schema: JsonSchema): ValidateFunction {
  return new Ajv2020({
    allErrors: true,
    coerceTypes: true,
    useDefaults: true,
    strict: false,
    validateFormats: false,
    addUsedSchema: false,
  }).compile(schema);
}

// Models send null for a field they do not want; coercion would turn it into "" or 0.
function withoutEmptyOptionals(schema: JsonSchema, args: JsonObject): JsonObject {
  const properties = asObject(schema['properties']);
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

function asObject(value: JsonSchema[string] | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function describeErrors(errors: ErrorObject[]): string {
  return joinProblems(errors.map(describeError));
}

// Names fields and rules, never values: what the model sent may hold a secret.
function describeError(error: ErrorObject): string {
  const field = error.instancePath.slice(1).replaceAll('/', '.') || 'arguments';
  const { missingProperty, additionalProperty, allowedValues } = error.params;
  if (typeof missingProperty === 'string') return `${within(error)}${missingProperty}: required, but missing`;
  if (typeof additionalProperty === 'string') return `${within(error)}${additionalProperty}: unknown field`;
  if (Array.isArray(allowedValues)) return `${field}: must be one of ${allowedValues.join(', ')}`;
  return `${field}: ${error.message ?? 'is not valid'}`;
}

function within(error: ErrorObject): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  return path === '' ? '' : `${path}.`;
}

function joinProblems(problems: string[]): string {
  const unique = [...new Set(problems)];
  const shown = unique.slice(0, 8).join('; ');
  return unique.length > 8 ? `${shown}; and ${unique.length - 8} more.` : `${shown}.`;
}
