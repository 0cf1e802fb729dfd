// The ending "no fault found": its words wherever a grade is shown, and what was looked at.
import { expect, test } from 'vitest';
import { fromOutcomeText, toOutcomeText } from '@holdfast/vocabulary/run-result';
import { describeGrade } from '@holdfast/report/marks';
import { renderReportHtml } from '@holdfast/report/report-html';
import { renderReport } from '@holdfast/report/report-markdown';
import type { Report } from '@holdfast/report/report';
import { toReportRef } from '@holdfast/report/report-ref';
import { readSessionEnd } from '../../../src/core/alerts/session-end.ts';
import { wholeReport } from '../../support/sample-reports.ts';

const timed = (callId: string, call: string, isError = false) => ({
  callId,
  at: '2026-11-22T03:49:10.000Z',
  endedAt: '2026-11-22T03:49:11.000Z',
  call,
  result: 'ok',
  isError,
});
const calls = [
  timed('c1', 'read logs/importer.log'),
  timed('c2', 'update_plan 2 steps'),
  timed('c3', 'http_get http://importer/metrics'),
  timed('c4', 'grep ERROR logs/gone.log', true),
  timed('c5', 'read logs/importer.log'),
];
const report: Report = {
  ...wholeReport,
  grade: 'likely',
  rootCause: { component: 'importer', kind: 'none', text: 'The peak is that of every night.' },
  run: { ...(wholeReport.run as NonNullable<Report['run']>), calls },
};
const { agentGrade: _, ...plain } = report;

test('[REPORT-26a] it has its own words in report and page, and its own outcome in results and lists', () => {
  const ref = toReportRef(plain, 'report-of-run-1.md');
  expect(ref).toMatchObject({ grade: 'likely', noFault: true });
  expect(describeGrade(ref)).toBe('no fault found (agent: likely)');
  expect(renderReport(plain)).toContain('Grade: **no fault found (agent: likely)**');
  expect(renderReport(plain)).toContain('## No fault found\n\nThe peak is that of every night.');
  expect(renderReport(plain)).not.toContain('## Root cause');
  expect(renderReportHtml(plain)).toContain('<span class="pill big">No fault found</span>');
  const outcome = toOutcomeText({ status: 'completed', report: ref });
  expect(outcome).toBe('completed/no_fault');
  expect(fromOutcomeText(outcome)).toEqual({ status: 'completed', grade: 'no_fault' });
  // what the group of an alert keeps of it
  expect(readSessionEnd({ status: 'completed', report: ref }).outcome).toBe('completed/no_fault');
});

test('[REPORT-26a] a report by code, or one that proves nothing, has not found that nothing is wrong', () => {
  expect(toReportRef({ ...report, author: 'code' }, 'x')).not.toHaveProperty('noFault');
  expect(toReportRef({ ...report, grade: 'inconclusive' }, 'x')).not.toHaveProperty('noFault');
});

test('[REPORT-26b] it lists each call that gave an output, once, without the agent’s own books; other reports do not', () => {
  const looked = '- `http_get http://importer/metrics`, call `c3`';
  expect(renderReport(report)).toContain(
    `## What was looked at\n\n- \`read logs/importer.log\`, call \`c5\`\n${looked}\n\n`,
  );
  const page = renderReportHtml(report);
  expect(page).toContain('<section id="looked-at">');
  expect(page.split('<section id="looked-at">')[1]?.split('</section>')[0]).not.toContain('gone.log');
  expect(renderReport(wholeReport)).not.toContain('What was looked at');
});
