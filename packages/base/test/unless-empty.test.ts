import { expect, test } from 'vitest';
import { unlessEmpty } from '../src/unless-empty.ts';

test('an empty list is undefined, any other one is itself', () => {
  const list = [undefined];
  expect(unlessEmpty([])).toBeUndefined();
  expect(unlessEmpty(list)).toBe(list);
});
