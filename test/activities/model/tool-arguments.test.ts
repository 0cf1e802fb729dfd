// Valid JSON that can be read two ways is told apart from JSON that cannot.
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { findInexactness } from '../../../src/activities/model/tool-arguments.ts';

test('what JSON.stringify writes is exact', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      expect(findInexactness(text)).toBeUndefined();
    }),
  );
});

test('a long number costs no more than its length', () => {
  expect(findInexactness(`[1${'0'.repeat(2_000_000)}1]`)).toMatch(/more digits/);
});
