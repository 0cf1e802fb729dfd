// The fences bite: each forbidden import or global, written into a copy of the house, is refused by the real tools.
import { projectRoot } from '../support/project-root.ts';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { longFiles, packages } from '../../oxlint.config.ts';

const bin = join(projectRoot, 'node_modules/.bin');

/** One module of a folder with one import that it may not have. */
const forbidden: [folder: string, from: string][] = [
  ['core/board', 'node:fs/promises'],
  ['core/board', 'openai'],
  ['core/board', '../state/reduce.ts'],
  ['core/session', '../loop/agent-loop.ts'],
  ['core/loop', '@temporalio/workflow'],
  ['core/loop', '../../activities/base/digest.ts'],
  ['core/loop', '../../config/config.ts'],
  ['core/loop/workflow-tools', '../../../worker.ts'],
  ['core/agent', 'node:fs'],
  ['workflows', 'node:assert'],
  ['workflows', 'zod'],
  ['workflows', '@temporalio/activity'],
  ['workflows', '../activities/index.ts'],
  ['workflows', '../core/agent/agent-spec.schema.ts'],
  ['workflows', '../activities/tools/define-tool.ts'],
  ['activities', '@temporalio/workflow'],
  ['activities/tools', '../../workflows/session.ts'],
  ['activities', '../config/config.ts'],
  ['activities', '../codec/payload-codec.ts'],
  ['activities', '../common/signs-of-life.ts'],
  ['activities/base', '../storage/segments.ts'],
  ['activities/base', '../index.ts'],
  ['activities/base', '../../in-process/local-effects.ts'],
  ['activities/tools', '../built-in/files/read.ts'],
  ['activities/built-in/files', '../report/report.ts'],
  ['activities/built-in/report', '../../hosts/host-tools.ts'],
  ['codec', '../config/config.ts'],
  ['codec', '../workflows/index.ts'],
  ['codec', 'openai'],
  ['workflows', '../codec/payload-codec.ts'],
  ['common', '../config/config.ts'],
  ['config', '../client.ts'],
  ['dev-server', '../cli/cli.ts'],
  ['core/board', '@holdfast/scripted-model/wire'],
  ['core/board', '../../../packages/base/src/json.ts'],
  ['cli', '../../packages/demo/src/run-demo.ts'],
  ['client', '@holdfast/demo'],
  ['client', '../activities/index.ts'],
  ['client', '@temporalio/worker'],
  ['worker', '../workflows/index.ts'],
  ['worker', '../testing/test-agent.ts'],
  ['activities/mcp', '../../mcp-server/tool-parts.ts'],
  ['mcp-server', '../activities/index.ts'],
  ['mcp-server', '../worker.ts'],
  ['mcp-server', '@temporalio/client'],
  ['activities/built-in/bash', '../../../../packages/shell-judge/src/judge-command.ts'],
  ['activities', '../../packages/shell-judge/src/parse/quote.ts'],
  ['core/tools', '@holdfast/shell-judge'],
  ['workflows', '@holdfast/shell-judge'],
  ['config', '@holdfast/shell-judge'],
  ['client', '@holdfast/shell-judge'],
  ['gateway', '@temporalio/client'],
  ['gateway', '../worker.ts'],
  ['gateway', '../activities/index.ts'],
  ['gateway', '../worker/parts.ts'],
  ['cli', '../activities/index.ts'],
  ['cli', '../workflows/session.ts'],
];

