// Markdown as a terminal shows it.
import { createColors, noColors } from '../../src/cli/colors.ts';
import { expect, test } from 'vitest';
import { renderMarkdown } from '../../src/cli/render/markdown.ts';
import { widthOf } from '../../src/cli/render/fit.ts';

const plain = noColors;

test.each([
  [
    'a heading and a paragraph',
    '# Slow\n\nIt was **the pool** of `shop`.',
    ['# Slow', '', 'It was the pool of `shop`.'],
  ],
  [
    'lists under their text',
    '1. The pool of payments was cut\n   - quote found\n2. b\n',
    ['1. The pool of payments was', '   cut', '   • quote found', '2. b'],
  ],
  ['code and quotes behind a bar', '```\na  b\n```\n\n> said', ['│ a  b', '', '│ said']],
  ['links with their address', '[the run](http://ui/x) <http://y>', ['the run (http://ui/x)', 'http://y']],
  ['a table', '| a | long name |\n|---|---|\n| 1 | 2 |', ['a  long name', '────────────', '1  2']],
  [
    'a table wider than the terminal',
    '| name | words |\n|---|---|\n| pool | many words that do not fit |',
    ['  name: pool', '  words: many words that do', '  not fit'],
  ],
  ['control sequences of a model', 'a\u001b[2Jb\u0007', [String.raw`a\u{1B}[2Jb\u{7}`]],
])('%s', (_name, markdown, rows) => {
  expect(renderMarkdown(markdown, 28, plain).split('\n')).toEqual(rows);
});

test('with colours marks become styles, and no row is wider than the terminal', () => {
  const shown = renderMarkdown(
    '# Slow\n\n`code` **bold** '.concat('数据库 '.repeat(20)),
    30,
    createColors(true),
  );
  expect(shown).toContain('\u001b[36mcode\u001b[39m');
  expect(shown).not.toMatch(/[#`*]/);
  for (const row of shown.split('\n')) expect(widthOf(row)).toBeLessThanOrEqual(30);
});
