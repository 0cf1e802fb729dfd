// The schemas and reference pages in the repository are those of the sources, and what they tell of can be imported.
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { apiFolder, makeApiPages } from '../../tools/reference/api-pages.ts';
import { readEntries } from '../../tools/reference/entries.ts';
import { unexportedTypes } from '../../tools/reference/exported-types.ts';
import { makeReference, readTypes } from '../../tools/reference/files.ts';
import type { TypeSchemas } from '../../tools/reference/type-schema.ts';
import { writeDifferences } from '../../tools/reference/write-differences.ts';

const root = resolve(import.meta.dirname, '../..');
let types: TypeSchemas;

// the compiler reads all sources
beforeAll(() => {
  types = readTypes(root);
}, 60_000);

test('"npm run reference" was run: it would change nothing', async () => {
  const files = await makeReference(types);
  expect(writeDifferences(root, files, { isCheck: true, folders: ['catalog/schemas'] })).toEqual([]);
});

test('the API pages are those of the sources, and TypeDoc has no warning', { timeout: 240_000 }, async () => {
  const pages = await makeApiPages(root);
  expect(writeDifferences(root, pages, { isCheck: true, folders: [apiFolder] })).toEqual([]);
});

test('every type that a user meets is exported from the entry where he meets it', () => {
  const files = [...readEntries(root).values()];
  expect(files.length).toBeGreaterThan(4);
  expect(unexportedTypes(types.program, root, files)).toEqual([]);
});
