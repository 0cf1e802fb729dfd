// How a tool is declared: name, words, zod schema and effect, without the work. Pure, but it builds schemas:
// activities, worker and configuration import it, workflows must not.
import { z } from 'zod';
import type { JsonSchema } from '../base/json.ts';
import type { ToolSpec } from '../model/tool-spec.ts';

type SpecInput<Schema extends z.ZodType> = Omit<ToolSpec, 'parameters' | 'effect' | 'timeoutMs'> & {
  input: Schema;
  /** Default `once`. */
  effect?: ToolSpec['effect'];
  /** Default 60,000. */
  timeoutMs?: number;
};

/** A tool declaration with its zod schema; JSON Schema is made from it once. */
export type ToolDeclaration<Schema extends z.ZodType> = { spec: ToolSpec; input: Schema };

/** Declares a tool. Throws where the schema cannot be said in JSON Schema: a mistake at start, not at a call. */
export function defineTool<Schema extends z.ZodType>(
  declaration: SpecInput<Schema>,
): ToolDeclaration<Schema> {
  const { input, effect = 'once', timeoutMs = 60_000, ...rest } = declaration;
  const { $schema: _, ...parameters } = z.toJSONSchema(input, { io: 'input' });
  return { spec: { ...rest, effect, timeoutMs, parameters: toPlainJson(parameters) }, input };
}

function toPlainJson(value: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(value));
}
