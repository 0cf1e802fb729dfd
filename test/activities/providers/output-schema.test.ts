// Which schemas a vendor's strict form takes.
import { expect, test } from 'vitest';
import { isStrictSchema } from '../../../src/activities/providers/output-schema.ts';
import type { Json } from '../../../src/core/json.ts';

const closed = {
  type: 'object',
  properties: { cause: { type: 'string' } },
  required: ['cause'],
  additionalProperties: false,
};
const { additionalProperties: _, ...open } = closed;

test.each<[string, Json, boolean]>([
  ['a closed object', closed, true],
  ['an open object', open, false],
  ['an object with an optional field', { ...closed, required: [] }, false],
  ['an object without fields', { type: 'object', additionalProperties: false }, true],
  ['a list of open objects', { type: 'array', items: open }, false],
  ['a choice with an open object', { anyOf: [closed, open] }, false],
  ['an open object inside a closed one', { ...closed, properties: { cause: open } }, false],
])('%s', (_name, schema, strict) => {
  expect(isStrictSchema(schema)).toBe(strict);
});
