// Every generated file of the reference, by its path in the repository.
import { readEntries } from './entries.ts';
import { makeSchemas, schemaFiles } from './schemas.ts';
import { TypeSchemas } from './type-schema.ts';

/** One program for all that is read from types. */
export function readTypes(root: string): TypeSchemas {
  return new TypeSchemas(root, [...schemaFiles, ...readEntries(root).values()]);
}

export function makeReference(types: TypeSchemas): Map<string, string> {
  const schemas = Object.entries(makeSchemas(types)).map(([name, schema]): [string, string] => [
    `schemas/${name}.json`,
    `${JSON.stringify(schema, undefined, 2)}\n`,
  ]);
  return new Map(schemas);
}
