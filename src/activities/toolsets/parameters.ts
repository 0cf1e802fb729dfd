// Typed parameters of a tool as a zod schema, which the model reads as JSON Schema. Runs in Node.
import { z } from 'zod';
import type { ToolsetParameter } from './toolset.schema.ts';

const maxText = 4_096;
const maxItems = 50;

export function inputOf(parameters: Readonly<Record<string, ToolsetParameter>>): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, schemaOf(parameter)])),
  );
}

function schemaOf(parameter: ToolsetParameter): z.ZodType {
  const described = (schema: z.ZodType): z.ZodType =>
    parameter.description === undefined ? schema : schema.describe(parameter.description);
  if (parameter.default !== undefined) return described(baseOf(parameter).default(parameter.default));
  return described(parameter.optional === true ? baseOf(parameter).optional() : baseOf(parameter));
}

function baseOf(parameter: ToolsetParameter): z.ZodType {
  switch (parameter.type) {
    case 'boolean':
      return z.boolean();
    case 'integer': {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = parameter;
      return z.int().min(minimum).max(maximum);
    }
    case 'list':
      return z
        .array(textOf(parameter))
        .min(1)
        .max(parameter.maxItems ?? maxItems);
    case 'string':
      return parameter.enum ? z.enum(parameter.enum) : textOf(parameter);
  }
}

function textOf({ pattern, ...rest }: { pattern?: string; maxLength?: number }): z.ZodType<string> {
  const text = z
    .string()
    .min(1)
    .max(rest.maxLength ?? maxText);
  // of the whole value: a part that fits would let the rest pass
  if (pattern === undefined) return text;
  const whole = new RegExp(`^(?:${pattern})$`, 'u');
  // no part of the schema that the model gets: vendors refuse regular expressions that they do not know
  return text.refine((value) => whole.test(value), `does not match the pattern ${pattern}`);
}
