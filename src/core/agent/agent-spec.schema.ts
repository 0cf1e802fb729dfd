// Checks agent specs where they enter: config file and start input. Not for the workflow bundle.
import { z } from 'zod';
import { keysOf } from '@holdfast/base/keys';
import { ignoredField } from '@holdfast/base/schema-keys';
import { expectedModelName, parseModelName } from '@holdfast/vocabulary/model-name';
import { viewReducers } from '@holdfast/view/reducers/table';
import {
  type AgentSpec,
  type OptionKind,
  type OptionTable,
  type OptionValue,
  agentOptions,
} from '@holdfast/vocabulary/agent-spec';
import type { NarrowingRule, PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { boardNamePattern, expectedBoardName } from '@holdfast/vocabulary/workflow-ids';

/** `<provider>:<model id>` */
export const modelNameSchema = z
  .string()
  .refine((name) => parseModelName(name) !== undefined, `expected ${expectedModelName}`);

const hookRefsSchema = z.array(
  z.strictObject({ name: z.string().min(1), params: z.record(z.string(), z.json()).exactOptional() }),
);

export const viewReducerSchema = z
  .strictObject({
    name: z.enum(keysOf(viewReducers)),
    params: z.record(z.string(), z.json()).exactOptional(),
  })
  .superRefine(({ name, params }, context) => {
    const message = viewReducers[name].problemOf(params);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['params'], message });
  });

/** Schemas of the options whose values have a form of their own, by their place. The reference compares them with the types. */
const ownSchemas = new Map<string, z.ZodType>(
  Object.entries({
    outputSchema: z.record(z.string(), z.json()),
    hooks: hookRefsSchema,
    'model.fallbacks': z.array(modelNameSchema).max(5),
    'model.headers': z.record(z.string(), z.string()),
    'delegation.prefix': z.string().min(1).max(20),
    'delegation.taskBoard': z
      .string()
      .regex(boardNamePattern, `expected the name of a board: ${expectedBoardName}`),
    'delegation.reflectionDir': z.string(),
    'delegation.verify': z.union([z.boolean(), z.string().min(1)]),
    'condense.reducers': z.array(viewReducerSchema),
  }),
);

function toSchema(path: string, kind: OptionKind): z.ZodType {
  switch (kind.is) {
    case 'number': {
      const { whole, min, max = Number.MAX_SAFE_INTEGER, above } = kind;
      if (whole) return z.int().min(min).max(max);
      return above ? z.number().gt(min) : z.number().min(min).max(max);
    }
    case 'one':
      return z.enum(kind.of);
    case 'flag':
      return z.boolean();
    case 'texts':
      return z.array(z.string().min(1));
    case 'model':
      return modelNameSchema;
    case 'group': {
      const { fields, short, ignores = [] } = kind;
      const whole = z.strictObject({
        ...toSchemas(fields, `${path}.`),
        ...Object.fromEntries(ignores.map((name) => [name, ignoredField])),
      });
      const member = short === undefined ? undefined : fields[short];
      return member ? z.union([toSchema(`${path}.${short}`, member), whole]) : whole;
    }
    case 'own': {
      const schema = ownSchemas.get(path);
      if (!schema) throw new Error(`The option ${path} has no schema`);
      return schema;
    }
  }
}

type Schemas<Options> = {
  [Name in keyof Options]: z.ZodExactOptional<z.ZodType<OptionValue<Options[Name]>>>;
};

/** The one place where the schemas get their types: both are read from the table of options. */
function toSchemas<Options extends OptionTable>(options: Options, place = ''): Schemas<Options> {
  const entries = Object.entries(options).map(([name, kind]) => [
    name,
    toSchema(`${place}${name}`, kind).exactOptional(),
  ]);
  return Object.fromEntries(entries) as Schemas<Options>;
}

const instructions = z.string().min(1, 'is empty: say what the agent is to do');
const tools = z.array(z.string().min(1));

/** The fields that a start input may override, each optional. */
export const agentOverrideFields = {
  instructions: instructions.exactOptional(),
  tools: tools.exactOptional(),
  ...toSchemas(agentOptions),
};

export const condenseSchema = z.strictObject(toSchemas(agentOptions.condense.fields, 'condense.'));

const pattern = z.string().min(1, 'expected a pattern, in which * matches any characters');
const ruleFields = {
  tool: pattern,
  args: z.record(z.string().min(1), z.string()).exactOptional(),
  effect: z.enum(['read', 'change']).exactOptional(),
  command: pattern.exactOptional(),
  host: pattern.exactOptional(),
  path: pattern.exactOptional(),
  tag: pattern.exactOptional(),
  on: pattern.exactOptional(),
  decision: z.enum(['allow', 'ask', 'deny']),
  reason: z.string().min(1).exactOptional(),
};

/** Rules of a configuration: for every agent, or for those that a rule names. */
export const policyRulesSchema: z.ZodType<PolicyRule[]> = z.array(
  z.strictObject({ ...ruleFields, agent: pattern.exactOptional() }),
);

/** Rules of a start, which a person or a program sends that did not write the configuration: they only take away. */
export const narrowingRulesSchema: z.ZodType<NarrowingRule[]> = z
  .array(
    z.strictObject({
      ...ruleFields,
      decision: z.enum(['ask', 'deny'], 'a start may only narrow what the configuration allows: ask or deny'),
    }),
  )
  .max(100);

/** A whole spec, as a config file gives it. */
export const agentSpecSchema: z.ZodType<AgentSpec> = z.strictObject({
  ...agentOverrideFields,
  description: z.string().exactOptional(),
  policy: z.array(z.strictObject(ruleFields)).exactOptional(),
  instructions,
  tools,
});
