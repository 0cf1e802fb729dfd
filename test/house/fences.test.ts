// The fences bite: each forbidden import or global, written into a copy of the house, is refused by the real tools.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

const projectRoot = resolve(import.meta.dirname, '../..');
const bin = join(projectRoot, 'node_modules/.bin');

type Case = [file: string, source: string, from: string];

const forbidden: Case[] = [
  ['src/core/a.ts', "export * from 'node:fs/promises';", 'node:fs/promises'],
  ['src/core/a.ts', "export * from 'openai';", 'openai'],
  ['src/core/a.ts', "export type * from '@temporalio/workflow';", '@temporalio/workflow'],
  ['src/core/a.ts', "export * from '../activities/digest.ts';", '../activities/digest.ts'],
  ['src/core/a.ts', "export * from '../config.ts';", '../config.ts'],
  ['src/core/a.schema.ts', "export * from 'node:fs';", 'node:fs'],
  ['src/core/tools/a.ts', "export * from '../../worker.ts';", '../../worker.ts'],
  ['src/workflows/a.ts', "export * from 'node:assert';", 'node:assert'],
  ['src/workflows/a.ts', "export * from 'zod';", 'zod'],
  ['src/workflows/a.ts', "export type * from '@temporalio/activity';", '@temporalio/activity'],
  ['src/workflows/a.ts', "export type * from '../activities/index.ts';", '../activities/index.ts'],
  ['src/workflows/a.ts', "export * from '../core/a.schema.ts';", '../core/a.schema.ts'],
  ['src/workflows/a.ts', "export * from '../core/tools/read.ts';", '../core/tools/read.ts'],
  ['src/activities/a.ts', "export * from '@temporalio/workflow';", '@temporalio/workflow'],
  ['src/activities/tools/a.ts', "export * from '../../workflows/a.ts';", '../../workflows/a.ts'],
  ['src/activities/a.ts', "export * from '../config.ts';", '../config.ts'],
  ['src/client.ts', "export * from './activities/index.ts';", './activities/index.ts'],
  ['src/client.ts', "export * from '@temporalio/worker';", '@temporalio/worker'],
  ['src/worker.ts', "export * from './workflows/index.ts';", './workflows/index.ts'],
  ['src/cli/a.ts', "export * from '../activities/index.ts';", '../activities/index.ts'],
  ['src/cli/a.ts', "export * from '../workflows/a.ts';", '../workflows/a.ts'],
];

const allowed: [file: string, source: string][] = [
  ['src/core/a.schema.ts', "export * from 'zod';"],
  ['src/core/tools/a.ts', "export * from 'zod';\nexport * from '../messages.ts';"],
  ['src/workflows/a.ts', "export * from '@temporalio/workflow';\nexport * from '../core/messages.ts';"],
  ['src/activities/a.ts', "export * from 'node:fs';\nexport * from 'openai';\nexport * from '../core/a.ts';"],
  ['src/client.ts', "export * from './workflows/workflow-api.ts';"],
  [
    'src/cli/a.ts',
    "export * from '../client.ts';\nexport * from '../config.ts';\nexport * from '../worker.ts';",
  ],
  ['src/config/config.ts', 'export const path = process.env;'],
];

const sandboxGlobals = [
  'process.pid',
  "fetch('http://127.0.0.1')",
  'AbortSignal.timeout(1)',
  "Buffer.from('a')",
  'crypto.randomUUID()',
  'structuredClone({})',
  'setTimeout(() => {}, 1)',
  'performance.now()',
];

let house = '';

function write(file: string, source: string) {
  const path = join(house, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${source}\n`);
}

function run(command: string, ...args: string[]) {
  const { status, stdout } = spawnSync(process.execPath, [join(bin, command), ...args], {
    cwd: house,
    encoding: 'utf8',
  });
  return { status, stdout };
}

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'holdfast-fences-'));
  for (const file of ['.oxlintrc.json', 'tsconfig.json', 'tsconfig.sandbox.json', 'package.json']) {
    copyFileSync(join(projectRoot, file), join(house, file));
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(house, 'node_modules'));
  return () => rmSync(house, { recursive: true, force: true });
});

function clean() {
  rmSync(join(house, 'src'), { recursive: true, force: true });
}

describe('import rules', () => {
  test.each(forbidden)('%s may not say %s', (file, source, from) => {
    clean();
    write(file, source);
    const { status, stdout } = run('oxlint', '--format=unix', file);
    expect(stdout).toContain(`'${from}' import is restricted`);
    expect(status).toBe(1);
  });

  test.each(allowed)('%s may say %s', (file, source) => {
    clean();
    write(file, source);
    expect(run('oxlint', '--format=unix', file)).toMatchObject({ status: 0 });
  });

  test('a cycle is refused', () => {
    clean();
    write('src/core/a.ts', "import { b } from './b.ts';\nexport const a = () => b;");
    write('src/core/b.ts', "import { a } from './a.ts';\nexport const b = () => a;");
    expect(run('oxlint', '--format=unix', 'src').stdout).toContain('import(no-cycle)');
  });

  test('only config reads the environment', () => {
    clean();
    write('src/client.ts', 'export const path = process.env;');
    expect(run('oxlint', '--format=unix', 'src').stdout).toContain('no-process-env');
  });
});

describe('type-aware rules', () => {
  test.each([
    [
      'no-floating-promises',
      'declare const call: () => Promise<void>;\nexport function go() {\n  call();\n}',
    ],
    [
      'switch-exhaustiveness-check',
      "export function go(a: 'x' | 'y') {\n  switch (a) {\n    case 'x':\n      return 1;\n  }\n  return 2;\n}",
    ],
    ['no-explicit-any', 'export const value = JSON.parse("1") as any;'],
    ['consistent-type-imports', "import { Json } from './json.ts';\nexport const value: Json = 1;"],
    ['no-non-null-assertion', 'export const first = (list: string[]) => list[0]!;'],
  ])('%s', (rule, source) => {
    clean();
    write('src/core/base/json.ts', 'export type Json = number;');
    write('src/core/a.ts', source);
    const { status, stdout } = run('oxlint', '--type-aware', '--format=unix', 'src');
    expect(stdout).toContain(rule);
    expect(status).toBe(1);
  });
});

describe('sandbox types', () => {
  test('what the workflow sandbox has compiles', () => {
    clean();
    write('src/core/a.ts', 'export const now = (at: Date): number => Math.floor(at.getTime() / 1000);');
    write(
      'src/workflows/a.ts',
      "import { sleep } from '@temporalio/workflow';\nexport const nap = () => sleep(1);",
    );
    expect(run('tsc', '-p', 'tsconfig.sandbox.json')).toMatchObject({ status: 0 });
  });

  test.each(sandboxGlobals)('%s does not compile', (expression) => {
    clean();
    write('src/workflows/a.ts', `export const value = () => ${expression};`);
    const { status, stdout } = run('tsc', '-p', 'tsconfig.sandbox.json');
    expect(stdout).toMatch(/error TS2(304|552|580|584|591|867)/);
    expect(status).not.toBe(0);
  });
});
