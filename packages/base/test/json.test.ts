// Guards for values from outside.
import { expect, test } from 'vitest';
import { fieldsOf } from '../src/json.ts';

test('fields are taken out of an object alone', () => {
  expect(fieldsOf({ a: 1 })).toEqual({ a: 1 });
  for (const value of [undefined, null, 'a', 1, [{ a: 1 }]]) expect(fieldsOf(value)).toEqual({});
});