const allowed: [folder: string, from: string][] = [
  ['core/agent', 'zod'],
  ['core/loop', '../session/inbox.ts'],
  ['core/tools', '@holdfast/vocabulary/messages'],
  ['workflows', '@temporalio/workflow'],
  ['workflows', '@holdfast/vocabulary/messages'],
  ['gateway', '../client.ts'],
  ['gateway', 'hono'],
  ['activities', 'node:fs'],
  ['activities', 'openai'],
  ['activities/model', '@holdfast/providers/vendor'],
  ['activities/built-in/files', '../../report/check-quotes.ts'],
  ['activities/assembly', '../built-in/report/report.ts'],
  ['activities', '@holdfast/vocabulary/messages'],
  ['activities/built-in/bash', '@holdfast/shell-judge'],
  ['codec', 'node:crypto'],
  ['codec', '@holdfast/base/failures'],
  ['codec', '../workflows/failure-converter.ts'],
  ['client', '../codec/payload-codec.ts'],
  ['worker', '@holdfast/scripted-model/model-script'],
  ['cli', '@holdfast/demo'],
  ['client', '../workflows/session/workflow-api.ts'],
  ['mcp-server', '../client.ts'],
  ['mcp-server', '@modelcontextprotocol/server'],
  ['cli', '../client.ts'],
  ['cli', '../config/config.ts'],
  ['cli', '../worker.ts'],
];

/** Imports that a package may not have, by the folder of the file. */
const fromPackage: [folder: string, from: string][] = [
  ['shell-judge/test', '../../../src/core/board/task-board.ts'],
  ['shell-judge/src/parse', '../../../../src/core/board/task-board.ts'],
  ['shell-judge/src', 'node:fs'],
  ['base/src', '@holdfast/vocabulary/messages'],
  ['vocabulary/src', '../../base/src/json.ts'],
  ['base/src', 'openai'],
  ['report/src/html', '@holdfast/shell-judge'],
  ['report/src', 'node:fs'],
  ['scripted-model/src', '../../../src/testing.ts'],
  ['view/src', '../../../src/core/agent/profiles.ts'],
  ['alert-intake/src/formats', '../../../../src/gateway/app.ts'],
  ['stored/src', '@temporalio/client'],
  ['providers/src/openai', '../../../../src/activities/model/send.ts'],
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

function run(command: string, ...args: string[]): string {
  return spawnSync(process.execPath, [join(bin, command), ...args], { cwd: house, encoding: 'utf8' }).stdout;
}

/** The lines of a tool's output by the file that they begin with. */
function byFile(output: string, separator: string): Map<string, string> {
  const lines = Map.groupBy(output.split('\n'), (line) => line.split(separator)[0] ?? '');
  return new Map([...lines].map(([file, said]) => [file, said.join('\n')]));
}

function lint(...flags: string[]): Map<string, string> {
  return byFile(run('oxlint', ...flags, '--format=unix', 'src', 'packages'), ':');
}

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'holdfast-fences-'));
  for (const file of ['oxlint.config.ts', 'tsconfig.json', 'tsconfig.sandbox.json', 'package.json']) {
    copyFileSync(join(projectRoot, file), join(house, file));
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(house, 'node_modules'));
  return () => rmSync(house, { recursive: true, force: true });
});

/** Leaves the manifests of the packages, which their fences are made of. */
function clean() {
  for (const folder of ['src', 'packages']) rmSync(join(house, folder), { recursive: true, force: true });
  for (const name of Object.keys(packages)) {
    const file = `packages/${name}/package.json`;
    write(file, readFileSync(join(projectRoot, file), 'utf8'));
  }
}

