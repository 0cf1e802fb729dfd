// The behaviours script, on real vitest reports of a small project made here.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faults, specification, tests, unknownTest } from './behaviours-fixture.ts';

const projectRoot = resolve(import.meta.dirname, '../..');
let folder = '';

function behaviours(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(projectRoot, 'scripts/behaviours.ts'), '--report', 'report.json', '--open', 'open.md', ...args],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, HOLDFAST_SHARED: folder } },
  );
  return { status, stdout, stderr };
}

beforeAll(() => {
  mkdirSync(join(projectRoot, 'reports'), { recursive: true });
  // inside the project, so that the small project finds vitest
  folder = mkdtempSync(join(projectRoot, 'reports/behaviours-'));
  mkdirSync(join(folder, 'spec'));
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, 'spec/behaviours.md'), specification);
  writeFileSync(join(folder, 'faults.md'), faults);
  writeFileSync(join(folder, 'test/small.test.ts'), tests);
  writeFileSync(
    join(folder, 'open.md'),
    '| id | clause | reason |\n|---|---|---|\n| BETA-03 | half | later |\n',
  );
  const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--root', folder, '--reporter=json', '--outputFile=report.json'];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect(status).toBe(1); // one of its tests fails on purpose
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run behaviours', () => {
  test('a row is proved only when all tests with its id ran and passed', () => {
    const { status, stdout } = behaviours('--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      rows: {
        'ALPHA-01': 'proved',
        'ALPHA-02': 'missing',
        'ALPHA-03': 'missing',
        'BETA-01': 'missing',
        'BETA-02': 'missing',
        'BETA-03': 'partial',
        'BETA-04': 'proved',
      },
      faults: { 'FAULT-57': 'proved', 'FAULT-58': 'missing' },
    });
  });

  test('prints how many of how many, and the tests that took the proof away', () => {
    const { stdout } = behaviours();
    expect(stdout).toContain('ALPHA    1 proved, 0 partial, 2 missing of 3');
    expect(stdout).toContain('total    2 proved, 1 partial, 4 missing of 7');
    expect(stdout).toContain('FAULT    1 proved, 0 partial, 1 missing of 2');
    expect(stdout).toContain('ALPHA-02 failed: [ALPHA-02] fails');
  });

  test('draws proved rows, the same for the same seed', () => {
    const first = behaviours('--draw', '1', '--seed', 'abc').stdout;
    expect(behaviours('--draw', '1', '--seed', 'abc').stdout).toBe(first);
    const all = behaviours('--draw', '9', '--seed', 'abc').stdout.trim().split('\n');
    expect(all.toSorted()).toEqual(['ALPHA-01', 'BETA-04']);
  });

  test('--check refuses an id that the specification does not have', () => {
    expect(behaviours('--check').status).toBe(0);
    writeFileSync(join(folder, 'test/unknown.test.ts'), unknownTest);
    const { status, stderr } = behaviours('--check');
    expect(status).toBe(1);
    expect(stderr).toContain('unknown.test.ts: a test title names [ALPHA-99]');
  });

  test('a missing report says what to run', () => {
    const script = join(projectRoot, 'scripts/behaviours.ts');
    const run = () =>
      execFileSync(process.execPath, [script], {
        cwd: join(folder, 'spec'),
        encoding: 'utf8',
        stdio: 'pipe',
        env: { ...process.env, HOLDFAST_SHARED: folder },
      });
    expect(run).toThrow('run "npm test" first');
  });
});
