// The type that a schema states. No zod at run time, so that code of the workflow sandbox may have it.
import type { z } from 'zod';

/** Type of an object schema. It is a mapped type, so that the compiler and the reference keep the name of its alias. */
export type Infer<Schema extends z.ZodType> = { [Field in keyof z.output<Schema>]: z.output<Schema>[Field] };

/** The schema under the name of its type. */
export function named<Type>(schema: z.ZodType<Type>): z.ZodType<Type> {
  return schema;
}
