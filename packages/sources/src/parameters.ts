// Typed parameters of a tool as a zod schema, which the model reads as JSON Schema. Runs in Node.
import { z } from 'zod';
import { defined } from '@holdfast/base/defined';
import { timeWords } from '@holdfast/base/series';
import { readTime, timeFault, timeForms } from '@holdfast/base/time-text';
import { toUtc } from '@holdfast/base/words';
import { parametersOf } from './compare.ts';
import { words } from './source-answer.ts';
import type { Values } from './template.ts';
import type { ToolsetParameter, ToolsetTool } from './toolset.schema.ts';

const maxText = 4_096;
const maxItems = 50;

/** A time as every tool reads it (packages/base/src/time-text.ts). */
export const timeSchema = z
  .string()
  .max(100)
  .refine((text) => readTime(text, 0) !== undefined, { error: ({ input }) => timeFault(textIn(input)) });

/** Its values are JSON: every type of parameter is. */
export function inputOf(parameters: Readonly<Record<string, ToolsetParameter>>): z.ZodType<Values> {
  const named = Object.entries(parameters);
  const firstTime = named.find(([, { type }]) => type === 'time')?.[0];
  const object = z.strictObject(
    Object.fromEntries(named.map(([name, parameter]) => [name, schemaOf(parameter, name === firstTime)])),
  );
  const checked = object as z.ZodType<Values>;
  return checked.overwrite((given) => ({ ...given, ...conditionalDefaults(named, given) }));
}

/** Not in the schema for the model, because arguments are filled in from that. */
function conditionalDefaults(named: readonly [string, ToolsetParameter][], given: Values): Values {
  const lacking = named.filter(
    ([name, { unless }]) => unless !== undefined && given[name] === undefined && given[unless] === undefined,
  );
  return Object.fromEntries(lacking.map(([name, parameter]) => [name, parameter.default]));
}

/** `isFirstTime`: the forms of times are told once, because definitions are in every request. */
function schemaOf(parameter: ToolsetParameter, isFirstTime: boolean): z.ZodType {
  const text = describedText(parameter, isFirstTime);
  const described = (schema: z.ZodType): z.ZodType => (text === undefined ? schema : schema.describe(text));
  if (parameter.unless !== undefined) return described(baseOf(parameter).optional());
  if (parameter.default !== undefined) return described(baseOf(parameter).default(parameter.default));
  return described(parameter.optional === true ? baseOf(parameter).optional() : baseOf(parameter));
}

function describedText(
  { description, unless, default: value }: ToolsetParameter,
  isFirstTime: boolean,
): string | undefined {
  const own =
    unless !== undefined && value !== undefined && `Default ${String(value)}, beside ${unless} none.`;
  return words(description, isFirstTime && `${timeForms}.`, own) || undefined;
}

/** The schema of a value that is there. */
export function baseOf(parameter: ToolsetParameter): z.ZodType {
  switch (parameter.type) {
    case 'boolean':
      return z.boolean();
    case 'integer': {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = parameter;
      return z.int().min(minimum).max(maximum);
    }
    case 'list':
      return z
        .array(toTextSchema(parameter))
        .min(1)
        .max(parameter.maxItems ?? maxItems);
    case 'time':
      return timeSchema;
    case 'string':
      return parameter.enum ? z.enum(parameter.enum) : toTextSchema(parameter);
  }
}

/** The fields of a tool's definition that its kind does not change. */
export function definitionOf(
  { name, description, label, sensitivity, ...tool }: ToolsetTool,
  toolset: string,
) {
  const parameters = parametersOf(tool);
  const lookBack = fieldOf(parameters, (each) => (each.type === 'time' ? each.lookBack : undefined));
  const optional = defined({
    label,
    sensitivity,
    lookBack,
    unless: fieldOf(parameters, (each) => each.unless),
  });
  return { name, description, input: inputOf(parameters), source: `toolset:${toolset}`, ...optional };
}

/** By the names of the parameters that have it; undefined without any. */
function fieldOf<Value>(
  parameters: Readonly<Record<string, ToolsetParameter>>,
  fieldIn: (parameter: ToolsetParameter) => Value | undefined,
): Record<string, Value> | undefined {
  const found = Object.entries(parameters).flatMap(([name, parameter]): [string, Value][] => {
    const value = fieldIn(parameter);
    return value === undefined ? [] : [[name, value]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The arguments, with times in the tool's form, `earlierMs` before those that were asked for. */
export function withTimes(
  input: Values,
  { parameters = {} }: Pick<ToolsetTool, 'parameters'>,
  now: number,
  earlierMs = 0,
): Values {
  const times = Object.entries(parameters).flatMap(([name, parameter]) => {
    const at = parameter.type === 'time' ? readTime(textIn(input[name]), now) : undefined;
    if (at === undefined) return [];
    const form = parameter.type === 'time' ? parameter.form : undefined;
    return [[name, inForm(at - earlierMs, form)] as const];
  });
  return { ...input, ...Object.fromEntries(times) };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** As text: nanoseconds are beyond the whole numbers of JSON. */
function inForm(at: number, form: Extract<ToolsetParameter, { type: 'time' }>['form']): string {
  switch (form) {
    case 'minute':
      return toUtc(at, 'minute');
    case 'seconds':
      return String(Math.floor(at / 1_000));
    case 'milliseconds':
      return String(at);
    case 'microseconds':
      return `${at}000`;
    case 'nanoseconds':
      return `${at}000000`;
    default:
      return timeWords(at);
  }
}

type TextParameter = Extract<ToolsetParameter, { type: 'string' }>;
type TextRules = Omit<TextParameter, 'type' | 'default'> & { default?: string | string[] };

function toTextSchema(parameter: TextRules): z.ZodType<string> {
  const { pattern, refuses = [] } = parameter;
  const text = z
    .string()
    // an argument is parsed again with its default
    .min(parameter.default === '' ? 0 : 1)
    .max(parameter.maxLength ?? maxText);
  // anchored to the whole value: a matching part would let the rest pass
  const whole = pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`, 'su');
  const refused = refuses.map(({ pattern: part, because }) => ({ part: new RegExp(part, 'isu'), because }));
  if (!whole && refused.length === 0) return text;
  // not in the schema for the model: vendors refuse regular expressions that they do not know
  return text.check((context) => {
    const { value } = context;
    const found = refused.flatMap(({ part, because }) => {
      const match = part.exec(value)?.[0];
      return match === undefined ? [] : [because.replaceAll('{match}', match)];
    });
    const message = found[0] ?? (whole?.test(value) === false ? formFault(parameter) : undefined);
    if (message !== undefined) context.issues.push({ code: 'custom', message, input: value });
  });
}

/** In words: a regular expression tells a model less than it costs. */
function formFault({ expected, description }: TextRules): string {
  const wanted = expected ?? description;
  return wanted === undefined
    ? 'has characters or a form that this tool does not take'
    : `is not of the form that this tool takes: expected ${lowerFirst(wanted)}`;
}

function lowerFirst(text: string): string {
  return /^[A-Z](?![A-Z])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
