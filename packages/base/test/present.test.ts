import { expect, expectTypeOf, test } from 'vitest';
import { present } from '../src/present.ts';

test('drops items that are undefined or false, and keeps the others in their order', () => {
  const word: string | undefined = ['late'].at(1);
  const items = present(['first', word, word !== undefined && 'never', '', 'last']);
  expect(items).toStrictEqual(['first', '', 'last']);
  expectTypeOf(items).toEqualTypeOf<string[]>();
});

test('keeps null and 0', () => {
  expect(present([0, null, undefined, false])).toStrictEqual([0, null]);
});
