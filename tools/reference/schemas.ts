// The JSON Schemas that `holdfast schema` prints, by the name of their part: made from the types and their docstrings.
// Input and output are the zod schemas, with the descriptions of the types.
import { z } from 'zod';
import { agentOptions } from '@holdfast/vocabulary/agent-spec';
import { checkpointSchema } from '../../src/core/checkpoint/checkpoint.schema.ts';
import { messageSchema } from '@holdfast/vocabulary/messages.schema';
import { operations } from '@holdfast/vocabulary/session-operations';
import { sessionResultSchema } from '@holdfast/vocabulary/run-result.schema';
import { modelScriptSchema } from '@holdfast/scripted-model/model-script';
import { sessionInputSchema } from '../../src/core/session/session-input.schema.ts';
import { mergeTypes } from './merge-types.ts';
import { propertiesOf, type Schema } from './schema-parts.ts';
import type { TypeSchemas } from './type-schema.ts';

const model = 'packages/vocabulary/src';
const script = 'packages/scripted-model/src/model-script.ts';
const api = `${model}/session-operations.ts`;
const delivery = 'src/activities/delivery/delivery-message.ts';
/** The files of all types here, as entries of the program. */
export const schemaFiles = [script, api, delivery, `${model}/session-events.ts`];

/** Named once in the schema of the input, which has it three times. */
z.globalRegistry.add(messageSchema, { id: 'Message' });

/** Documents that callers pass on unchanged. */
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
    delivery: types.schemaOf(delivery, 'DeliveryMessage'),
  };
}

/** A value has one or several of the names, each with the words of its operation, in the order of their table. */
function byName({ required: _, ...schema }: Schema): Schema {
  const typed = propertiesOf(schema);
  const described = Object.entries(operations).flatMap(([name, { kind, words }]): [string, Schema][] => {
    const isOther = kind === 'both' && schema['title'] === 'SessionSignals';
    const description = isOther ? `${words} The update of this name returns the outcome.` : words;
    return typed[name] ? [[name, { ...typed[name], description }]] : [];
  });
  return { ...schema, properties: Object.fromEntries(described), additionalProperties: false };
}

function inputSchema(types: TypeSchemas): Schema {
  const typed = types.schemaOf(`${model}/session-input.ts`, 'SessionInput', opaque);
  const checked = z.toJSONSchema(sessionInputSchema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === (checkpointSchema as z.core.$ZodType)) becomeOpaque(jsonSchema);
    },
  });
  // set by continue-as-new only; accepted silently and ignored
  const apart = ['.carried', '.model.reasoning', '.model.apiKey'];
  const merged = mergeTypes(checked, typed, apart);
  return { ...merged, properties: withDefaults(merged['properties'] as Schema, agentOptions) };
}

function outputSchema(types: TypeSchemas): Schema {
  const typed = types.schemaOf(`${model}/run-result.ts`, 'SessionResult');
  const checked = z.toJSONSchema(sessionResultSchema, { io: 'output' });
  // steps of steps have no steps
  return mergeTypes(checked, typed, ['.plan.steps[].steps[].steps']);
}

function scriptSchema(types: TypeSchemas): Schema {
  const checked = z.toJSONSchema(modelScriptSchema, { io: 'input' });
  // in a schema that contains itself, the compiler infers no type for a getter
  return mergeTypes(checked, types.schemaOf(script, 'ModelScript'), ['Condition.all', 'Condition.any']);
}

/** Changes the schema in place, as zod requires. */
function becomeOpaque(schema: Schema): void {
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, { type: 'object' });
}

type Options = { readonly [name: string]: object & { default?: unknown; fields?: Options } };

/** Adds the defaults to a group, or to the form of a union that is one. */
function withDefaultsIn(schema: Schema, fields: Options): Schema {
  const { anyOf: forms, properties } = schema;
  if (Array.isArray(forms))
    return { ...schema, anyOf: forms.map((form: Schema) => withDefaultsIn(form, fields)) };
  return properties ? { ...schema, properties: withDefaults(properties as Schema, fields) } : schema;
}

/** Adds the default of each option. */
function withDefaults(properties: Schema, options: Options): Schema {
  const entries = Object.entries(properties).map(([name, property]): [string, unknown] => {
    const { fields, default: preset } = options[name] ?? {};
    const schema = property as Schema;
    if (fields) return [name, withDefaultsIn(schema, fields)];
    return [name, preset === undefined ? schema : { ...schema, default: preset }];
  });
  return Object.fromEntries(entries);
}
