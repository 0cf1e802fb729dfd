// docs/reference/config.md: every setting, from the type of the config file, the table of agent options, the schema of a start, the
// variables of the environment and the options of `holdfast run`.
import type { Command } from 'commander';
import { vendors } from '@holdfast/providers/vendors';
import { agentOptions } from '@holdfast/vocabulary/agent-spec';
import { type Field, listFields } from './fields.ts';
import { code, pageHead, markdownTable } from './markdown.ts';
import type { Schema } from './schema-parts.ts';
import type { TypeSchemas } from './type-schema.ts';

/** Types described elsewhere on the page, or given by code. */
const closed = [
  'AgentSpec',
  'AlertStart',
  'RegisteredTool',
  'RegisteredHook',
  'ArtifactStore',
  'OwnModelProvider',
  'ModelHooks',
  'Projections',
];

/** Fields whose command line option has another name. */
const otherNames: Record<string, string> = {
  'budget.costUsd': 'maxCost',
  'loop.maxTurns': 'maxTurns',
  'delegation.taskBoard': 'taskBoard',
  labels: 'label',
};

/** Keys of the config file that a variable overrides. */
const variableOf: Record<string, string> = {
  model: 'HOLDFAST_MODEL',
  taskQueue: 'HOLDFAST_TASK_QUEUE',
  script: 'HOLDFAST_SCRIPT',
  'telemetry.logFormat': 'HOLDFAST_LOG_FORMAT',
  'telemetry.logLevel': 'HOLDFAST_LOG_LEVEL',
  'telemetry.health': 'HOLDFAST_HEALTH',
  'telemetry.metrics': 'HOLDFAST_METRICS',
  'telemetry.traces': 'HOLDFAST_TRACES',
};

const words = `Every setting, with its type and its default. [configuration.md](../configuration.md) tells how they work together.
A setting without a default has an effect only where it is given. Units are in the names: \`Ms\` is milliseconds, \`Usd\` US
dollars, \`Bytes\` bytes.`;

export function makeConfigPage(types: TypeSchemas, input: Schema, run: Command): string {
  const config = types.schemaOf('src/config/define-config.ts', 'HoldfastConfig', ['AgentSpec']);
  const variables = types.schemaOf('src/config/variables.ts', 'Variables');
  const known = listFields(variables);
  const unknown = Object.values(variableOf).filter((name) => !known.some(({ path }) => path === name));
  if (unknown.length > 0)
    throw new Error(`There is no variable ${unknown.join(', ')}: expected one of the environment`);
  const fields = listFields(config, closed);
  const silent = [...fields, ...known].filter((field) => field.words === '');
  if (silent.length > 0)
    throw new Error(`${silent.map(({ path }) => path).join(', ')}: expected a docstring`);
  const start = listFields(input, ['Message']);
  const isOption = ({ path }: Field): boolean => Object.hasOwn(agentOptions, path.split(/[.[]/)[0] ?? '');
  const isOfAgent = (field: Field): boolean =>
    isOption(field) || ['instructions', 'tools'].includes(field.path);
  // the checkpoint and the fields that delegate sets have their own documents
  const isOwn = ({ path }: Field): boolean => !/^(parent|checkpoint|messages|prompt)[.[]/.test(path);
  return [
    pageHead('Configuration reference', words),
    '## Config file\n',
    'Keys of `holdfast.config.ts` (or `.yaml`, `.json`). A key with a variable is overridden by it.\n',
    markdownTable(
      ['key', 'type', 'variable', 'meaning'],
      fields.map(({ path, type, words: meaning }) => [
        code(path),
        type,
        code(variableOf[path] ?? ''),
        meaning,
      ]),
    ),
    '\n## Options of an agent\n',
    'They may be in an agent of the config file (`agents.<name>`), in a file of `agents/`, and in the input of a start, which wins.',
    'A flag of `holdfast run` wins over the input. An agent also has a `description`, and a `policy` of its own',
    '([agents.md](../agents.md)); no start changes these.\n',
    optionTable(start.filter(isOfAgent), run),
    '\n## Input of a start\n',
    'Beside the options of an agent. `holdfast schema input` prints it all as JSON Schema; `holdfast run --input FILE` reads it.\n',
    optionTable(
      start.filter((field) => !isOfAgent(field) && isOwn(field)),
      run,
    ),
    '\n## Variables of the environment\n',
    'An empty variable counts as absent.\n',
    markdownTable(
      ['variable', 'meaning'],
      [
        ...known.map(({ path, words: meaning }) => [code(path), meaning]),
        ...vendors.flatMap(({ prefix, name }) => [
          [code(`${prefix}_API_KEY`), `The key of the provider \`${name}\`.`],
          [code(`${prefix}_API_KEY_FILE`), 'A file with that key, in its place.'],
          [code(`${prefix}_BASE_URL`), 'The address of a server that speaks as the provider does.'],
        ]),
        [code('HOLDFAST_MCP_TOKEN'), 'The token of `holdfast mcp --http` (docs/mcp.md).'],
      ],
    ),
    '',
  ].join('\n');
}

function optionTable(fields: readonly Field[], run: Command): string {
  return markdownTable(
    ['option', 'type', 'default', 'flag', 'meaning'],
    fields.map(({ path, type, preset, words: meaning }) => [
      code(path),
      type,
      code(preset),
      code(flagOf(path, run)),
      meaning,
    ]),
  );
}

function flagOf(path: string, run: Command): string {
  const name = otherNames[path] ?? path;
  return run.options.find((option) => option.attributeName() === name)?.long ?? '';
}
