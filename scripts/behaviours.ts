// `npm run behaviours`: how many of the specified behaviours the last test run proved.
// Reads reports/vitest.json (written by `npm test`), the specification and docs/open-behaviours.md.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sharedMissing, sharedPath } from '../test/support/shared.ts';
import { readReport } from './behaviours/report.ts';
import { readOpenClauses, readSpecification } from './behaviours/specification.ts';
import { decideStatuses, drawProved, summaryByArea } from './behaviours/status.ts';
import { idsInTestFiles, unknownIds } from './behaviours/titles.ts';

const help = `Usage: npm run behaviours -- [options]

  --json           {rows: {"LOOP-01": "proved" | "partial" | "missing"}, faults: {...}}
  --draw N         N proved rows, drawn by --seed S
  --check          only: does the specification have every id that a test title names?
  --report FILE    vitest's JSON report (default reports/vitest.json)
  --open FILE      the open clauses (default docs/open-behaviours.md)
  --tests FOLDER   the tests that --check reads (default test)`;

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    draw: { type: 'string' },
    seed: { type: 'string', default: '0' },
    report: { type: 'string', default: 'reports/vitest.json' },
    open: { type: 'string', default: 'docs/open-behaviours.md' },
    tests: { type: 'string', default: 'test' },
  },
});

function main(): number {
  if (options.help) return print(help);
  const behaviours = sharedPath('spec/behaviours.md');
  const faults = sharedPath('faults.md');
  if (behaviours === undefined || faults === undefined) {
    // a clone without the specification can still be checked and tested
    console.error(`behaviours ${sharedMissing('spec/behaviours.md')}`);
    return options.check ? 0 : 2;
  }
  const specification = readSpecification(behaviours, faults);
  const open = existsSync(options.open) ? readOpenClauses(readFileSync(options.open, 'utf8')) : [];
  if (options.check) return check(unknownIds(specification, idsInTestFiles(options.tests), open));
  if (!existsSync(options.report)) {
    console.error(
      `No test report at ${options.report}. Expected vitest's JSON report; run "npm test" first.`,
    );
    return 2;
  }
  const report = readReport(options.report);
  const statuses = decideStatuses({ specification, testsById: report.testsById, open });
  if (options.json) return print(JSON.stringify(statuses));
  if (options.draw !== undefined) return draw(statuses.rows, options.draw);
  const unproved = [...report.testsById].flatMap(([id, tests]) =>
    tests.notPassed.map((test) => `  ${id} ${test}`),
  );
  return print(
    `From the test run of ${report.startedAt.toISOString()}:`,
    ...summaryByArea(statuses.rows),
    ...summaryByArea(statuses.faults).slice(0, -1),
    ...(unproved.length > 0 ? ['Not passed, so their rows are missing:', ...unproved] : []),
  );
}

function check(problems: string[]): number {
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

function draw(rows: Parameters<typeof drawProved>[0], wanted: string): number {
  const count = Number(wanted);
  if (!Number.isInteger(count) || count < 1) {
    console.error(`--draw is "${wanted}": expected a whole number from 1.`);
    return 2;
  }
  return print(...drawProved(rows, count, options.seed));
}

function print(...lines: string[]): number {
  console.log(lines.join('\n'));
  return 0;
}

process.exitCode = main();
