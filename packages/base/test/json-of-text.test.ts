// JSON among other words: where it is, and what is none.
import { expect, test } from 'vitest';
import { jsonOfText, jsonPlaces } from '../src/json-of-text.ts';

const found = (text: string) =>
  jsonPlaces(text).map(({ value, from, to }) => {
    expect(JSON.parse(text.slice(from, to))).toEqual(value);
    return value;
  });

test('[LOOP-39a] objects and lists are found among words, with brackets and quotes in their texts', () => {
  expect(found('a {"b":"} \\" {"} c [1, {"d":2}] {} [x] {y}')).toEqual([{ b: '} " {' }, [1, { d: 2 }], {}]);
  expect(found('It is 5" wide and 3" high: {"a":1}')).toEqual([{ a: 1 }]);
});

test.each([
  ['<think>{"a":1}</think>{"a":2}', 2],
  ['  <thinking>\n{"a":1}\n</thinking>\n\nHere: {"a":2}', 2],
  ['{"a":1}\n</think>\n{"a":2}', 2],
  ['<seed:think>{"a":1}</seed:think>{"a":2}', 2],
  ['Tags like <think> are words here: {"a":2}', 2],
])('[LOOP-39a] reasoning before the answer is left out: %s', (text, a) => {
  expect(found(text)).toEqual([{ a }]);
});

test('[LOOP-39a] an answer alone, or in a fence, is found behind its reasoning', () => {
  expect(jsonOfText('<think>{"a":1}</think>\n{"a":2}')).toEqual({ value: { a: 2 } });
  expect(jsonOfText('<think>\n```\n{"a":1}\n```\n</think>\nIt is 2.')).toBeUndefined();
  expect(jsonOfText('{"a":"</think> is a tag"}')).toEqual({ value: { a: '</think> is a tag' } });
});

test('[LOOP-39b] a part of a value is none, and what follows one that does not close may be its part', () => {
  expect(found('{"a":{"b":1},} {"c":1}')).toEqual([{ c: 1 }]);
  expect(found('{"c":1} {"a":[{"b":1}')).toEqual([{ c: 1 }]);
  expect(found('<think>{"a":1}')).toEqual([]);
});

test('[LOOP-39c] a long text of brackets, or of many values, is read once', () => {
  expect(found('{"'.repeat(500_000))).toEqual([]);
  expect(found('<think>'.repeat(100_000))).toEqual([]);
  expect(found('[1] '.repeat(200_000))).toHaveLength(50);
  expect(found(`x {"a":"${'y'.repeat(2_000_000)}"}`)).toHaveLength(1);
});

test('[LOOP-39a] a fence begins a line: words behind U+2028 in a text, or behind many carriage returns, are none', () => {
  const text = '{"note": "one\u2028``` two"}';
  expect(jsonOfText(`Here:\n\`\`\`json\n${text}\n\`\`\``)).toEqual({ value: { note: 'one\u2028``` two' } });
  // read once: a terminal's progress has as many
  expect(jsonOfText(`\`\`\`\n${'\r'.repeat(400_000)}`)).toBeUndefined();
});
