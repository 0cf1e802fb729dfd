// Arguments as people see them: the value itself, with nothing in it that does not show.
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { toShownJson } from '../src/shown-json.ts';

test.each([
  ['bidi override', '\u202e', '\\u202e'],
  ['zero-width space', '\u200b', '\\u200b'],
  ['line separator', '\u2028', '\\u2028'],
  ['no-break space', '\u00a0', '\\u00a0'],
  ['Hangul filler', '\u3164', '\\u3164'],
  ['C1 control', '\u009b', '\\u009b'],
  ['DEL', '\u007f', '\\u007f'],
  ['tag character', '\u{e0041}', '\\udb40\\udc41'],
])('a character that does not show stands as its escape: %s', (_name, character, escape) => {
  expect(toShownJson({ cmd: `ls ${character} x` })).toBe(`{"cmd":"ls ${escape} x"}`);
});

test('other text stays as it is, and what is shown reads as the same value', () => {
  expect(toShownJson({ cmd: 'größe 日本 🚀 "x"\n', n: [1, null] })).toBe(
    '{"cmd":"größe 日本 🚀 \\"x\\"\\n","n":[1,null]}',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(JSON.parse(toShownJson({ [text]: text }))).toEqual({ [text]: text });
    }),
  );
});
