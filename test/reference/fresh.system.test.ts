// The schemas and reference pages in the repository are those of the sources.
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFolders, makeReference } from '../../tools/reference/files.ts';
import { writeDifferences } from '../../tools/reference/write-differences.ts';

const root = resolve(import.meta.dirname, '../..');

// the compiler reads all sources
test('"npm run reference" was run: it would change nothing', { timeout: 180_000 }, async () => {
  const files = await makeReference(root);
  expect([...files.keys()]).toEqual(expect.arrayContaining(['llms.txt', 'docs/reference/api/client.md']));
  expect(writeDifferences(root, files, { isCheck: true, folders: generatedFolders })).toEqual([]);
});
