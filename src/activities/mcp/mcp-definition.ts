// Reads a tool as an MCP server lists it, which is not trusted: its parts for a pin, and whether a model can be offered
// it at all. Runs in Node, pure.
import { defined } from '@holdfast/base/defined';
import { mapValues } from '@holdfast/base/map-values';
import { messageOf } from '@holdfast/base/message-of';
import { type ToolAnnotations, specTypeSchemas } from '@modelcontextprotocol/client';
import { type JsonObject, type JsonSchema, isRecord, isTooDeep, fieldsOf } from '@holdfast/base/json';
import { jsonBytes } from '@holdfast/base/sizes';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { canonicalJson } from '../base/digest.ts';
import { sha256Hex } from '@holdfast/stored/sha256';
import { createArgumentValidator } from '../tools/tool-arguments.ts';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { maxDefinitionBytes } from './mcp-limits.ts';
import type { PinParts } from './mcp-pins.ts';

export type McpDefinition = {
  tool: string;
  description: string;
  /** Without the parts that are unsafe for a validator. */
  input: JsonSchema;
  effect: ToolEffect;
  title?: string;
  parts: PinParts;
};

export type ReadDefinition =
  | { ok: true; definition: McpDefinition }
  | { ok: false; tool: string; reason: string };

/** `trusted`: the effect comes from the annotations. */
export function readDefinition(listed: unknown, trusted: boolean): ReadDefinition {
  try {
    return read(listed, trusted);
  } catch (error) {
    // such as a RangeError over a schema of a million levels
    const why = toOneLine(messageOf(error), 100);
    return { ok: false, tool: 'a tool', reason: `its definition cannot be read (${why})` };
  }
}

function read(listed: unknown, trusted: boolean): ReadDefinition {
  const given = fieldsOf(listed);
  const { name, description = '', inputSchema, annotations = {}, execution, title } = given;
  if (typeof name !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(name)) {
    const shown = toOneLine(JSON.stringify(name) ?? 'no name', 60);
    return { ok: false, tool: shown, reason: 'its name is not 1 to 128 printable ASCII characters' };
  }
  const refuse = (reason: string): ReadDefinition => ({ ok: false, tool: name, reason });
  if (typeof description !== 'string') return refuse('its description is no text');
  if (!isRecord(inputSchema) || inputSchema['type'] !== 'object')
    return refuse('its input schema is not that of an object');
  const size = jsonBytes([name, description, inputSchema]);
  if (size > maxDefinitionBytes)
    return refuse(`its definition has ${size} bytes, and ${maxDefinitionBytes} is the most`);
  if (isRecord(execution) && execution['taskSupport'] === 'required')
    return refuse('it runs as a task only, which is not supported');
  const read = specTypeSchemas.ToolAnnotations['~standard'].validate(annotations);
  const hints = read.issues === undefined ? read.value : undefined;
  if (hints === undefined) return refuse('its annotations are not those of the protocol');
  // it came as JSON
  const schema = inputSchema as JsonSchema;
  const problem = problemOfSchema(schema);
  if (problem !== undefined) return refuse(problem);
  const shownTitle = typeof title === 'string' ? title : hints.title;
  return {
    ok: true,
    definition: defined({
      tool: name,
      description,
      input: toSafeSchema(schema),
      effect: trusted ? effectOf(hints) : 'once',
      title: shownTitle && toOneLine(shownTitle, 60),
      parts: {
        description: sha256Hex(description),
        input: sha256Hex(canonicalJson(inputSchema)),
        annotations: sha256Hex(canonicalJson({ ...hints, title: shownTitle })),
      },
    }),
  };
}

function effectOf({ readOnlyHint, idempotentHint }: ToolAnnotations): ToolEffect {
  if (readOnlyHint === true) return 'read';
  return idempotentHint === true ? 'idempotent' : 'once';
}

function problemOfSchema(schema: JsonSchema): string | undefined {
  if (isTooDeep(schema, 40)) return 'its input schema is nested in more than 40 levels';
  const text = JSON.stringify(schema);
  // for $async, Ajv returns a promise; the others change the meaning of a reference
  if (/"\$(async|dynamicRef|recursiveRef)":/.test(text))
    return 'its input schema uses $async or dynamic references';
  try {
    createArgumentValidator()(toSafeSchema(schema), {});
    return undefined;
  } catch (error) {
    return `its input schema cannot be used: ${toOneLine(messageOf(error), 200)}`;
  }
}

/** Keywords whose fields are names of the server's choice, not keywords. */
const namesWithin = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords that hold plain data. */
const dataWithin = new Set(['const', 'enum', 'default', 'examples', 'required']);

/**
 * The schema that checks arguments here. A regular expression of the server could block this process, so patterns become
 * words in the description; the server checks them itself.
 */
function toSafeSchema(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _id, ...own } = schema;
  return withoutPatterns(own);
}

function withoutPatterns({ pattern, patternProperties: _, ...schema }: JsonObject): JsonObject {
  const entries = Object.entries(schema).map(([keyword, value]): [string, JsonObject[string]] => {
    if (dataWithin.has(keyword)) return [keyword, value];
    if (namesWithin.has(keyword) && isRecord(value)) return [keyword, mapValues(value, inside)];
    return [keyword, inside(value)];
  });
  const rest = Object.fromEntries(entries);
  if (typeof pattern !== 'string') return rest;
  const words = typeof rest['description'] === 'string' ? `${rest['description']} ` : '';
  return { ...rest, description: `${words}(pattern: ${pattern})` };
}

function inside(value: JsonObject[string]): JsonObject[string] {
  if (Array.isArray(value)) return value.map(inside);
  return isRecord(value) ? withoutPatterns(value) : value;
}

const maxLength = 64;

export function mcpPrefix(server: string): string {
  return `mcp__${server}__`;
}

/** `mcp__<server>__<tool>`. A name that a model cannot call is shortened, and ends with a digest of the whole. */
export function toMcpToolName(server: string, tool: string): string {
  const plain = tool.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  const name = mcpPrefix(server) + plain;
  if (plain === tool && name.length <= maxLength) return name;
  return `${name.slice(0, maxLength - 9)}_${sha256Hex(tool).slice(0, 8)}`;
}
