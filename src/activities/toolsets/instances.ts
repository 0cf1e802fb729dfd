// One tool over several servers of the same kind: the argument `instance` chooses the server. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { cleanTexts } from '@holdfast/sources/clean-answer';
import { type JsonObject, fieldsOf } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import { type RegisteredTool, type ToolContext, type ToolReturn, defineTool } from '../tools/define-tool.ts';
import type { ToolsetInstance } from '@holdfast/sources/toolset.schema';
import { z } from 'zod';

/** A tool for one server; without a name it is the only one. */
export type InstanceTool = {
  name?: string;
  instance: ToolsetInstance;
  tool: RegisteredTool;
  /** Takes out what `redact` names; absent without any. */
  clean?: Clean;
};

type Clean = (text: string) => string;

/** Names in the argument's description up to this length; `list_instances` has all. */
const maxListed = 200;

/** The tool itself for a server without a name. Else its arguments are checked, judged and run by the chosen server's tool. */
export function overInstances(tools: readonly InstanceTool[]): RegisteredTool {
  const [first, ...others] = tools;
  if (first === undefined) throw new Error('a toolset has no instance');
  if (first.name === undefined) return first.tool;
  const only = others.length === 0 ? first.name : undefined;
  const names = tools.map(({ name = '' }) => name);
  const choose = (args: unknown): { chosen: InstanceTool; own: JsonObject } => {
    const { instance = only, ...own } = fieldsOf(args) as JsonObject;
    const chosen = tools.find(({ name }) => name === instance);
    if (chosen) return { chosen, own };
    const came = instance === undefined ? 'there is none' : `got ${JSON.stringify(instance)}`;
    throw new Error(`instance: expected one of ${names.join(', ')}; ${came}`);
  };
  const { spec } = first.tool;
  return {
    spec: { ...spec, parameters: withInstance(spec.parameters, names, only) },
    parse(args) {
      const { chosen, own } = choose(args);
      const parsed = chosen.tool.parse(own);
      return { ...fieldsOf(parsed), instance: chosen.name };
    },
    inspect: async (args) => {
      const { chosen, own } = choose(args);
      const { tool, clean } = chosen;
      const facts = (await tool.inspect?.(own)) ?? {};
      return clean ? cleanTexts(facts, clean) : facts;
    },
    async run(args, context) {
      const { chosen, own } = choose(args);
      const { instance, tool, clean } = chosen;
      if (!clean) return withRules(await tool.run(own, context), instance);
      const output = cleaned(context, clean);
      try {
        const made = await tool.run(own, output.context);
        await output.end();
        return withRules(made, instance, clean);
      } catch (error) {
        throw error instanceof Error ? new Error(clean(error.message)) : error;
      }
    },
  };
}

function withInstance(
  parameters: JsonObject,
  names: readonly string[],
  only: string | undefined,
): JsonObject {
  const listed = names.join(', ');
  const description =
    listed.length > maxListed ? `One of ${names.length}; see list_instances.` : `${listed}.`;
  const { properties, required } = parameters;
  return {
    ...parameters,
    properties: {
      instance: { type: 'string', description, ...defined({ default: only }) },
      ...fieldsOf(properties),
    },
    required: present([only === undefined && 'instance', ...(Array.isArray(required) ? required : [])]),
  };
}

/** Undefined for an instance that takes nothing out. */
export function cleanerOf({ redact = [] }: ToolsetInstance): Clean | undefined {
  if (redact.length === 0) return undefined;
  const patterns = redact.map((text) => new RegExp(text, 'gu'));
  return (text) => patterns.reduce((left, each) => left.replace(each, '[redacted]'), text);
}

/** Stored by lines, because a pattern may be split between two pieces; `end` stores the last one. */
function cleaned(context: ToolContext, clean: Clean): { context: ToolContext; end(): Promise<void> } {
  const decoder = new TextDecoder();
  let rest = '';
  return {
    context: {
      ...context,
      onUpdate: (partial) => context.onUpdate(clean(partial)),
      async addOutput(chunk) {
        rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
        const end = rest.lastIndexOf('\n') + 1;
        const whole = rest.slice(0, end);
        rest = rest.slice(end);
        if (whole !== '') await context.addOutput(clean(whole));
      },
    },
    async end() {
      if (rest !== '') await context.addOutput(clean(rest));
    },
  };
}

function withRules(
  made: ToolReturn,
  { sensitivity = [] }: ToolsetInstance,
  clean: Clean = (text) => text,
): ToolReturn {
  return {
    ...made,
    text: clean(made.text),
    ...defined({
      full: made.full && clean(made.full),
      sensitivity: sensitivity.length === 0 ? undefined : [...(made.sensitivity ?? []), ...sensitivity],
    }),
  };
}

/** A tool that lists the servers of all toolsets that have several. */
export function createInstancesTool(
  instances: readonly {
    source: string;
    name: string;
    description?: string;
    address?: string;
    problem?: string;
  }[],
): RegisteredTool {
  const lines = instances.map(({ source, name, description, address, problem }) => {
    const facts = [address, description, problem === undefined ? undefined : `did not work: ${problem}`];
    return [`${source} ${name}`, ...facts.filter((fact) => fact !== undefined)].join(' | ');
  });
  return defineTool({
    name: 'list_instances',
    description: 'Lists the servers that the argument instance of tools can name, by source.',
    effect: 'read',
    input: z.strictObject({ source: z.string().optional() }),
    run: ({ source }) => {
      const found = lines.filter((line) => source === undefined || line.startsWith(`${source} `));
      const sources = [...new Set(instances.map((each) => each.source))].join(', ');
      return { text: found.length > 0 ? found.join('\n') : `No such source: expected one of ${sources}.` };
    },
  });
}
