// The table of features: rows are numbered, each command exists, and each file that it names is there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage } from './pages.ts';
import { projectRoot } from '../support/project-root.ts';
import { commandsIn, faultOf } from './shell-lines.ts';

const page = 'docs/features.md';

const rows = readPage(page)
  .split('\n')
  .flatMap((line) => {
    const [, number, command] = /^\|\s*(\d+)\s*\|.*?\|\s*`(.*?)`\s*\|/.exec(line) ?? [];
    return number === undefined || command === undefined ? [] : [{ number: Number(number), command }];
  });

test('the features are numbered without a gap', () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
});

test('each command of a feature is one of Holdfast, with these options, or an npm script', async () => {
  const faults: string[] = [];
  for (const { number, command } of rows) {
    const [[program, ...words] = []] = commandsIn(command, `${page}, feature ${number}`);
    const fault = program === 'holdfast' ? await faultOf(words) : undefined;
    if (fault !== undefined) faults.push(`${number}: ${fault}`);
    if (program !== 'holdfast' && program !== 'npm') faults.push(`${number}: ${program}`);
  }
  expect(faults).toEqual([]);
});

test('each file of a command is there', () => {
  const files = rows.flatMap(
    ({ command }) => command.match(/(?<![\w/])(examples|packages|test|docs)\/[\w./-]+/g) ?? [],
  );
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
});

test('each test file is called by the script of its job', () => {
  const calls = rows.flatMap(({ number, command }) => {
    const [, script, files = ''] = /^npm (test|run test:system) -- (.*)$/.exec(command) ?? [];
    return script === undefined ? [] : [{ number, script, files }];
  });
  expect(calls.length).toBeGreaterThan(25);
  const isSystem = (files: string): boolean => /^test\/end-to-end\/|\.system\.test\.ts/.test(files);
  const wrong = calls.filter(({ script, files }) => (script === 'run test:system') !== isSystem(files));
  expect(wrong).toEqual([]);
});
