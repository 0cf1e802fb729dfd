// A call's arguments between the log, which keeps them as the model wrote them, and wires that want an object. Pure.
import type { Json } from '../../../core/base/json.ts';
import { isTooDeep } from '../../../core/base/json-depth.ts';

/** What the model wrote, where it is an object or nothing; else shown to it as `raw_arguments`. */
export function toArgumentObject(text: string): object {
  return parseObject(text) ?? (text.trim() === '' ? {} : { raw_arguments: text });
}

/** The same as JSON. Whole arguments keep their bytes; servers that parse them refuse all later turns for others. */
export function toArgumentJson(text: string): string {
  return parseObject(text) === undefined ? JSON.stringify(toArgumentObject(text)) : text;
}

/** A piece of arguments as text, though some servers send the object itself, or nothing. */
export function argumentText(wire: unknown): string {
  if (typeof wire === 'string') return wire;
  return typeof wire === 'object' && wire !== null ? JSON.stringify(wire) : '';
}

/** Whole arguments as the log keeps them: blank ones are none. */
export function wholeArguments(wire: unknown): string {
  const text = argumentText(wire);
  return text.trim() === '' ? '{}' : text;
}

/** Undefined for what is no JSON, and for JSON that is no object or is nested too deeply to be written again. */
export function parseObject(text: string): object | undefined {
  try {
    const value: Json = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && !isTooDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
