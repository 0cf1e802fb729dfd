// Plain JSON as a type, and small guards over values from outside for where no schema may go: the workflow bundle. Pure.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** JSON Schema as plain data; validated by Ajv in activities, sent to providers as it is. */
export type JsonSchema = JsonObject;

export type JsonRecord = Record<string, unknown>;
/** What a field must be, and its words for a message. */
export type Check = readonly [path: string, holds: (value: unknown) => boolean, expected: string];

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
export const isAmount = (value: unknown): value is number => Number.isFinite(value) && Number(value) >= 0;
export const isList = Array.isArray;
export function listOf(holds: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(holds);
}

/** The first field that is not what it must be, as `path: expected ...`; undefined where all are. */
export function firstProblem(value: JsonRecord, checks: readonly Check[]): string | undefined {
  const wrong = checks.find(([path, holds]) => !holds(fieldAt(value, path)));
  return wrong && `${wrong[0]}: expected ${wrong[2]}`;
}

function fieldAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((at: unknown, name) => (isRecord(at) ? at[name] : undefined), value);
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; code: string; reason: string };

/** Code that walks a value by recursion ends with an error where it is too deep. Far more levels than anybody means. */
export const maxJsonDepth = 200;

export function isTooDeep(value: Json, levels = maxJsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}
