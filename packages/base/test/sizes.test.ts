// Sizes are measured without building bytes; they must be those that an encoder makes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Bytes } from '../src/sizes.ts';

/** Halves of pairs in any order, and their neighbours. */
const halves = fc
  .array(fc.constantFrom(0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000))
  .map((units) => String.fromCharCode(...units));

test('any text has the size that an encoder gives it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), halves), (text) => {
      expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).byteLength);
    }),
  );
  expect(utf8Bytes('a\ud800b')).toBe(5);
});
