// Decides which behaviours are proved, from the specification, vitest's JSON report and the list of open clauses.
import { createHash } from 'node:crypto';
import { idsInTitle } from './specification.ts';
import type { OpenClause, Specification } from './specification.ts';

type Assertion = { fullName: string; status: string };
type VitestReport = { startTime: number; testResults: { assertionResults: Assertion[] }[] };

type TestsOfId = { passed: number; notPassed: string[] };
export type Report = { startedAt: Date; testsById: Map<string, TestsOfId> };

export type Status = 'proved' | 'partial' | 'missing';
export type Statuses = { rows: Record<string, Status>; faults: Record<string, Status> };

type Evidence = { specification: Specification; testsById: Map<string, TestsOfId>; open: OpenClause[] };

/** The tests of each id, from vitest's JSON. Skipped, todo and failed tests count alike: they prove nothing. */
export function readReport(json: string): Report {
  const report = JSON.parse(json) as Partial<VitestReport>;
  if (!Array.isArray(report.testResults) || typeof report.startTime !== 'number') {
    throw new Error('Expected a vitest JSON report with "startTime" and "testResults".');
  }
  const testsById = new Map<string, TestsOfId>();
  for (const { fullName, status } of report.testResults.flatMap((result) => result.assertionResults)) {
    for (const id of idsInTitle(fullName)) {
      const tests = testsById.get(id) ?? { passed: 0, notPassed: [] };
      if (status === 'passed') tests.passed += 1;
      else tests.notPassed.push(`${status}: ${fullName}`);
      testsById.set(id, tests);
    }
  }
  return { startedAt: new Date(report.startTime), testsById };
}

/** Proved: every test with the id ran and passed. Partial: the same, but a clause is listed as open. Else missing. */
export function decideStatuses({ specification, testsById, open }: Evidence): Statuses {
  const openIds = new Set(open.map((clause) => clause.id));
  const decide = (id: string): [string, Status] => {
    const tests = testsById.get(id);
    if (tests === undefined || tests.passed === 0 || tests.notPassed.length > 0) return [id, 'missing'];
    return [id, openIds.has(id) ? 'partial' : 'proved'];
  };
  return {
    rows: Object.fromEntries(specification.rows.map(decide)),
    faults: Object.fromEntries(specification.faults.map(decide)),
  };
}

/** `count` proved rows, the same ones for the same seed and the same set of proved rows. */
export function drawProved(rows: Record<string, Status>, count: number, seed: string): string[] {
  const rank = (id: string) => createHash('sha256').update(`${seed}:${id}`).digest('hex');
  const proved = Object.keys(rows).filter((id) => rows[id] === 'proved');
  return proved
    .map((id) => ({ id, rank: rank(id) }))
    .toSorted((left, right) => (left.rank < right.rank ? -1 : 1))
    .slice(0, count)
    .map(({ id }) => id);
}

/** One line per area: `LOOP   12 proved, 3 partial, 15 missing of 30`. */
export function summaryByArea(statuses: Record<string, Status>): string[] {
  const areas = Map.groupBy(Object.entries(statuses), ([id]) => id.split('-')[0] ?? '');
  return [...areas, ['total', Object.entries(statuses)] as const].map(([area, entries]) => {
    const count = (wanted: Status) => entries.filter(([, status]) => status === wanted).length;
    return `${area.padEnd(8)} ${count('proved')} proved, ${count('partial')} partial, ${count('missing')} missing of ${entries.length}`;
  });
}
