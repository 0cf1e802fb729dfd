// The generated files of the reference, by their path in the repository.
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import type { Cli } from '../../src/cli/cli.ts';
import { createProgram } from '../../src/cli/program.ts';
import { apiFolder, makeApiReports } from './api-report.ts';
import { makeCliPage } from './cli-page.ts';
import { makeConfigPage } from './config-page.ts';
import { readEntries } from './entries.ts';
import { makeLlms } from './llms.ts';
import { makeOpenApi, openApiFiles } from './openapi.ts';
import { makeSchemas, schemaFiles } from './schemas.ts';
import { readStarterSet } from '../../src/worker/tool-sources/starter-toolsets.ts';
import { makeSourcesPage } from './sources-page.ts';
import { TypeSchemas } from './type-schema.ts';

/** Folders in which nothing else lies. */
export const generatedFolders = ['catalog/schemas', apiFolder];

/** One program for everything that is read from types. */
function readTypes(root: string): TypeSchemas {
  const files = [...schemaFiles, ...openApiFiles, 'src/config/variables.ts', ...readEntries(root).values()];
  return new TypeSchemas(root, files);
}

export async function makeReference(root: string): Promise<Map<string, string>> {
  const types = readTypes(root);
  const schemas = makeSchemas(types);
  const program = await everyCommand();
  const run = program.commands.find((command) => command.name() === 'run');
  if (!run || !schemas['input']) throw new Error('Expected a command "run" and a schema "input"');
  return new Map([
    ...Object.entries({ ...schemas, openapi: makeOpenApi(types, schemas) }).map(
      ([name, schema]): [string, string] => [
        `catalog/schemas/${name}.json`,
        `${JSON.stringify(schema, undefined, 2)}\n`,
      ],
    ),
    ['docs/reference/config.md', makeConfigPage(types, schemas['input'], run)],
    ['docs/reference/cli.md', makeCliPage(program)],
    ['docs/sources.md', makeSourcesPage(await readStarterSet())],
    ['llms.txt', makeLlms(root)],
    ...(await makeApiReports(types.program, root)),
  ]);
}

/** The commands of an installed package. */
function everyCommand(): Promise<Command> {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  // the program only describes itself here
  return createProgram(streams as unknown as Cli);
}
