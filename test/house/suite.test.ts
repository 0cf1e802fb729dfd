import { expect, test } from 'vitest';
import { sharedMissing } from '../support/shared.ts';
import { describeSkipped } from '../support/skipped-reporter.ts';

test('skipped tests are counted by the reason in their title', () => {
  const missing = sharedMissing('data/wire');
  const titles = [`${missing} > a`, `${missing} > b`, `[X-01] reads (${missing}) > c`, 'needs an old Node'];
  expect(describeSkipped(titles)).toMatch(
    /^Skipped tests: 3 \(data\/wire is missing under \S+; set HOLDFAST_SHARED\), 1 \(no reason in the title\)$/,
  );
});
