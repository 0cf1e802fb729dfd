// Sizes are measured without building bytes; they must be those that an encoder makes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Bytes } from '../../../src/core/base/sizes.ts';

test('any text has the size that an encoder gives it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (text) => {
      expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).byteLength);
    }),
  );
  expect(utf8Bytes('a\ud800b')).toBe(5);
});
