// A JSON Schema as data, and its parts.

export type Schema = { [key: string]: unknown };

export function propertiesOf(schema: Schema): Record<string, Schema> {
  return isSchema(schema['properties']) ? (schema['properties'] as Record<string, Schema>) : {};
}

export function resolve(schema: Schema, root: Schema): Schema {
  const { $ref: reference, ...rest } = schema;
  if (typeof reference !== 'string') return schema;
  const definitions = root['$defs'];
  const found = isSchema(definitions) ? definitions[reference.replace('#/$defs/', '')] : undefined;
  if (!isSchema(found)) throw new Error(`${reference} leads nowhere`);
  return { ...resolve(found, root), ...rest };
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
