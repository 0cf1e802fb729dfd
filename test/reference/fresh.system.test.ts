// The schemas and reference pages in the repository are those of the sources.
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { apiFolder, makeApiReports } from '../../tools/reference/api-report.ts';
import { makeReference, readTypes } from '../../tools/reference/files.ts';
import type { TypeSchemas } from '../../tools/reference/type-schema.ts';
import { writeDifferences } from '../../tools/reference/write-differences.ts';

const root = resolve(import.meta.dirname, '../..');
let types: TypeSchemas;

// the compiler reads all sources
beforeAll(() => {
  types = readTypes(root);
}, 120_000);

test('"npm run reference" was run: it would change nothing', async () => {
  const files = await makeReference(types);
  expect(writeDifferences(root, files, { isCheck: true, folders: ['catalog/schemas'] })).toEqual([]);
});

test('the API reports are those of the sources', { timeout: 60_000 }, async () => {
  const reports = await makeApiReports(types.program, root);
  expect(writeDifferences(root, reports, { isCheck: true, folders: [apiFolder] })).toEqual([]);
});
