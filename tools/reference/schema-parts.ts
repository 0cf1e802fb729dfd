// A JSON Schema as data, and its parts.

import { isRecord, type JsonRecord } from '@holdfast/base/json';

export type Schema = JsonRecord;

export function propertiesOf(schema: Schema): Record<string, Schema> {
  return isRecord(schema['properties']) ? (schema['properties'] as Record<string, Schema>) : {};
}

export function resolve(schema: Schema, root: Schema): Schema {
  const { $ref: reference, ...rest } = schema;
  if (typeof reference !== 'string') return schema;
  const definitions = root['$defs'];
  const found = isRecord(definitions) ? definitions[reference.replace('#/$defs/', '')] : undefined;
  if (!isRecord(found)) throw new Error(`${reference} leads nowhere`);
  return { ...resolve(found, root), ...rest };
}
