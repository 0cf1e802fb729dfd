// A reader that a toolset's file describes by fields: where the items are, what a line or a row has of each, and their
// order. Pure.
import { z } from 'zod';
import { isRecord, type Json } from '@holdfast/base/json';
import { counted } from '@holdfast/base/words';
import { readJson, shortText, timeOf, valueAt } from './json-reader.ts';
import type { FieldReader } from './field-reader.schema.ts';
import { answer, type Reader, type SourceAnswer } from './source-answer.ts';

/** A text of the lines, or a JSON value. */
type Made = Json | undefined;

export function fieldReader(fields: FieldReader): Reader {
  const [path = '', mayLack] = fields.items === undefined ? [] : splitPath(fields.items);
  const itemsOf = (value: unknown): unknown[] | undefined => {
    const items =
      path === '' ? (value ?? []) : (valueAt(value, path) ?? emptyAt(value, path, mayLack === true));
    return Array.isArray(items) ? items : undefined;
  };
  const schema = z
    .unknown()
    .refine((value) => itemsOf(value) !== undefined, `expected a list at ${path || 'its top'}`);
  return readJson(schema, (value) => readItems(itemsOf(value) ?? [], value, fields));
}

function splitPath(items: string): [string, boolean] {
  return items.endsWith('?') ? [items.slice(0, -1), true] : [items, false];
}

/** An empty list, where that is what the answer says: a field that is empty, null, or allowed to be absent. */
function emptyAt(value: unknown, path: string, mayLack: boolean): unknown[] | undefined {
  const parts = path.split('.');
  const holder = parts.length === 1 ? value : valueAt(value, parts.slice(0, -1).join('.'));
  const isNull = isRecord(holder) && holder[parts.at(-1) ?? ''] === null;
  const isEmpty = Array.isArray(holder) && holder.length === 0;
  return isNull || mayLack || isEmpty ? [] : undefined;
}

function readItems(items: readonly unknown[], whole: unknown, fields: FieldReader): SourceAnswer {
  const { line, row, sort, total, more } = fields;
  const sorted = sort === undefined ? items : sortedBy(items, sort);
  const made = sorted.map((item): Made =>
    row ? rowOf(item, row) : line === undefined ? textOf(item) : lineOf(item, line),
  );
  const rows = made.filter((each) => each !== undefined);
  const lost = made.length - rows.length;
  const first = sorted[made.indexOf(undefined)];
  const count = total === undefined ? undefined : Number(valueAt(whole, total));
  return answer(rows, {
    gaps: [
      lost > 0 &&
        `${counted(lost, 'item')} of ${made.length} could not be read${lost < made.length || line === undefined ? '' : ` as ${[line].flat()[0]}`}, such as ${shortText(first, 200) ?? 'an empty one'}`,
    ],
    came: lost > 0 ? items.length : undefined,
    total: Number.isFinite(count) ? count : undefined,
    more: more === undefined ? undefined : isMore(whole, more),
  });
}

function isMore(whole: unknown, path: string): boolean | undefined {
  if (path.startsWith('!')) {
    const isLast = valueAt(whole, path.slice(1));
    return isLast === undefined ? undefined : isLast === false;
  }
  const value = valueAt(whole, path);
  return value !== undefined && value !== false;
}

/** By number where both are numbers; an item without the field has no time yet, and is the newest. */
function sortedBy(items: readonly unknown[], sort: string | readonly string[]): unknown[] {
  const orders = [sort]
    .flat()
    .map((path) => (path.startsWith('-') ? { path: path.slice(1), sign: -1 } : { path, sign: 1 }));
  return items.toSorted((one, other) =>
    orders.reduce(
      (order, { path, sign }) => order || compare(valueAt(one, path), valueAt(other, path), sign),
      0,
    ),
  );
}

function compare(one: unknown, other: unknown, sign: number): number {
  const [a, b] = [shortText(one), shortText(other)];
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  const order = Number(a) - Number(b);
  return sign * (Number.isNaN(order) ? (a < b ? -1 : Number(a > b)) : order);
}

function textOf(item: unknown): string | undefined {
  return typeof item === 'string' ? item : JSON.stringify(item);
}

function lineOf(item: unknown, line: string | readonly string[]): string | undefined {
  const [first = '', ...more] = [line].flat();
  const head = fillLine(first, item);
  return head === undefined ? undefined : [head, ...more.map((part) => fillLine(part, item) ?? '')].join('');
}

function rowOf(item: unknown, row: NonNullable<FieldReader['row']>): Made {
  const fields = Object.entries(row).flatMap(([name, value]) => {
    const [only] = [value].flat();
    const whole = typeof value === 'string' ? /^\{([^{}|:]+)\}$/.exec(value)?.[1] : undefined;
    const made = whole === undefined ? lineOf(item, value) : (valueAt(item, whole) as Made);
    return made === undefined || only === undefined ? [] : [[name, made] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/**
 * `{a.b|c|"text":time}`: the first with a value, in a form; `{}` is the item itself. Forms: a number of characters (300 by
 * default), `time`, and `if`, which shows nothing and has a value where the field is true.
 */
const placeholder = /\{([^{}:]*)(?::(\w+))?\}/g;

/** Undefined where a value is absent. */
function fillLine(text: string, item: unknown): string | undefined {
  let isWhole = true;
  const filled = text.replaceAll(placeholder, (_, paths: string, form: string | undefined) => {
    const said = inForm(paths === '' ? item : firstOf(item, paths.split('|')), form);
    isWhole &&= said !== undefined;
    return said ?? '';
  });
  return isWhole ? filled : undefined;
}

function firstOf(item: unknown, paths: readonly string[]): unknown {
  for (const path of paths) {
    const value = /^"(.*)"$/s.exec(path)?.[1] ?? valueAt(item, path);
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) return value;
  }
  return undefined;
}

const defaultLength = 300;

function inForm(value: unknown, form: string | undefined): string | undefined {
  if (form === 'time')
    return timeOf(typeof value === 'string' || typeof value === 'number' ? value : undefined);
  if (form === 'if') return value === undefined || value === false ? undefined : '';
  return shortText(value, form === undefined ? defaultLength : Number(form));
}

/** The mistake in a template; undefined for a valid one. */
export function templateFault({ line, row }: FieldReader): string | undefined {
  const texts = [line ?? [], Object.values(row ?? {})].flat(3);
  if (line !== undefined && !texts.some((text) => text.includes('{')))
    return `"${texts.join('')}" names no field: expected one in braces, such as {id}`;
  for (const text of texts) {
    for (const [whole, , form] of text.matchAll(placeholder))
      if (form !== undefined && form !== 'time' && form !== 'if' && !/^[1-9]\d{0,3}$/.test(form))
        return `${whole} has the form "${form}": expected time, if or a number of characters`;
    if (/[{}]/.test(text.replaceAll(placeholder, '')))
      return `"${text}" has a brace that begins or ends no field`;
  }
  return undefined;
}
