// A wish for structured output: whether a vendor's strict form can keep it. Pure.
import type { Json, JsonObject } from '../../../core/base/json.ts';

/** OpenAI wants a name; nothing depends on it. */
export const outputSchemaName = 'answer';

/** Strict forms want an object whose objects are all closed and complete; else the model is only asked to follow it. */
export function isStrictSchema(schema: JsonObject): boolean {
  return schema['type'] === 'object' && isClosed(schema);
}

function isClosed(schema: Json): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  if (Array.isArray(schema)) return schema.every(isClosed);
  const { properties, required, additionalProperties } = schema;
  if (isObjectSchema(schema)) {
    const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    const demanded = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !names.every((name) => demanded.includes(name))) return false;
  }
  return Object.values(schema).every(isClosed);
}

/** `type` may be a list: an object or null. */
function isObjectSchema({ type }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** Anthropic refuses an open object: what may have further fields gets none. A map of values stays what it is. */
export function closeSchema(schema: JsonObject): JsonObject {
  const closed = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closeWithin(value)]),
  );
  const { additionalProperties = true } = schema;
  return isObjectSchema(schema) && additionalProperties === true
    ? { ...closed, additionalProperties: false }
    : closed;
}

function closeWithin(value: Json): Json {
  if (Array.isArray(value)) return value.map(closeWithin);
  return typeof value === 'object' && value !== null ? closeSchema(value) : value;
}
