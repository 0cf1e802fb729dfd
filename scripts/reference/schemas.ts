// The JSON Schemas that `holdfast schema` prints, by the name of their part: made from the types and their docstrings. Input and
// output are what the zod schemas check, with the words of the types.
import { z } from 'zod';
import { agentOptions } from '../../src/core/model/agent-spec.ts';
import { checkpointSchema } from '../../src/core/checkpoint/checkpoint.schema.ts';
import { messageSchema } from '../../src/core/model/messages.schema.ts';
import { sessionResultSchema } from '../../src/core/model/run-result.schema.ts';
import { modelScriptSchema } from '../../src/scripted/model-script.ts';
import { sessionInputSchema } from '../../src/core/session/session-input.schema.ts';
import { mergeTypes } from './merge-types.ts';
import type { Schema, TypeSchemas } from './type-schema.ts';

const model = 'src/core/model';
const script = 'src/scripted/model-script.ts';
const api = `${model}/session-api.ts`;
/** The files of all types here: entries of the program. */
export const schemaFiles = [script, api, `${model}/session-events.ts`];

/** Its name in the schema of the input, which has it three times. */
z.globalRegistry.add(messageSchema, { id: 'Message' });

/** A document that callers pass on as they have got it. */
const opaque = ['Checkpoint'];

export function makeSchemas(types: TypeSchemas): Record<string, Schema> {
  return {
    input: inputSchema(types),
    output: outputSchema(types),
    snapshot: types.schemaOf(`${model}/snapshot.ts`, 'Snapshot'),
    events: types.schemaOf(`${model}/session-events.ts`, 'SessionEvent'),
    signals: byName(types.schemaOf(api, 'SessionSignals')),
    updates: byName(types.schemaOf(api, 'SessionUpdates')),
    queries: byName(types.schemaOf(api, 'SessionQueries', opaque)),
    script: scriptSchema(types),
  };
}

/** A value of it has one name, or several. */
function byName({ required: _, ...schema }: Schema): Schema {
  return { ...schema, additionalProperties: false };
}

function inputSchema(types: TypeSchemas): Schema {
  const typed = types.schemaOf(`${model}/session-input.ts`, 'SessionInput', opaque);
  const checked = z.toJSONSchema(sessionInputSchema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === (checkpointSchema as z.core.$ZodType)) becomeOpaque(jsonSchema);
    },
  });
  // set by continue-as-new only; taken without a complaint and ignored
  const apart = ['.carried', '.streamOptions.reasoning', '.streamOptions.apiKey'];
  const merged = mergeTypes(checked, typed, apart);
  return { ...merged, properties: withDefaults(merged['properties'] as Schema, agentOptions) };
}

function outputSchema(types: TypeSchemas): Schema {
  const typed = types.schemaOf(`${model}/run-result.ts`, 'SessionResult');
  const checked = z.toJSONSchema(sessionResultSchema, { io: 'output' });
  // messages are in results of older versions only, and loose there; steps of steps have none
  return mergeTypes(checked, typed, ['.newMessages.messages', '.plan.steps[].steps[].steps']);
}

function scriptSchema(types: TypeSchemas): Schema {
  const checked = z.toJSONSchema(modelScriptSchema, { io: 'input' });
  // a getter has no type in what the compiler infers of a schema that contains itself
  return mergeTypes(checked, types.schemaOf(script, 'ModelScript'), ['Condition.all', 'Condition.any']);
}

/** In place: so zod wants it. */
function becomeOpaque(schema: Schema): void {
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, { type: 'object' });
}

type Options = { readonly [name: string]: object & { default?: unknown; fields?: Options } };

/** What an option is where nobody gives it. */
function withDefaults(properties: Schema, options: Options): Schema {
  const entries = Object.entries(properties).map(([name, property]): [string, unknown] => {
    const { fields, default: preset } = options[name] ?? {};
    const schema = property as Schema;
    if (fields)
      return [name, { ...schema, properties: withDefaults(schema['properties'] as Schema, fields) }];
    return [name, preset === undefined ? schema : { ...schema, default: preset }];
  });
  return Object.fromEntries(entries);
}
