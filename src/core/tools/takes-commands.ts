// Tells tools that take commands from others: one call of them says nothing about the next. Pure.
import { isRecord } from '@holdfast/base/json';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';

/** A parameter that is named for commands, in any of the usual spellings. */
const named =
  /(?:^|[^a-z])(?:cmd|commands?|scripts?|code|shell|exec|sql|statements?|argv|program)(?:$|[^a-z])/i;

/** As the tool declares it; else true for one that changes something and has a free text that is named for commands. */
export function takesCommands({ commands, effect, parameters: { properties } }: ToolSpec): boolean {
  if (commands !== undefined || effect === 'read' || !isRecord(properties)) return commands ?? false;
  return Object.entries(properties).some(
    ([name, schema]) => named.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2')) && isFree(schema),
  );
}

function isFree(schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  const isChoice = schema['enum'] !== undefined || schema['const'] !== undefined;
  return !isChoice && !/integer|number|boolean/.test(String(schema['type']));
}
