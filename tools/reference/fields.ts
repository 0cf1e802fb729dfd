// Fields of a JSON Schema as rows: path, type in words, default, description.
import { isRecord } from '@holdfast/base/json';
import { propertiesOf, resolve, type Schema } from './schema-parts.ts';

export type Field = { path: string; type: string; preset: string; words: string };

/** The fields of an object and of the objects in it, down to types whose name is in `closed`. */
export function listFields(root: Schema, closed: readonly string[] = []): Field[] {
  return walk(root, root, '', closed);
}

function walk(schema: Schema, root: Schema, prefix: string, closed: readonly string[]): Field[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const field = {
      path,
      type: typeText(property, root),
      preset: property['default'] === undefined ? '' : JSON.stringify(property['default']),
      words: wordsOf(property, root),
    };
    const inner = innersOf(property, root, closed).flatMap(({ schema: inside, step }) =>
      walk(inside, root, `${path}${step}.`, closed),
    );
    return [field, ...withoutRepeats(inner)];
  });
}

/** Fields that several forms share are listed once. */
function withoutRepeats(fields: readonly Field[]): Field[] {
  return [...new Map(fields.toReversed().map((field) => [field.path, field])).values()].toReversed();
}

function wordsOf(property: Schema, root: Schema): string {
  const words = property['description'] ?? resolve(property, root)['description'];
  return typeof words === 'string' ? words : '';
}

type Inner = { schema: Schema; step: string };

/** Objects whose fields are listed too: each form of the property itself, or each of its named or listed values. */
function innersOf(property: Schema, root: Schema, closed: readonly string[]): Inner[] {
  return formsOf(property, root, closed).flatMap((form): Inner[] => {
    if (Object.keys(propertiesOf(form)).length > 0) return [{ schema: form, step: '' }];
    const [values, items] = [form['additionalProperties'], form['items']];
    return [
      ...(isRecord(values)
        ? formsOf(values, root, closed).map((schema) => ({ schema, step: '.<name>' }))
        : []),
      ...(isRecord(items) ? formsOf(items, root, closed).map((schema) => ({ schema, step: '[]' })) : []),
    ].filter(({ schema }) => Object.keys(propertiesOf(schema)).length > 0);
  });
}

/** The members of a union. */
function formsOf(schema: Schema, root: Schema, closed: readonly string[]): Schema[] {
  if (closed.includes(nameOf(schema)) || isJson(schema)) return [];
  const whole = resolve(schema, root);
  const forms = whole['anyOf'] ?? whole['oneOf'];
  return Array.isArray(forms) ? forms.flatMap((form: Schema) => formsOf(form, root, closed)) : [whole];
}

/** Words such as `"a" or "b"`, `list of texts`, `whole number, 1 to 100`. */
function typeText(schema: Schema, root: Schema): string {
  if (isJson(schema)) return 'any value';
  if (schema['description'] === 'a function') return 'function';
  const whole = resolve(schema, root);
  const { type, enum: words, const: word, anyOf, oneOf, items, additionalProperties: values } = whole;
  if (Array.isArray(words)) return words.map((one) => JSON.stringify(one)).join(' or ');
  if (word !== undefined) return JSON.stringify(word);
  const variants = anyOf ?? oneOf;
  if (Array.isArray(variants)) {
    return [...new Set(variants.map((variant: Schema) => typeText(variant, root)))].join(' or ');
  }
  if (type === 'array') return isRecord(items) ? `list of ${plural(typeText(items, root))}` : 'list';
  if (type === 'integer' || type === 'number')
    return `${type === 'integer' ? 'whole ' : ''}number${range(whole)}`;
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'true or false';
  const hasFields = Object.keys(propertiesOf(whole)).length > 0;
  if (type === 'object' && isRecord(values) && !hasFields && Object.keys(values).length > 0) {
    return `${plural(typeText(values, root))} by name`;
  }
  return type === 'object' ? 'object' : 'any value';
}

function range({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const highest = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  const lowest = typeof minimum === 'number' && minimum > -Number.MAX_SAFE_INTEGER ? minimum : undefined;
  if (typeof exclusiveMinimum === 'number') return `, above ${exclusiveMinimum}`;
  if (lowest !== undefined && highest !== undefined) return `, ${lowest} to ${highest}`;
  if (lowest !== undefined) return `, at least ${lowest}`;
  return highest === undefined ? '' : `, at most ${highest}`;
}

function plural(words: string): string {
  const [first = '', ...rest] = words.split(', ');
  const named = new Map([
    ['text', 'texts'],
    ['object', 'objects'],
    ['function', 'functions'],
    ['any value', 'any values'],
  ]);
  return [named.get(first) ?? first, ...rest].join(', ');
}

/** True for a type that contains itself. */
function isJson(schema: Schema): boolean {
  return /^(Json|__schema\d+)$/.test(nameOf(schema));
}

function nameOf({ $ref: reference }: Schema): string {
  return typeof reference === 'string' ? reference.replace('#/$defs/', '') : '';
}
