// `npm run behaviours`: counts the behaviours in docs/behaviours.md, and their clauses, that the last test runs proved. Reads
// reports/vitest.json (written by `npm test`), reports/system.json (`npm run test:system`), docs/behaviours.md and
// docs/open-behaviours.md.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  idsInTestFiles,
  readOpenClauses,
  readSpecification,
  unknownIds,
  unprovedIds,
} from './behaviours/specification.ts';
import {
  decideStatuses,
  drawProved,
  mergeTests,
  provedOnlyBeside,
  readTestReport,
  summaryByArea,
} from './behaviours/status.ts';

const help = `Usage: npm run behaviours -- [options]

  --json             print {rows: {"LOOP-01": "proved" | "partial" | "missing"}, faults: {...},
                     clauses: {"LOOP-01a": "proved" | "open"}}
  --draw N           print N proved rows, drawn by --seed S
  --check            check that docs/behaviours.md has every id that a test title names, and that
                     every clause is named by a title or listed as open
  --report FILE      vitest's JSON report; may be repeated (default reports/vitest.json and reports/system.json)
  --behaviours FILE  the behaviours (default docs/behaviours.md)
  --open FILE        the open clauses (default docs/open-behaviours.md)
  --tests FOLDER     where --check looks for tests; may be repeated (default test and packages)

Example: npm run behaviours -- --draw 5 --seed monday`;

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    draw: { type: 'string' },
    seed: { type: 'string', default: '0' },
    report: { type: 'string', multiple: true, default: ['reports/vitest.json', 'reports/system.json'] },
    behaviours: { type: 'string', default: 'docs/behaviours.md' },
    open: { type: 'string', default: 'docs/open-behaviours.md' },
    tests: { type: 'string', multiple: true, default: ['test', 'packages'] },
  },
});

function main(): number {
  if (options.help) return print(help);
  const specification = readSpecification(readFileSync(options.behaviours, 'utf8'));
  const open = existsSync(options.open) ? readOpenClauses(readFileSync(options.open, 'utf8')) : [];
  if (options.check) {
    const titles = options.tests.flatMap(idsInTestFiles);
    return check([...unknownIds(specification, titles, open), ...unprovedIds(specification, titles, open)]);
  }
  const files = options.report.filter((file) => existsSync(file));
  const missing = options.report.filter((file) => !existsSync(file));
  const reports = files.map((file) => readTestReport(readFileSync(file, 'utf8')));
  const [first] = reports;
  if (first === undefined) {
    console.error(
      `No test report at ${missing.join(', ')}. Expected vitest's JSON report; run "npm test" first.`,
    );
    return 2;
  }
  const evidence = { specification, testsById: mergeTests(reports), open };
  const statuses = decideStatuses(evidence);
  if (options.json) return print(JSON.stringify(statuses));
  if (options.draw !== undefined) return draw(statuses.rows, options.draw);
  const isOpen = (id: string) => statuses.clauses[id] === 'open';
  const unproved = [...evidence.testsById].flatMap(([id, tests]) =>
    tests.notPassed.map((test) => `  ${id} ${test}`),
  );
  return print(
    ...reports.map(
      ({ startedAt }, index) => `From the test run of ${startedAt.toISOString()} (${files[index]}):`,
    ),
    ...missing.map(
      (file) => `Without ${file}, which is not there: rows that only its tests prove are missing.`,
    ),
    ...summaryByArea(statuses.rows, statuses.clauses),
    ...summaryByArea(statuses.faults, statuses.clauses).slice(0, -1),
    ...listed('Open clauses', Object.keys(statuses.clauses).filter(isOpen)),
    ...listed(`Proved with ${files.slice(1).join(', ')} alone`, provedOnlyBeside(first.testsById, evidence)),
    ...(unproved.length > 0 ? ['Not passed, so their rows are missing:', ...unproved] : []),
  );
}

function check(problems: string[]): number {
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

function listed(title: string, ids: string[]): string[] {
  return ids.length === 0 ? [] : [`${title}: ${ids.join(', ')}`];
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
