import { expect, test } from 'vitest';
import { splitReasoning } from '../src/reasoning-text.ts';

test.each<[string, string, string, string[]]>([
  ['before the answer', '<think>The pool?</think>\n\nThe pool is full.', 'The pool is full.', ['The pool?']],
  ['without an end', '<think>The pool is full, I think', '', ['The pool is full, I think']],
  ['without an end, behind words', 'The pool is full.\n<thinking>or not', 'The pool is full.', ['or not']],
  ['without a beginning', 'Is it the pool?\n</think>\nThe pool.', 'The pool.', ['Is it the pool?']],
  ['twice', '<think>a</think>One.\n<think>b</think>\nTwo.', 'One.\n\nTwo.', ['a', 'b']],
  ['with the name of its vendor', '<x:Thoughts>a</x:Thoughts> One.', 'One.', ['a']],
])('[WORD-05a] reasoning %s is no part of the text', (_what, text, said, reasoning) => {
  expect(splitReasoning(text)).toEqual({ said, reasoning });
});

test.each([
  'Nothing is here.',
  'Tags like <think> are words here.',
  'It ends with `</think>`, says the log.',
  '```\n<think>a</think>\n```\n',
  ' <thinker>a</thinker>',
])('[WORD-05b] a tag among words or in a fence is a word: %j', (text) => {
  expect(splitReasoning(text)).toEqual({ said: text, reasoning: [] });
});

test('a long text of tags alone takes no time', () => {
  expect(splitReasoning('<think>'.repeat(100_000)).said).toBe('');
  expect(splitReasoning('\n<think>a</think>'.repeat(50_000)).reasoning).toHaveLength(20);
});
