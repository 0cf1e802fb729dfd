// Which schemas a vendor's strict form takes.
import { expect, test } from 'vitest';
import { closeSchema, isStrictSchema } from '../src/wire-parts.ts';
import type { JsonObject } from '@holdfast/base/json';

const closed = {
  type: 'object',
  properties: { cause: { type: 'string' } },
  required: ['cause'],
  additionalProperties: false,
};
const { additionalProperties: _, ...open } = closed;

test.each<[string, JsonObject, boolean]>([
  ['a closed object', closed, true],
  ['an open object', open, false],
  ['an object with an optional field', { ...closed, required: [] }, false],
  ['an object without fields', { type: 'object', additionalProperties: false }, true],
  ['a list of open objects', { type: 'array', items: open }, false],
  ['a choice with an open object', { anyOf: [closed, open] }, false],
  ['a list as the whole', { type: 'array', items: closed }, false],
  [
    'an open object or null',
    { ...closed, properties: { cause: { ...open, type: ['object', 'null'] } } },
    false,
  ],
  ['an open object inside a closed one', { ...closed, properties: { cause: open } }, false],
])('%s', (_name, schema, strict) => {
  expect(isStrictSchema(schema)).toBe(strict);
});

test('an open schema is closed at every depth, a map of values is not', () => {
  const map = { type: 'object', additionalProperties: { type: 'number' } };
  const schema = { ...open, properties: { list: { type: 'array', items: open }, map } };
  expect(closeSchema(schema)).toEqual({
    ...closed,
    properties: { list: { type: 'array', items: closed }, map },
  });
});
