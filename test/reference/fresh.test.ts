// The schemas and reference pages in the repository are those of the sources.
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeReference } from '../../scripts/reference/files.ts';
import { writeDifferences } from '../../scripts/reference/write-differences.ts';

const root = resolve(import.meta.dirname, '../..');

test('"npm run reference" was run: it would change nothing', () => {
  expect(writeDifferences(root, makeReference(root), { isCheck: true })).toEqual([]);
});
