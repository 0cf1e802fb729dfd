// A wish for structured output: whether a vendor's strict form can keep it. Pure.
import type { Json } from '../../core/json.ts';

/** OpenAI wants a name; nothing depends on it. */
export const outputSchemaName = 'answer';

/** Strict forms refuse a schema with an open or an incomplete object; then the model is only asked to follow it. */
export function isStrictSchema(schema: Json): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  const { properties, required, additionalProperties } = schema;
  if (schema['type'] === 'object') {
    const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    const demanded = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !names.every((name) => demanded.includes(name))) return false;
  }
  return Object.values(schema).every(isStrictSchema);
}
