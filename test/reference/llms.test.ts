// llms.txt is that of docs/README.md: a page that is added there is in it.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeLlms } from '../../tools/reference/llms.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('"npm run reference" was run: llms.txt is that of docs/README.md', () => {
  expect(read('llms.txt')).toBe(makeLlms(root));
});

test('llms.txt has every page of docs/README.md, from the root, and what it is for', () => {
  const pages = [...read('docs/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => page);
  expect(pages.length).toBeGreaterThan(40);
  for (const page of pages)
    expect(read('llms.txt')).toMatch(new RegExp(`^- \\[.+\\]\\(docs/${page}\\): \\w`, 'm'));
});