describe('import rules', () => {
  /** What the lint says of each file: all modules are looked at in one run. */
  let findings = new Map<string, string>();
  const fileOf = (list: string, index: number, folder: string): string => `src/${folder}/${list}${index}.ts`;

  beforeAll(() => {
    clean();
    for (const [list, cases] of Object.entries({ forbidden, allowed })) {
      // a type import counts like any other
      for (const [index, [folder, from]] of cases.entries()) {
        write(fileOf(list, index, folder), `export ${index % 2 === 0 ? 'type ' : ''}* from '${from}';`);
      }
    }
    write('src/core/board/a.ts', "import type { B } from './b.ts';\nexport type A = { b: B };");
    write('src/core/board/b.ts', "import type { A } from './a.ts';\nexport type B = { a?: A };");
    write('src/client.ts', "export * from '@temporalio/worker';\nexport const path = process.env;");
    write('src/worker.ts', "export * from './workflows/index.ts';");
    write('src/config/config.ts', 'export const path = process.env;');
    for (const [index, [folder, from]] of fromPackage.entries())
      write(`packages/${folder}/a${index}.ts`, `export * from '${from}';`);
    write('packages/shell-judge/src/allowed.ts', "export * from 'unbash';\nexport * from './parse/b.ts';");
    write('packages/report/src/html/allowed.ts', "export * from '@holdfast/base/json';");
    findings = lint();
  });

  test.each(forbidden.map(([folder, from], index) => ({ folder, from, index })))(
    '$folder may not import $from',
    ({ folder, from, index }) => {
      expect(findings.get(fileOf('forbidden', index, folder))).toContain(`'${from}' import is restricted`);
    },
  );

  test.each(allowed.map(([folder, from], index) => ({ folder, from, index })))(
    '$folder may import $from',
    ({ folder, index }) => {
      expect(findings.get(fileOf('allowed', index, folder))).toBeUndefined();
    },
  );

  test('a cycle is refused, of types too', () => {
    expect(findings.get('src/core/board/a.ts')).toContain('import(no-cycle)');
  });

  test('the entries are fenced like their folders', () => {
    expect(findings.get('src/client.ts')).toContain("'@temporalio/worker' import is restricted");
    expect(findings.get('src/worker.ts')).toContain("'./workflows/index.ts' import is restricted");
  });

  test.each(fromPackage.map(([folder, from], index) => ({ folder, from, index })))(
    'packages/$folder may not import $from',
    ({ folder, from, index }) => {
      const file = `packages/${folder}/a${index}.ts`;
      expect(findings.get(file)).toContain(`'${from}' import is restricted`);
    },
  );

  test('a package may import libraries, its own files and packages under it', () => {
    expect(findings.get('packages/shell-judge/src/allowed.ts')).toBeUndefined();
    expect(findings.get('packages/report/src/html/allowed.ts')).toBeUndefined();
  });

  test('only config reads the environment', () => {
    expect(findings.get('src/client.ts')).toContain('no-process-env');
    expect(findings.get('src/config/config.ts')).toBeUndefined();
  });
});

describe('type-aware rules', () => {
  const broken: [rule: string, source: string][] = [
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
  ];
  let findings = new Map<string, string>();

  beforeAll(() => {
    clean();
    write('packages/base/src/json.ts', 'export type Json = number;');
    for (const [rule, source] of broken) write(`packages/base/src/${rule}.ts`, source);
    findings = lint('--type-aware');
  });

  test.each(broken)('%s', (rule) => {
    expect(findings.get(`packages/base/src/${rule}.ts`)).toContain(rule);
  });
});

describe('sandbox types', () => {
  /** What the compiler says of each file. */
  let findings = new Map<string, string>();

  beforeAll(() => {
    clean();
    write('src/core/base/a.ts', 'export const now = (at: Date): number => Math.floor(at.getTime() / 1000);');
    write(
      'src/workflows/a.ts',
      "import { sleep } from '@temporalio/workflow';\nexport const nap = () => sleep(1);",
    );
    for (const [index, expression] of sandboxGlobals.entries()) {
      write(`src/workflows/global${index}.ts`, `export const value = () => ${expression};`);
    }
    findings = byFile(run('tsc', '-p', 'tsconfig.sandbox.json'), '(');
  });

  test('what the workflow sandbox has compiles', () => {
    expect(findings.size).toBeGreaterThan(0);
    expect(findings.get('src/core/base/a.ts')).toBeUndefined();
    expect(findings.get('src/workflows/a.ts')).toBeUndefined();
  });

  test.each(sandboxGlobals)('%s does not compile', (expression) => {
    expect(findings.get(`src/workflows/global${sandboxGlobals.indexOf(expression)}.ts`)).toMatch(
      /error TS2(304|552|580|584|591|867)/,
    );
  });
});

test('the list of long files has none that is short by now', () => {
  const linesOf = (file: string): number =>
    readFileSync(join(projectRoot, file), 'utf8').split('\n').length - 1;
  expect(longFiles.length).toBeGreaterThan(0);
  expect(longFiles.filter((file) => linesOf(file) <= 250)).toEqual([]);
});
