// The table of docs/sources.md and the size of a tool list with many sources.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readStarterSet } from '../../../src/worker/tool-sources/starter-toolsets.ts';
import { makeSourcesPage } from '../../../scripts/reference/sources-page.ts';

const root = resolve(import.meta.dirname, '../../..');

test('[SRC-09a] docs/sources.md has what the files of the starter set say, and each says it', async () => {
  const toolsets = await readStarterSet();
  expect(await readFile(join(root, 'docs/sources.md'), 'utf8')).toBe(makeSourcesPage(toolsets));
  const silent = toolsets.filter(({ permissions, tested, checks }) => !permissions || !tested || !checks);
  expect(silent.map(({ name }) => name)).toEqual([]);
});
