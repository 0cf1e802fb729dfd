// The type that a schema states. Type only, so that code of the workflow sandbox may have it.
import type { z } from 'zod';

/** Type of an object schema. It is a mapped type, so that the compiler and the reference keep the name of its alias. */
export type Output<Schema extends z.ZodType> = { [Field in keyof z.output<Schema>]: z.output<Schema>[Field] };
