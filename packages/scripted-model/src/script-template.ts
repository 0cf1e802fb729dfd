// Templates of a model script: `{{name | filter:argument}}` over captured values. Pure. Not a general template
// language: loops and conditions are branches of the script.
import type { Json } from '@holdfast/base/json';
import { ScriptMismatch } from './model-script.ts';

export type ScriptValue = string | number | boolean | string[];
export type ScriptValues = Record<string, ScriptValue>;

/** Renders every string in a JSON value. Throws ScriptMismatch for a name without a value. */
export function renderJson(value: Json, values: ScriptValues): Json {
  if (typeof value === 'string') return renderValue(value, values);
  if (Array.isArray(value)) return value.map((item) => renderJson(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderJson(item, values)]));
}

/** Fills the placeholders of a text. Throws ScriptMismatch for a name without a value. */
export function renderText(template: string, values: ScriptValues): string {
  return template.replace(placeholders, (_whole, expression: string) => toText(required(expression, values)));
}

/**
 * Like renderText, but a template of one placeholder keeps its value's type, and a name without a value gives
 * undefined.
 */
export function evaluate(template: string, values: ScriptValues): ScriptValue | undefined {
  const whole = wholePlaceholder.exec(template);
  if (whole?.[1] !== undefined) return evaluateExpression(whole[1], values);
  return renderText(template, values);
}

function renderValue(template: string, values: ScriptValues): ScriptValue {
  const [, whole] = wholePlaceholder.exec(template) ?? [];
  return whole === undefined ? renderText(template, values) : required(whole, values);
}

const placeholders = /\{\{([^{}]*)\}\}/g;
const wholePlaceholder = /^\s*\{\{([^{}]*)\}\}\s*$/;

function required(expression: string, values: ScriptValues): ScriptValue {
  const value = evaluateExpression(expression, values);
  if (value !== undefined) return value;
  const known = Object.keys(values).sort().join(', ');
  throw new ScriptMismatch(
    `The template {{${expression}}} has no value. Known names: ${known}. Capture it in an earlier step, or give it "| default:".`,
  );
}

function evaluateExpression(expression: string, values: ScriptValues): ScriptValue | undefined {
  const [name = '', ...filters] = splitPipes(expression);
  return filters.reduce((value, filter) => applyFilter(value, filter, values), operand(name, values));
}

// A bar inside quotes belongs to the text.
function splitPipes(expression: string): string[] {
  const parts = expression.match(/(?:"[^"]*"|[^|"])+/g) ?? [];
  return parts.map((part) => part.trim());
}

/** A quoted text, a number, or the value of a name. */
function operand(text: string, values: ScriptValues): ScriptValue | undefined {
  const quoted = /^"([^"]*)"$/.exec(text);
  if (quoted?.[1] !== undefined) return quoted[1];
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return Object.hasOwn(values, text) ? values[text] : undefined;
}

function applyFilter(
  value: ScriptValue | undefined,
  filter: string,
  values: ScriptValues,
): ScriptValue | undefined {
  const [name, argument] = splitFilter(filter);
  const given = argument === undefined ? undefined : operand(argument, values);
  if (name === 'default') return value ?? given;
  if (value === undefined || (argument !== undefined && given === undefined)) return undefined;
  const numeric = numberFilters.get(name);
  if (numeric !== undefined) return numeric(toNumber(value), given === undefined ? 0 : toNumber(given));
  const textual = textFilters.get(name);
  if (textual !== undefined) return textual(value, given);
  const known = ['default', ...numberFilters.keys(), ...textFilters.keys()].join(', ');
  throw new ScriptMismatch(`Unknown template filter "${name}". Known: ${known}.`);
}

function splitFilter(filter: string): [string, string?] {
  const colon = filter.indexOf(':');
  return colon === -1 ? [filter] : [filter.slice(0, colon).trim(), filter.slice(colon + 1).trim()];
}

type NumberFilter = (value: number, argument: number) => ScriptValue | undefined;
type TextFilter = (value: ScriptValue, argument: ScriptValue | undefined) => ScriptValue | undefined;

const numberFilters = new Map<string, NumberFilter>([
  ['number', (value) => value],
  ['round', (value) => Math.round(value)],
  ['fixed', (value, digits) => value.toFixed(digits)],
  ['thousands', (value) => value.toLocaleString('en-US')],
  ['plus', (value, other) => value + other],
  ['minus', (value, other) => value - other],
  ['times', (value, other) => value * other],
  ['divide', (value, other) => (other === 0 ? undefined : value / other)],
]);

const textFilters = new Map<string, TextFilter>([
  ['trim', (value) => toText(value).trim()],
  ['upper', (value) => toText(value).toUpperCase()],
  ['lower', (value) => toText(value).toLowerCase()],
  ['size', (value) => toList(value).length],
  ['first', (value) => toList(value)[0]],
  ['last', (value) => toList(value).at(-1)],
  ['at', (value, index) => toList(value).at(toNumber(index ?? 0))],
  ['join', (value, separator) => toList(value).join(toText(separator ?? ', '))],
]);

/** Reads numbers as people write them: `1,234` and `12ms` count. NaN without a number. */
export function toNumber(value: ScriptValue): number {
  if (typeof value === 'number') return value;
  const found = /-?\d[\d,]*(\.\d+)?(e[+-]?\d+)?/i.exec(toText(value));
  return found === null ? Number.NaN : Number(found[0].replaceAll(',', ''));
}

export function toText(value: ScriptValue): string {
  return Array.isArray(value) ? value.join('\n') : String(value);
}

function toList(value: ScriptValue): string[] {
  return Array.isArray(value) ? value : [toText(value)];
}
