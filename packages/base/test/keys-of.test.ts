import { expect, expectTypeOf, test } from 'vitest';
import { keysOf } from '../src/keys-of.ts';

test('gives the names of a table in its order, with their type', () => {
  const names = keysOf({ skip: 1, 'cancel-other': undefined, all: null });
  expect(names).toEqual(['skip', 'cancel-other', 'all']);
  expectTypeOf(names).toEqualTypeOf<('skip' | 'cancel-other' | 'all')[]>();
});
