// The reading paths: short, and first in docs/README.md. The glossary: in the order of the alphabet, so that a word is found.
import { expect, test } from 'vitest';
import { pages, readPage, tokensOf } from './pages.ts';

const paths = pages.filter((page) => page.startsWith('docs/path-'));

test('there are three paths, and docs/README.md begins with them', () => {
  const [begin = ''] = readPage('docs/README.md').split('## Begin');
  expect(paths).toHaveLength(3);
  for (const path of paths) expect(begin).toContain(`](${path.replace('docs/', '')})`);
});

test.each(paths)('%s has at most 1,500 words', (path) => {
  const words = readPage(path).split(/\s+/).length;
  expect(words).toBeGreaterThan(300);
  expect(words).toBeLessThanOrEqual(1_500);
});

test('the words of the glossary are in the order of the alphabet', () => {
  const words = tokensOf(readPage('docs/glossary.md')).flatMap((token) =>
    token.type === 'table' ? token.rows.map(([word]: { text: string }[]) => word?.text ?? '') : [],
  );
  expect(words.length).toBeGreaterThan(30);
  expect(words).toEqual(words.toSorted((a, b) => a.localeCompare(b, 'en')));
});
