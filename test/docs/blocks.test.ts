// Every block of every page has a kind that a test checks, and data is what the page says that it is.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseDocument } from 'yaml';
import { parseSkill } from '../../src/activities/skills/parse-skill.ts';
import { readToolset } from '../../src/activities/toolsets/read-toolset.ts';
import { readAgentFiles } from '../../src/config/agent-files.ts';
import { parseConfig } from '../../src/config/config-file.ts';
import { parseModelScript } from '@holdfast/scripted-model/load-model-script';
import { allBlocks, type Block, blocksIn, blocksOf, placeOf, pages, sourceOf } from './pages.ts';

/** Checked in this file, in `commands.test.ts` and in `typescript.test.ts`; every other language shows a file of ours. */
const kinds = new Set(['ts', 'sh', 'console', 'yaml', 'json', 'md', 'text']);

test('every block has a kind that is checked, or is cut from a file of this repository', () => {
  expect(pages.length).toBeGreaterThan(40);
  const unchecked = allBlocks.filter((block) => !kinds.has(block.language) && sourceOf(block) === undefined);
  expect(unchecked.map((block) => `${placeOf(block)} is "${block.language}"`)).toEqual([]);
});

test('a block that is only text shows no command, no module and no data', () => {
  const more = blocksIn('text').filter(({ text }) =>
    /^(\$ |npx |npm |holdfast |import |export |\{$)/m.test(text),
  );
  expect(more.map(placeOf)).toEqual([]);
});

test('a page with a block that is not closed, or that hides in a list, is read as Markdown reads it', () => {
  expect(() => blocksOf('page.md', 'One\n```ts\nlet a;\n')).toThrow('page.md:2 is never closed');
  expect(blocksOf('page.md', '- One:\n\n  ```ts a.ts continued\n  let a;\n\n    let b;\n  ```\n')).toEqual([
    { page: 'page.md', line: 3, language: 'ts', continued: true, file: 'a.ts', text: 'let a;\n\n  let b;\n' },
  ]);
});

const data = blocksIn('yaml', 'json', 'md').map((block) => ({ ...block, title: placeOf(block) }));

test.each(data)('$title parses, and is valid for what it is', async (block) => {
  await (block.language === 'md' ? checkMarkdown(block) : checkData(block));
});

/** YAML is a config unless it has the form of a toolset or of a model script, or its fence names another file. */
async function checkData(block: Block): Promise<void> {
  const { language, text, file = language === 'yaml' ? 'holdfast.config.yaml' : '' } = block;
  const document = parseDocument(text, { strict: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  const value: unknown = document.toJS();
  if (typeof value !== 'object' || value === null)
    throw new Error(`Expected a mapping, got ${String(value)}.`);
  if ('tools' in value && 'name' in value) await checkToolset(text);
  else if ('steps' in value || 'parts' in value) parseModelScript(text, placeOf(block));
  else if (file.startsWith('holdfast.config.')) parseConfig(value, placeOf(block));
}

async function checkToolset(text: string): Promise<void> {
  await readToolset(join(await folderWith('queue.yaml', text), 'queue.yaml'));
}

async function checkMarkdown({ file = '', text, ...block }: Block): Promise<void> {
  if (/^agents\/[\w-]+\.md$/.test(file)) {
    const { files, problems } = await readAgentFiles(join(await folderWith(file, text), 'agents'));
    expect([files.length, problems]).toEqual([1, []]);
  } else if (file.endsWith('/SKILL.md')) {
    expect(parseSkill(text)).toMatchObject({ ok: true });
  } else if (!/^(prompts|runbooks)\/[\w-]+\.md$|^[A-Z]+\.md$/.test(file)) {
    throw new Error(
      `${placeOf(block)} names no file: expected "md agents/night.md" or another that Holdfast reads.`,
    );
  }
}

async function folderWith(file: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-docs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
  return folder;
}
