// Checks agent specs where they enter: config file and start input. Not for the workflow bundle.
import { z } from 'zod';
import { boardNamePattern, expectedBoardName } from '../model/board.ts';
import { expectedModelName, parseModelName } from '../model/model-name.ts';
import type { AgentSpec, ViewReducerName, OptionValue, OptionKind } from '../model/agent-spec.ts';
import { modelFailures } from '../base/failures.ts';
import type { ModelFailureType } from '../base/failures.ts';
import { viewReducers } from '../view/reducers/table.ts';
import { agentOptions } from '../model/agent-spec.ts';
import type { NarrowingRule, PolicyRule } from '../model/tool-spec.ts';

const positive = z.int().min(1);

/** `<provider>:<model id>` */
export const modelNameSchema = z
  .string()
  .refine((name) => parseModelName(name) !== undefined, `expected ${expectedModelName}`);

const streamOptionsSchema = z.strictObject({
  temperature: z.number().min(0).max(2).exactOptional(),
  maxTokens: positive.exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  // taken without a complaint (LOOP-25)
  reasoning: z.json().exactOptional().describe('Ignored.'),
  apiKey: z.json().exactOptional().describe('Ignored: keys come from the environment of the worker.'),
});

const hookRefsSchema = z.array(
  z.strictObject({ name: z.string().min(1), params: z.record(z.string(), z.json()).exactOptional() }),
);

const failureTypeSchema = z.enum(Object.keys(modelFailures) as [ModelFailureType, ...ModelFailureType[]]);

export const viewReducerSchema = z
  .strictObject({
    name: z.enum(Object.keys(viewReducers) as [ViewReducerName, ...ViewReducerName[]]),
    params: z.record(z.string(), z.json()).exactOptional(),
  })
  .superRefine(({ name, params }, context) => {
    const message = viewReducers[name].problemOf(params);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['params'], message });
  });

/** Of the options whose values have a form of their own. */
const ownSchemas = {
  model: modelNameSchema,
  fallbackModels: z.array(modelNameSchema).max(5),
  fallbackOn: z.array(failureTypeSchema),
  purposeModels: z.strictObject({
    condense: modelNameSchema.exactOptional(),
    extract: modelNameSchema.exactOptional(),
    planner: modelNameSchema.exactOptional(),
  }),
  prefix: z.string().min(1).max(20),
  taskBoard: z.string().regex(boardNamePattern, `expected the name of a board: ${expectedBoardName}`),
  reflectionDir: z.string(),
  verify: z.union([z.boolean(), z.string().min(1)]),
  streamOptions: streamOptionsSchema,
  outputSchema: z.record(z.string(), z.json()),
  viewReducers: z.array(viewReducerSchema),
  hooks: hookRefsSchema,
  turnHooks: hookRefsSchema,
  middleware: hookRefsSchema,
} satisfies { [Name in OwnName]: z.ZodType<OptionValue<(typeof agentOptions)[Name]>> };

type OwnName = {
  [Name in keyof typeof agentOptions]: (typeof agentOptions)[Name] extends { is: 'own' } ? Name : never;
}[keyof typeof agentOptions];

function toSchema(name: string, kind: OptionKind): z.ZodType {
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
    case 'group':
      return z.strictObject(toSchemas(kind.fields));
    case 'own': {
      const schema: z.ZodType | undefined = new Map<string, z.ZodType>(Object.entries(ownSchemas)).get(name);
      if (!schema) throw new Error(`The option ${name} has no schema`);
      return schema;
    }
  }
}

type Schemas<Options> = {
  [Name in keyof Options]: z.ZodExactOptional<z.ZodType<OptionValue<Options[Name]>>>;
};

/** The one place where the schemas get their types: both are read from the table of options. */
function toSchemas<Options extends Record<string, OptionKind>>(options: Options): Schemas<Options> {
  const entries = Object.entries(options).map(([name, kind]) => [name, toSchema(name, kind).exactOptional()]);
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

export const condenseSchema = z.strictObject(toSchemas(agentOptions.condense.fields));

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
