// Valid JSON that can be read two ways is told apart from JSON that cannot.
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { z } from 'zod';
import {
  createArgumentValidator,
  describeParseError,
  findInexactness,
} from '../../../src/activities/tools/tool-arguments.ts';

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

test('[TOOL-22a] a value that does not fit a pattern is refused in words, by schema and by parser', () => {
  const pattern = '^(?!.*secret)[a-z]+$';
  const validate = createArgumentValidator();
  const refused = (field: object) =>
    validate(
      { type: 'object', properties: { kind: { type: 'string', pattern, ...field } } },
      { kind: 'Pods' },
    );
  expect(refused({ description: 'In lower case.' })).toEqual({
    ok: false,
    reason: 'kind: is not of the form that is expected: In lower case.',
  });
  expect(refused({})).toEqual({ ok: false, reason: 'kind: is not of the form that is expected.' });
  const { error } = z.object({ kind: z.string().regex(new RegExp(pattern)) }).safeParse({ kind: 'Pods' });
  expect(describeParseError(error)).toBe('kind: is not of the form that is expected.');
});
