// The behaviours script, on real vitest reports of a small project made here.
import { projectRoot } from '../support/project-root.ts';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readOpenClauses, readSpecification } from '../../tools/behaviours/specification.ts';
import { behaviours as behavioursFixture, tests, unknownTest } from './behaviours-fixture.ts';

let folder = '';

function behaviours(...args: string[]) {
  const script = join(projectRoot, 'tools/behaviours.ts');
  const files = ['--behaviours', 'behaviours.md', '--report', 'report.json', '--open', 'open.md'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...files, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

beforeAll(() => {
  mkdirSync(join(projectRoot, 'reports'), { recursive: true });
  // inside the project, so that the small project finds vitest
  folder = mkdtempSync(join(projectRoot, 'reports/behaviours-'));
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, 'behaviours.md'), behavioursFixture);
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
  test('a row is proved only when all tests with its id passed, and each of its clauses has one', () => {
    const { status, stdout } = behaviours('--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: {
        'ALPHA-01': 'proved',
        'ALPHA-02': 'missing',
        'ALPHA-03': 'missing',
        'BETA-01': 'missing',
        'BETA-02': 'missing',
        'BETA-03': 'partial',
        'BETA-04': 'proved',
        'BETA-06': 'proved',
        'BETA-07': 'partial',
      },
      faults: { 'FAULT-57': 'proved', 'FAULT-58': 'missing' },
      clauses: { 'BETA-04': 'proved', 'BETA-06b': 'proved', 'BETA-07a': 'proved', 'BETA-07b': 'open' },
    });
  });

  test('prints how many of how many, and the tests that took the proof away', () => {
    const { stdout } = behaviours();
    expect(stdout).toContain('ALPHA    1 proved, 0 partial, 2 missing of 3; 1 of 3 clauses');
    expect(stdout).toContain('total    3 proved, 2 partial, 4 missing of 9; 6 of 12 clauses');
    expect(stdout).toContain('FAULT    1 proved, 0 partial, 1 missing of 2; 1 of 2 clauses');
    expect(stdout).toContain(
      'Open clauses: ALPHA-02, ALPHA-03, BETA-01, BETA-02, BETA-03, BETA-07b, FAULT-58',
    );
    expect(stdout).toContain('ALPHA-02 failed: [ALPHA-02] fails');
  });

  test('draws proved rows, the same for the same seed', () => {
    const first = behaviours('--draw', '1', '--seed', 'abc').stdout;
    expect(behaviours('--draw', '1', '--seed', 'abc').stdout).toBe(first);
    const all = behaviours('--draw', '9', '--seed', 'abc').stdout.trim().split('\n');
    expect(all.toSorted()).toEqual(['ALPHA-01', 'BETA-04', 'BETA-06']);
  });

  test('--check refuses an id that the behaviours do not have, and a clause without a title or a reason', () => {
    const unproved = behaviours('--check').stderr.trim().split('\n');
    expect(unproved.map((line) => line.split(':')[0])).toEqual(['BETA-02', 'BETA-07b', 'FAULT-58']);
    writeFileSync(join(folder, 'test/unknown.test.ts'), unknownTest);
    const { status, stderr } = behaviours('--check');
    expect(status).toBe(1);
    expect(stderr).toContain('unknown.test.ts: a test title names [ALPHA-99]');
  });

  test('rows that only a second report proves are named, and a row that failed in either is missing', () => {
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    const passing = (id: string) => ({ fullName: `[${id}] passes`, status: 'passed' });
    report.testResults = [{ assertionResults: ['BETA-02', 'ALPHA-02'].map(passing) }];
    writeFileSync(join(folder, 'second.json'), JSON.stringify(report));
    const both = behaviours('--report', 'second.json');
    expect(both.stdout).toContain('Proved with second.json alone: BETA-02\n');
    expect(both.stdout).toContain('ALPHA-02 failed: [ALPHA-02] fails');
    expect(behaviours('--report', 'none.json').stdout).toContain('Without none.json, which is not there');
  });

  test('a missing report says what to run', () => {
    const script = join(projectRoot, 'tools/behaviours.ts');
    const args = [script, '--behaviours', 'behaviours.md', '--report', 'none.json'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain('run "npm test" first');
  });
});

describe('docs/behaviours.md', () => {
  const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
  const { rows, faults, withdrawn, clauses } = readSpecification(read('docs/behaviours.md'));

  test('its ids are unique, and each area is numbered without a gap', () => {
    const areas = Map.groupBy([...rows, ...faults, ...withdrawn], (id) => id.split('-')[0] ?? '');
    expect([...areas.keys()].length).toBeGreaterThan(15);
    for (const [area, ids] of areas) {
      const numbers = ids.map((id) => Number(id.slice(area.length + 1))).toSorted((a, b) => a - b);
      expect(numbers, area).toEqual(numbers.map((_, index) => index + 1));
    }
  });

  test('a row that is there twice or has no text is refused', () => {
    expect(() => readSpecification('| LOOP-01 | one |\n| LOOP-01 | two |')).toThrow('LOOP-01 is there twice');
    expect(() => readSpecification('| LOOP-01 |  |')).toThrow('expected "| LOOP-01 | text |"');
    expect(() => readSpecification('| LOOP-1x | one |')).toThrow('Behaviour LOOP-1x');
    expect(() => readSpecification('| LOOP-01 | (a) one; (c) two |')).toThrow('expected clauses (a), (b)');
  });

  test('every open clause has a row, and every id in a source comment or document', () => {
    const known = new Set([...rows, ...faults, ...withdrawn]);
    const areas = [...new Set([...known].map((id) => id.split('-')[0]))].join('|');
    const files = globSync('{src,packages,bench,scripts,examples}/**/*.ts', { cwd: projectRoot }).concat(
      globSync('{*.md,docs/**/*.md}', { cwd: projectRoot }),
    );
    const named = files.flatMap((file) =>
      [...read(file).matchAll(new RegExp(`\\b(?:${areas})-\\d+\\b`, 'g'))].map(([id]) => ({ file, id })),
    );
    expect(named.filter(({ id }) => !known.has(id))).toEqual([]);
    const open = readOpenClauses(read('docs/open-behaviours.md')).map(({ id }) => id);
    const withLetters = new Set([...known, ...[...clauses.values()].flat()]);
    expect(open.filter((id) => !withLetters.has(id))).toEqual([]);
  });
});
