import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkText } from '../../../src/activities/notes/chunk-text.ts';
import { sanitiseText } from '@holdfast/redaction/sanitise';
import { textTokens } from '@holdfast/base/text-tokens';

const wordsOf = (text: string): string[] => text.match(/\S+/g) ?? [];

test('[MEM-01b] a long text is cut into chunks of at most 400 tokens, each repeating about 80 of the one before', () => {
  const words = Array.from({ length: 3_000 }, (_, index) => `word-${index}`);
  const chunks = chunkText('MEMORY.md', words.join(' '), 1);
  expect(chunks.length).toBeGreaterThan(5);
  for (const [index, { text, position }] of chunks.entries()) {
    expect(position).toBe(index);
    expect(textTokens(text)).toBeLessThanOrEqual(400);
    if (index < chunks.length - 1) expect(textTokens(text)).toBeGreaterThan(380);
    const before = wordsOf(chunks[index - 1]?.text ?? '');
    const repeated = wordsOf(text).filter((word) => before.includes(word));
    if (index > 0) expect(textTokens(repeated.join(' '))).toBeGreaterThan(70);
    expect(textTokens(repeated.join(' '))).toBeLessThanOrEqual(82);
  }
  expect(new Set(chunks.flatMap(({ text }) => wordsOf(text)))).toEqual(new Set(words));
});

test('[MEM-01b] whatever the text: no word is lost, no chunk is too long, and equal texts give equal chunks', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      '\n## A title\n',
      '\n# Not a section\n',
      '\n\n',
      '##',
      ' ',
      'x'.repeat(5_000),
      '字'.repeat(900),
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = sanitiseText(pieces.join(''));
      const chunks = chunkText('a.md', text, 1);
      for (const chunk of chunks) expect(textTokens(chunk.text)).toBeLessThanOrEqual(400);
      expect(chunkText('a.md', text, 2).map(({ id }) => id)).toEqual(chunks.map(({ id }) => id));
      if (!/<!--|## /.test(text)) {
        const letters = (part: string): string => [...new Set(part.replaceAll(/\s/g, ''))].sort().join('');
        expect(letters(chunks.map((chunk) => chunk.text).join(''))).toBe(letters(text));
      }
    }),
    { numRuns: 40 },
  );
});

test('sections stay apart, with their title; comments are for people', () => {
  const text =
    'before\n## First\n<!-- holdfast: key -->\n- a\n### Inside\n- b\n##Not one\n## Empty\n## Second  \n- c\n';
  expect(
    chunkText('MEMORY.md', text, 1).map(({ title, section, text: words }) => [title, section, words]),
  ).toEqual([
    ['', 0, 'before'],
    ['First', 1, '- a\n### Inside\n- b\n##Not one'],
    ['Second', 3, '- c'],
  ]);
});
