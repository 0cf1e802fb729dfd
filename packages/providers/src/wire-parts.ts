// Parts of requests and replies that several wires share: content, output schemas, arguments and names of calls. Pure
// apart from loading images.
import type { ImagePart, UserContent } from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import type { ToolDefinition } from '@holdfast/vocabulary/tool-spec';
import { mapValues } from '@holdfast/base/map-values';
import type { LoadImage } from './model-provider.ts';
import { type Json, type JsonObject, isRecord, isTooDeep, parseJson } from '@holdfast/base/json';

export function joinTexts(content: readonly UserContent[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** For wires without an error flag: the text begins with "Error: " exactly once (TOOL-06). */
export function withErrorMark(text: string, isError: boolean): string {
  return isError && !text.startsWith('Error: ') ? `Error: ${text}` : text;
}

/** No field without tools. `none`: the words of the wire for a request in which no tool may be called. */
export function toolFields<Tool, Choice>(
  { tools, toolChoice }: ModelRequest,
  toTool: (tool: ToolDefinition) => Tool,
  none: Choice,
): { tools?: Tool[]; tool_choice?: Choice } {
  if (tools.length === 0) return {};
  const wire = { tools: tools.map(toTool) };
  return toolChoice === 'none' ? { ...wire, tool_choice: none } : wire;
}

export async function toBase64(image: ImagePart, loadImage: LoadImage): Promise<string> {
  return Buffer.from(await loadImage(image)).toString('base64');
}

export async function toDataUrl(image: ImagePart, loadImage: LoadImage): Promise<string> {
  return `data:${image.mediaType};base64,${await toBase64(image, loadImage)}`;
}

/** An output schema as OpenAI takes it. It requires a name, on which nothing depends. */
export function namedSchema(schema: JsonObject): { name: string; strict: boolean; schema: JsonObject } {
  return { name: 'answer', strict: isStrictSchema(schema), schema };
}

/** Strict forms need an object whose objects are all closed and complete; otherwise the schema is only a request. */
export function isStrictSchema(schema: JsonObject): boolean {
  return schema['type'] === 'object' && isClosed(schema);
}

function isClosed(schema: Json): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  if (Array.isArray(schema)) return schema.every(isClosed);
  const { properties, required, additionalProperties } = schema;
  if (isObjectSchema(schema)) {
    const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    const demanded = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !names.every((name) => demanded.includes(name))) return false;
  }
  return Object.values(schema).every(isClosed);
}

/** `type` may be a list: an object or null. */
function isObjectSchema({ type }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** Anthropic refuses an open object, so objects are closed. A map of values stays as it is. */
export function closeSchema(schema: JsonObject): JsonObject {
  const closed = mapValues(schema, closeWithin);
  const { additionalProperties = true } = schema;
  return isObjectSchema(schema) && additionalProperties === true
    ? { ...closed, additionalProperties: false }
    : closed;
}

function closeWithin(value: Json): Json {
  if (Array.isArray(value)) return value.map(closeWithin);
  return typeof value === 'object' && value !== null ? closeSchema(value) : value;
}

/** The log keeps arguments as the model wrote them; text that is no object is shown to the model as `raw_arguments`. */
export function toArgumentObject(text: string): object {
  return parseObject(text) ?? (text.trim() === '' ? {} : { raw_arguments: text });
}

/** The same as JSON. Whole arguments keep their bytes, else servers that parse them refuse all later turns. */
export function toArgumentJson(text: string): string {
  return parseObject(text) === undefined ? JSON.stringify(toArgumentObject(text)) : text;
}

/** A piece of arguments as text; some servers send the object itself, or nothing. */
export function argumentText(wire: unknown): string {
  if (typeof wire === 'string') return wire;
  return typeof wire === 'object' && wire !== null ? JSON.stringify(wire) : '';
}

/** Whole arguments as the log keeps them; those that say nothing become `{}`. */
export function wholeArguments(wire: unknown): string {
  const text = argumentText(wire);
  return saysNothing(text) ? '{}' : text;
}

/** True for no arguments, in each form: some servers send one of them where the real arguments follow. */
export function saysNothing(text: string): boolean {
  return /^\s*(\{\s*\}|null)?\s*$/.test(text);
}

/** Undefined for text that is no JSON, and for JSON that is no object or is nested too deeply to be written again. */
export function parseObject(text: string): object | undefined {
  const value = parseJson(text);
  return isRecord(value) && !isTooDeep(value) ? value : undefined;
}

/**
 * A name that every provider accepts back; the name of a declared tool stays as it is. A model may call a missing tool by
 * any name ("functions.grep"), and a request that repeats such a name is refused, as are all after it.
 */
export function toWireToolName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_';
}
