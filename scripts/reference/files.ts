// Every generated file of the reference, by its path in the repository.
import { makeSchemas, schemaFiles } from './schemas.ts';
import { TypeSchemas } from './type-schema.ts';

export function makeReference(root: string): Map<string, string> {
  const types = new TypeSchemas(root, schemaFiles);
  const schemas = Object.entries(makeSchemas(types)).map(([name, schema]): [string, string] => [
    `schemas/${name}.json`,
    `${JSON.stringify(schema, undefined, 2)}\n`,
  ]);
  return new Map(schemas);
}
