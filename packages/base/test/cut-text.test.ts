// Texts cut to a size: never over it, never inside a character, marked where something is missing.
import { describe, expect, test } from 'vitest';
import { cutText, cutToBytes, cutToJsonBytes, cutWords, endOfText, newestOf } from '../src/cut-text.ts';
import { jsonBytes, utf8Bytes } from '../src/sizes.ts';

test.each([
  ['abc', 3, '…', 'abc'],
  ['abcd', 3, '…', 'ab…'],
  ['abcd', 3, '', 'abc'],
  ['ab🙂d', 4, '…', 'ab…'],
  ['ab🙂d', 3, '', 'ab'],
  ['abcdef', 2, ' [cut]', ' ['],
  ['abc', 0, '…', ''],
])('%j in %i with %j', (text, length, mark, cut) => {
  expect(cutText(text, length, mark)).toBe(cut);
});

test.each([
  ['one two three', 13, 'one two three'],
  ['one two three', 12, 'one two…'],
  ['one two  three', 8, 'one two…'],
  ['one two three', 6, 'one…'],
  ['onetwothree four', 8, 'onetwot…'],
  ['', 3, ''],
])('words of %j in %i', (text, length, cut) => {
  expect(cutWords(text, length)).toBe(cut);
});

test.each([
  ['abc', 3, 'abc'],
  ['abc', 2, 'bc'],
  ['a🙂c', 2, 'c'],
  ['abc', 0, ''],
])('the end of %j in %i', (text, length, end) => {
  expect(endOfText(text, length)).toBe(end);
});

describe.each(['x"🙂\n'.repeat(400), 'ä'.repeat(900), '\u0007'.repeat(300)])('%j', (text) => {
  test.each([0, 5, 6, 7, 50, 333, 10_000])('in %i bytes', (limit) => {
    const room = Math.max(limit, 6);
    expect(utf8Bytes(cutToBytes(text, limit))).toBeLessThanOrEqual(room);
    expect(jsonBytes(cutToJsonBytes(text, limit))).toBeLessThanOrEqual(room);
    expect(jsonBytes(newestOf(text, limit))).toBeLessThanOrEqual(room);
    for (const cut of [cutToBytes(text, limit), cutToJsonBytes(text, limit), newestOf(text, limit)]) {
      expect(cut.isWellFormed()).toBe(true);
    }
  });
});
