import { expect, expectTypeOf, test } from 'vitest';
import { isKeyOf, keysOf } from '../src/keys.ts';

const limits = { turns: 3, costUsd: 1 };

test('the names of a table are in its order and have its type', () => {
  expect(keysOf(limits)).toEqual(['turns', 'costUsd']);
  expectTypeOf(keysOf(limits)).toEqualTypeOf<('turns' | 'costUsd')[]>();
});

test('a name of every object is no name of the table', () => {
  expect(isKeyOf(limits, 'turns')).toBe(true);
  expect(isKeyOf(limits, 'constructor')).toBe(false);
});
