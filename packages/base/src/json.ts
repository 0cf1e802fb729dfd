// Plain JSON as a type, and small guards for values from outside. For code in the workflow bundle, which must not load
// schemas. Pure.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** JSON Schema as plain data; activities validate it with Ajv, and providers get it unchanged. */
export type JsonSchema = JsonObject;

export type JsonRecord = Record<string, unknown>;
/** One requirement on a field, with its words for a message. */
export type FieldCheck = readonly [path: string, holds: Holds, expected: string];

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** For taking fields out of a value from outside: anything but an object has none. */
export function fieldsOf(value: Json | undefined): JsonObject;
export function fieldsOf(value: unknown): JsonRecord;
export function fieldsOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
export const isAmount = (value: unknown): value is number => Number.isFinite(value) && Number(value) >= 0;
export const isList = Array.isArray;
export type Holds = (value: unknown) => boolean;
export function listOf(holds: Holds): Holds {
  return (value) => Array.isArray(value) && value.every(holds);
}
export function oneOf(...texts: string[]): Holds {
  return (value) => texts.some((text) => text === value);
}
export function optional(holds: Holds): Holds {
  return (value) => value === undefined || holds(value);
}
/** Other fields are not looked at. */
export function objectOf<Type = JsonRecord>(fields: {
  [Name in keyof Type]?: Holds;
}): (value: unknown) => value is Type {
  const checks = Object.entries<Holds | undefined>(fields);
  return (value): value is Type => isRecord(value) && checks.every(([name, holds]) => holds?.(value[name]));
}

/** The first field that fails its check, as `path: expected ...`; undefined if all pass. */
export function firstProblem(value: JsonRecord, checks: readonly FieldCheck[]): string | undefined {
  const wrong = checks.find(([path, holds]) => !holds(fieldAt(value, path)));
  return wrong && `${wrong[0]}: expected ${wrong[2]}`;
}

function fieldAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((at: unknown, name) => (isRecord(at) ? at[name] : undefined), value);
}

/** Throws a SyntaxError for a text that is no JSON. */
export function readJsonText(text: string): Json {
  return JSON.parse(text);
}

/** Undefined for a text that is no JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return readJsonText(text);
  } catch {
    return undefined;
  }
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; code: string; reason: string };
export type Refused = Extract<Parsed<never>, { ok: false }>;

export function refuse(code: string, reason: string): Refused {
  return { ok: false, code, reason };
}

/** A reader for what a guard accepts; anything else is refused as `Input.Invalid`, for this reason. */
export function inputReader<T>(holds: (value: unknown) => value is T, reason: string) {
  return (value: unknown): Parsed<T> =>
    holds(value) ? { ok: true, value } : refuse('Input.Invalid', reason);
}

/** Limit for values that code walks by recursion; a deeper value is an error. Real values have far fewer levels. */
export const maxJsonDepth = 200;

export function isTooDeep(value: unknown, levels = maxJsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}
