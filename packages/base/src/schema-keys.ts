// The keys that a schema takes at a path, for a hint about an unknown key. Pure; not for the workflow bundle.
import { z } from 'zod';

type Schema = z.core.$ZodType;

/** A field that is taken and not used (LOOP-25); no hint leads to it. */
export const ignoredField = z.json().exactOptional().describe('Ignored.');

export function keysAt(schema: Schema, path: readonly PropertyKey[]): string[] {
  return shapesAt(schema, path).flatMap(namesOf);
}

/** The keys of a group of options: an object in which nothing is required. */
export function optionsAt(schema: Schema, path: readonly PropertyKey[]): string[] {
  const isOption = (field: Schema) => field._zod.optin === 'optional';
  return shapesAt(schema, path)
    .filter((shape) => Object.values(shape).every(isOption))
    .flatMap(namesOf);
}

function namesOf(shape: z.core.$ZodShape): string[] {
  return Object.entries(shape).flatMap(([name, field]) => (field === ignoredField ? [] : [name]));
}

function shapesAt(schema: Schema, path: readonly PropertyKey[]): z.core.$ZodShape[] {
  const reached = path.reduce<Schema[]>(
    (schemas, name) => schemas.flatMap((one) => stepInto(one, name)),
    plainOf(schema),
  );
  return reached.flatMap((one) => (one instanceof z.core.$ZodObject ? [one._zod.def.shape] : []));
}

function stepInto(schema: Schema, name: PropertyKey): Schema[] {
  if (schema instanceof z.core.$ZodObject) {
    const field = schema._zod.def.shape[String(name)];
    return field === undefined ? [] : plainOf(field);
  }
  if (schema instanceof z.core.$ZodRecord) return plainOf(schema._zod.def.valueType);
  if (schema instanceof z.core.$ZodArray) return plainOf(schema._zod.def.element);
  return [];
}

/** Unwraps optional, nullable and piped schemas; a union gives all its options. */
function plainOf(schema: Schema): Schema[] {
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options.flatMap(plainOf);
  if (schema instanceof z.core.$ZodPipe) return plainOf(schema._zod.def.in);
  if (schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable)
    return plainOf(schema._zod.def.innerType);
  if (schema instanceof z.core.$ZodLazy) return plainOf(schema._zod.def.getter());
  return [schema];
}
