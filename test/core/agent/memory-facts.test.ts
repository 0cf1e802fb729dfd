import { describe, expect, test } from 'vitest';
import { toFacts } from '../../../src/core/agent/memory/facts.ts';

describe('[MEM-05a] an answer that has no fact', () => {
  test.each(['', '  \n ', 'NONE', 'none', 'None.', '- NONE', '**None**'])('%j', (answer) => {
    expect(toFacts(answer.replaceAll('*', ''))).toEqual([]);
  });
});

test('facts are the list of the answer, each on one line, or its lines where there is no list', () => {
  expect(toFacts('Here they are:\n- The pool has 40.\n* Redis evicts.\n\nDone.')).toEqual([
    'The pool has 40.',
    'Redis evicts.',
  ]);
  expect(toFacts('The pool has 40.\nRedis evicts.')).toEqual(['The pool has 40.', 'Redis evicts.']);
});

test('no fact passes for a heading or a mark of the notes, and none is without end', () => {
  const [heading, mark, long] = toFacts(`- ## Auto-captured\n- <!-- holdfast: key -->\n- ${'x'.repeat(900)}`);
  expect(heading).toBe('Auto-captured');
  expect(mark).toBe('holdfast: key');
  expect(long).toHaveLength(500);
  expect(toFacts(Array.from({ length: 90 }, (_, index) => `- ${index}`).join('\n'))).toHaveLength(20);
});
