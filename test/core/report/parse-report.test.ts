import { expect, test } from 'vitest';
import { parseReport } from '../../../src/core/report/parse-report.ts';
import { renderReportHtml } from '../../../src/core/report/report-html.ts';
import { renderReport } from '../../../src/core/report/report-markdown.ts';
import { wholeReport } from '../../support/sample-reports.ts';

const version1 = {
  ...{
    version: 1,
    sessionId: 's',
    runId: 'run-1',
    turn: 3,
    summary: 'The pool is too small.',
    grade: 'likely',
  },
  claims: [{ text: 'It timed out.', verified: true, quotes: [{ callId: 'c1', quote: 'x', verified: true }] }],
  ruledOut: ['The disk is full'],
  gaps: [],
  timeline: [{ at: '03:40', event: 'It began' }],
};

test('[REPORT-13] a report of version 1 is read as one of today, and shown in every form', () => {
  const report = parseReport(version1);
  expect(report).toMatchObject({
    ...{ version: 2, author: 'agent', summary: version1.summary },
    ruledOut: [{ text: 'The disk is full', quotes: [] }],
    timeline: [{ at: '03:40', event: 'It began', quotes: [] }],
  });
  for (const shown of [renderReport(report), renderReportHtml(report)])
    for (const words of ['The disk is full', 'It began', 'It timed out.']) expect(shown).toContain(words);
  const { timeline: _, ...without } = version1;
  expect(parseReport(without)).not.toHaveProperty('timeline');
});

test('[REPORT-13] one of today stays as it is; anything else is refused with what to do', () => {
  expect(parseReport(wholeReport)).toBe(wholeReport);
  expect(() => parseReport({ ...wholeReport, version: 3 })).toThrow(
    /version 1 or 2, got version 3.*read it with that/,
  );
  expect(() => parseReport([])).toThrow('got something else');
});
