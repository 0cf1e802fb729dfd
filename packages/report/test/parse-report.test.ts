import { expect, test } from 'vitest';
import { parseReport } from '../src/parse-report.ts';
import { wholeReport } from '../../../test/support/sample-reports.ts';

test('[REPORT-13b] a report stays as it is; anything else is refused with what to do', () => {
  expect(parseReport(wholeReport)).toBe(wholeReport);
  expect(() => parseReport({ ...wholeReport, version: 2 })).toThrow(/version 1, got version 2.*read it with/);
  expect(() => parseReport([])).toThrow('got something else');
});
