// Tells tools that take commands from others: one call of them says nothing about the next. Pure.
import { isRecord } from '../base/json.ts';
import type { ToolSpec } from '../model/tool-spec.ts';

/** Parts of a parameter's name, in any of the usual spellings. */
const words = /^(cmd|command|commands|script|scripts|code|shell|exec|sql|statement|statements|argv|program)$/;

/** As the tool declares it; else true for one that changes something and has a free text that is named for commands. */
export function takesCommands({ commands, effect, parameters }: ToolSpec): boolean {
  if (commands !== undefined) return commands;
  const { properties } = parameters;
  if (effect === 'read' || !isRecord(properties)) return false;
  return Object.entries(properties).some(([name, schema]) => {
    const parts = name
      .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .split(/[^a-z]+/);
    return parts.some((part) => words.test(part)) && isFree(schema);
  });
}

function isFree(schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  const { type, enum: values, const: value } = schema;
  return (
    values === undefined && value === undefined && !['integer', 'number', 'boolean'].includes(String(type))
  );
}
