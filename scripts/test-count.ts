// Prints "N passed, N failed" from vitest's JSON report, for .ci/run. Exit code 1 only without a report.
import { readFileSync } from 'node:fs';

type Result = { status: string; assertionResults: { status: string }[] };

const file = process.argv[2] ?? 'reports/vitest.json';
try {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as { testResults: Result[] };
  const tests = testResults.flatMap((result) => result.assertionResults);
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  // a file that does not load has no tests to count, and is a failure all the same
  const broken = testResults.filter(
    (result) =>
      result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  console.log(`${count('passed')} passed, ${count('failed') + broken} failed`);
} catch (error) {
  console.error(`No test report: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
