// The schemas and reference pages in the repository are those of the sources, and what they tell of can be imported.
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readEntries } from '../../scripts/reference/entries.ts';
import { unexportedTypes } from '../../scripts/reference/exported-types.ts';
import { makeReference, readTypes } from '../../scripts/reference/files.ts';
import type { TypeSchemas } from '../../scripts/reference/type-schema.ts';
import { writeDifferences } from '../../scripts/reference/write-differences.ts';

const root = resolve(import.meta.dirname, '../..');
let types: TypeSchemas;

beforeAll(() => {
  types = readTypes(root);
});

test('"npm run reference" was run: it would change nothing', () => {
  expect(writeDifferences(root, makeReference(types), { isCheck: true })).toEqual([]);
});

test('every type that a user meets is exported from the entry where he meets it', () => {
  const files = [...readEntries(root).values()];
  expect(files.length).toBeGreaterThan(4);
  expect(unexportedTypes(types.program, root, files)).toEqual([]);
});
