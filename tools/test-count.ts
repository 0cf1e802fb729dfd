// Prints "N passed, N failed" from vitest's JSON reports, for .ci/run. Exit code 1 without one of them: what it would have proved
// was not.
import { readFileSync } from 'node:fs';

type Result = { status: string; assertionResults: { status: string }[] };

try {
  const testResults = process.argv
    .slice(2)
    .flatMap((file) => (JSON.parse(readFileSync(file, 'utf8')) as { testResults: Result[] }).testResults);
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
