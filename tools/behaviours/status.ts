// Decides which behaviours are proved, from the specification, vitest's JSON report and the list of open clauses.
import { createHash } from 'node:crypto';
import { clausesOrRow, idsInTitle } from './specification.ts';
import type { OpenClause, Specification } from './specification.ts';

type Assertion = { fullName: string; status: string };
type VitestReport = { startTime: number; testResults: { assertionResults: Assertion[] }[] };

type TestsOfId = { passed: number; notPassed: string[] };
export type TestsById = Map<string, TestsOfId>;
export type TestReport = { startedAt: Date; testsById: TestsById };

export type Status = 'proved' | 'partial' | 'missing';
export type Statuses = {
  rows: Record<string, Status>;
  faults: Record<string, Status>;
  /** By the id of a clause; a row without letters is one clause. An open one is not proved. */
  clauses: Record<string, 'proved' | 'open'>;
};

type Evidence = { specification: Specification; testsById: TestsById; open: OpenClause[] };

/** The tests of each id, from vitest's JSON. Skipped, todo and failed tests count alike: they prove nothing. */
export function readTestReport(json: string): TestReport {
  const report = JSON.parse(json) as Partial<VitestReport>;
  if (!Array.isArray(report.testResults) || typeof report.startTime !== 'number') {
    throw new Error('Expected a vitest JSON report with "startTime" and "testResults".');
  }
  const testsById: TestsById = new Map();
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

/** The tests of several runs as those of one. */
export function mergeTests(reports: readonly TestReport[]): TestsById {
  const merged: TestsById = new Map();
  for (const [id, { passed, notPassed }] of reports.flatMap(({ testsById }) => [...testsById])) {
    const before = merged.get(id) ?? { passed: 0, notPassed: [] };
    merged.set(id, { passed: before.passed + passed, notPassed: [...before.notPassed, ...notPassed] });
  }
  return merged;
}

/** Ids of rows and faults that are proved, and would not be by the tests of `part` alone. */
export function provedOnlyBeside(part: TestsById, evidence: Evidence): string[] {
  const whole = decideStatuses(evidence);
  const alone = decideStatuses({ ...evidence, testsById: part });
  return (['rows', 'faults'] as const).flatMap((kind) =>
    Object.keys(whole[kind]).filter((id) => whole[kind][id] === 'proved' && alone[kind][id] !== 'proved'),
  );
}

/**
 * Proved: every test that names the row or a clause of it ran and passed, and each clause has a test of its own. Partial:
 * the tests passed, but a clause has none or is listed as open. Else missing.
 */
export function decideStatuses({ specification, testsById, open }: Evidence): Statuses {
  const openIds = new Set(open.map((clause) => clause.id));
  const hasPassed = (id: string) => {
    const tests = testsById.get(id);
    return tests !== undefined && tests.passed > 0 && tests.notPassed.length === 0;
  };
  const isProved = (id: string) => hasPassed(id) && !openIds.has(id);
  const decide = (id: string): [string, Status] => {
    if (!hasPassed(id)) return [id, 'missing'];
    return [id, isProved(id) && clausesOrRow(specification, id).every(isProved) ? 'proved' : 'partial'];
  };
  const { rows, faults } = specification;
  return {
    rows: Object.fromEntries(rows.map(decide)),
    faults: Object.fromEntries(faults.map(decide)),
    clauses: Object.fromEntries(
      [...rows, ...faults]
        .flatMap((id) => clausesOrRow(specification, id))
        .map((id) => [id, isProved(id) ? 'proved' : 'open']),
    ),
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

/** One line per area: `LOOP   12 proved, 3 partial, 15 missing of 30; 51 of 70 clauses`. */
export function summaryByArea(rows: Record<string, Status>, clauses: Statuses['clauses']): string[] {
  const areaOf = (id: string) => id.split('-')[0] ?? '';
  const areas = Map.groupBy(Object.entries(rows), ([id]) => areaOf(id));
  const clausesOf = Object.entries(clauses).filter(([id]) => areas.has(areaOf(id)));
  const line = (area: string, entries: [string, Status][], parts: typeof clausesOf) => {
    const count = (wanted: Status) => entries.filter(([, status]) => status === wanted).length;
    const proved = parts.filter(([, status]) => status === 'proved').length;
    return `${area.padEnd(8)} ${count('proved')} proved, ${count('partial')} partial, ${count('missing')} missing of ${entries.length}; ${proved} of ${parts.length} clauses`;
  };
  return [
    ...[...areas].map(([area, entries]) =>
      line(
        area,
        entries,
        clausesOf.filter(([id]) => areaOf(id) === area),
      ),
    ),
    line('total', Object.entries(rows), clausesOf),
  ];
}
