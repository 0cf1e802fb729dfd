// holdfast schema, for programs in any language: the JSON Schemas of a session's inputs and outputs. They are files of
// the package, made from the types (`npm run reference`). Needs no Temporal server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument } from 'commander';
import { packageFolder } from '../../config/own-version.ts';
import type { GlobalOptions } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';

/** Description of each part. Its file is `schemas/<part>.json`. */
const parts = {
  input: 'what a start of workflow "agentSession" takes',
  output: 'its result',
  snapshot: 'the answer of query "snapshot"',
  events: 'an event of query "getEvents" or of "watch --json"',
  signals: 'arguments of each signal, by name',
  updates: 'arguments and answer of each update, by name',
  queries: 'arguments and answer of each query, by name',
  script: 'a script of the scripted model',
  openapi: 'the HTTP API of the gateway, as OpenAPI 3.1',
  delivery: 'the message that a webhook gets',
} as const;
type Part = keyof typeof parts;

export function registerSchema(program: CliCommand): void {
  const names = Object.keys(parts);
  const list = Object.entries(parts).map(([name, what]) => `  ${name.padEnd(9)} ${what}`);
  program
    .command('schema')
    .addArgument(new Argument('[part]', 'only one of them').choices(names))
    .addHelpText('after', `\nParts:\n${list.join('\n')}`)
    .examples(['schema', 'schema input > input.schema.json'])
    .action((part: Part | undefined, _options: unknown, command: CliCommand) => {
      const all = (): object => Object.fromEntries(names.map((name) => [name, readSchema(name)]));
      const shown = part === undefined ? { workflowType: 'agentSession', ...all() } : readSchema(part);
      const { json } = command.optsWithGlobals<GlobalOptions>();
      command.cli.stdout.write(`${JSON.stringify(shown, undefined, json ? 0 : 2)}\n`);
    });
}

function readSchema(part: string): unknown {
  return JSON.parse(readFileSync(join(packageFolder(), 'catalog/schemas', `${part}.json`), 'utf8'));
}
