// Reads vitest's JSON report: which tests carry which id, and whether each of them ran and passed.
import { readFileSync } from 'node:fs';
import { idsInTitle } from './specification.ts';

type Assertion = { fullName: string; status: string };
type VitestReport = { startTime: number; testResults: { assertionResults: Assertion[] }[] };

export type TestsOfId = { passed: number; notPassed: string[] };
export type Report = { startedAt: Date; testsById: Map<string, TestsOfId> };

/** Skipped, todo and failed tests count alike: they prove nothing, and take the proof from their row. */
export function readReport(file: string): Report {
  const report = parseReport(file);
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

function parseReport(file: string): VitestReport {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Partial<VitestReport>;
  if (!Array.isArray(report.testResults) || typeof report.startTime !== 'number') {
    throw new Error(`${file} is not a vitest JSON report: expected "startTime" and "testResults".`);
  }
  return { startTime: report.startTime, testResults: report.testResults };
}
