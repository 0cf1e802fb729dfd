// TypeScript of the pages: every block compiles against the public entries, strictly; a config is valid; a test of a page
// runs. One compiler and one process of Node see all of them.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { ownNames } from './own-names.ts';
import { besideFolder, type Block, blocksIn, placeOf, sourceOf } from './pages.ts';
import { projectRoot } from '../support/project-root.ts';

const run = promisify(execFile);
const bin = join(projectRoot, 'node_modules/.bin');
const workFolder = join(projectRoot, 'reports/doc-blocks');

/** One file, from one block and those that continue it. */
type Module = { folder: string; file: string; blocks: Block[] };

const modules: Module[] = [];
for (const block of blocksIn('ts')) {
  const last = modules.at(-1);
  if (block.continued && last?.blocks[0]?.page === block.page) last.blocks.push(block);
  // npm run check compiles the programs of the examples
  else if (sourceOf(block) === undefined) modules.push(moduleOf(block));
}

/** Files of one page are neighbours; one that a page shows twice begins a folder of its own. */
function moduleOf(block: Block): Module {
  const { page, line, file = `line-${line}.ts` } = block;
  const folder = join(workFolder, page.replaceAll(/[/.]/g, '-'));
  const shown = modules.some((other) => other.folder === folder && other.file === file);
  return { folder: shown ? `${folder}-${line}` : folder, file, blocks: [block] };
}

const textOf = ({ blocks }: Module): string => blocks.map(({ text }) => text).join('');
const pathOf = ({ folder, file }: Module): string => join(folder, file);
const titleOf = ({ blocks }: Module): string => (blocks[0] ? placeOf(blocks[0]) : '');

/** Places in the pages for places in the files. */
function inPages(text: string): string {
  return modules.reduce((all, module) => all.replaceAll(pathOf(module), titleOf(module)), text);
}

beforeAll(() => {
  rmSync(workFolder, { recursive: true, force: true });
  for (const module of modules) {
    mkdirSync(dirname(pathOf(module)), { recursive: true });
    writeFileSync(pathOf(module), textOf(module));
  }
  // the data that the tests of a page read
  for (const { page, file, text } of blocksIn('json', 'md')) {
    const { folder } = tests.find(({ blocks: [block] }) => block?.page === page) ?? {};
    if (folder === undefined || file === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  for (const folder of new Set(modules.map((module) => module.folder))) {
    for (const name of readdirSync(besideFolder)) {
      if (!existsSync(join(folder, name))) symlinkSync(join(besideFolder, name), join(folder, name));
    }
  }
});

test('every module compiles', { timeout: 120_000 }, async () => {
  expect(modules.length).toBeGreaterThan(30);
  const project = join(workFolder, 'tsconfig.json');
  const paths = Object.fromEntries([...ownNames].map(([name, path]) => [name, [path]]));
  const options = { noEmit: true, noUnusedLocals: false, moduleDetection: 'force', paths };
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(projectRoot, 'tsconfig.json'),
      compilerOptions: options,
      include: [],
      files: [...modules.map(pathOf), join(projectRoot, 'src/activities/storage/pg.d.ts')],
    }),
  );
  const { stdout } = await run(join(bin, 'node'), [join(bin, 'tsc'), '-p', project], {
    cwd: projectRoot,
  }).catch((error: { stdout: string }) => error);
  expect(inPages(stdout.replaceAll(/^(?=reports\/)/gm, `${projectRoot}/`))).toBe('');
});

function nodeWith(...args: string[]): [string, string[]] {
  return [join(bin, 'node'), ['--import', join(import.meta.dirname, 'own-names.ts'), ...args]];
}

test('every config is valid', { timeout: 60_000 }, async () => {
  const configs = modules.filter((module) => /^export default defineConfig\(/m.test(textOf(module)));
  expect(configs.length).toBeGreaterThan(15);
  const [node, args] = nodeWith(join(import.meta.dirname, 'load-configs.ts'), ...configs.map(pathOf));
  const { stdout } = await run(node, args, { cwd: projectRoot });
  expect(JSON.parse(inPages(stdout))).toEqual([]);
});

const tests = modules.filter((module) => textOf(module).includes("from 'node:test'"));

test.each(tests.map((module) => ({ title: titleOf(module), module })))(
  'the test of $title passes',
  { timeout: 60_000 },
  async ({ module }) => {
    const [node, args] = nodeWith('--test', '--test-reporter=spec', module.file);
    const { NODE_OPTIONS: _, ...environment } = process.env;
    const { stdout } = await run(node, args, { cwd: module.folder, env: environment });
    expect(stdout).toMatch(/pass [1-9]/);
  },
);
