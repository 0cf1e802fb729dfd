// What models send in place of a report in its form: brought into it where it is certain what was meant.
import { expect, test } from 'vitest';
import { repairReport } from '../../../../src/activities/built-in/report/repair-report.ts';
import { reportInput } from '../../../../src/activities/built-in/report/report-input.ts';
import type { Json, JsonObject } from '@holdfast/base/json';

const quote = { callId: 'c1', quote: 'pool_size 2 of 2' };
const claim = { text: 'The pool is empty.', role: 'cause', confidence: 'high', quotes: [quote] };
const report = { summary: 'The pool.', grade: 'likely', claims: [claim] };
const parsed = (raw: Json) => reportInput.parse(repairReport(raw).value);

test.each<[string, JsonObject, object]>([
  ['claims as JSON text', { claims: JSON.stringify([claim]) }, { claims: [claim] }],
  ['one claim in place of a list', { claims: claim }, { claims: [claim] }],
  [
    'a claim and its quotes as JSON text',
    { claims: [JSON.stringify({ ...claim, quotes: JSON.stringify([quote]) })] },
    { claims: [claim] },
  ],
  ['one quote in place of a list', { claims: [{ ...claim, quotes: quote }] }, { claims: [claim] }],
  [
    'claims that are words',
    { claims: ['The pool is empty.'] },
    { claims: [{ text: 'The pool is empty.', quotes: [] }] },
  ],
  [
    'a quote without its call',
    { claims: [{ ...claim, quotes: [quote.quote] }] },
    { claims: [{ ...claim, quotes: [{ callId: 'unknown', quote: quote.quote }] }] },
  ],
  [
    'words in capitals',
    { grade: 'LIKELY', claims: [{ ...claim, role: 'Cause', confidence: ' High' }] },
    { grade: 'likely', claims: [claim] },
  ],
  [
    'one string for a list',
    { gaps: 'The host.', recommended: 'Raise it.', ruledOut: 'DNS.' },
    { gaps: ['The host.'], recommended: [{ text: 'Raise it.' }], ruledOut: [{ text: 'DNS.', quotes: [] }] },
  ],
  [
    'what was ruled out as JSON text',
    { ruledOut: '[{"text":"DNS.","quotes":[]}]' },
    { ruledOut: [{ text: 'DNS.', quotes: [] }] },
  ],
  [
    'fields of another spelling',
    { root_cause: { Component: 'pool', kind: 'capacity', text: 'Small.' } },
    { rootCause: { component: 'pool', kind: 'capacity', text: 'Small.' } },
  ],
  [
    'words in place of an object',
    { rootCause: 'The pool.', impact: 'checkout' },
    {
      rootCause: { component: 'unknown', kind: 'unknown', text: 'The pool.' },
      impact: { who: 'checkout', since: 'unknown', severity: 'unknown', ongoing: 'unknown' },
    },
  ],
  [
    'true for yes',
    { impact: { who: 'checkout', since: '03:00', severity: 'all', ongoing: true } },
    { impact: { ongoing: 'yes' } },
  ],
  [
    'null, and lists of nothing',
    { impact: null, gaps: ['', 'The host.'], timeline: null },
    { gaps: ['The host.'] },
  ],
  ['a summary in lines', { summary: ['The pool.', 'It is small.'] }, { summary: 'The pool.\nIt is small.' }],
])('[REPORT-21a] %s', (_what, more, expected) => {
  expect(parsed({ ...report, ...more })).toMatchObject(expected);
});

test('[REPORT-21a] the whole of it as JSON text', () => {
  expect(parsed(JSON.stringify(report))).toEqual(parsed(report));
});

test.each<[string, Json]>([
  ['in one field', { report }],
  ['in one field, as JSON text', { input: JSON.stringify(report) }],
  ['beside the name of the tool', { tool: 'report', arguments: report }],
])('[REPORT-21a] the whole of it %s', (_what, raw) => {
  expect(parsed(raw)).toEqual(parsed(report));
});

test('[REPORT-21b] what the form has no place for is left out and named, without its words', () => {
  const { value, leftOut } = repairReport({
    ...report,
    title: 'Pool',
    gaps: Array.from({ length: 31 }, (_, at) => `gap ${at}`),
    claims: [
      { ...claim, severity: 'bad', confidence: 'quite' },
      { ...claim, text: 'x'.repeat(3_000) },
    ],
  });
  expect(leftOut.toSorted()).toEqual([
    'claims.confidence',
    'claims.severity',
    'gaps after the first 30',
    'the end of claims.text',
    'title',
  ]);
  expect(reportInput.parse(value).claims).toMatchObject([{ text: claim.text }, { text: 'x'.repeat(2_000) }]);
});

test('[REPORT-21c] a report in its form stays as it is, and what cannot be meant is refused with its reason', () => {
  expect(repairReport(report)).toEqual({ value: report, leftOut: [], leftOutQuotes: [] });
  expect(reportInput.safeParse(repairReport({ ...report, grade: 'sure' }).value).success).toBe(false);
  expect(reportInput.safeParse(repairReport({ grade: 'likely' }).value).success).toBe(false);
  for (const raw of [null, 7, 'words', [], { claims: 7 }, { first: report, second: report }] as Json[])
    expect(reportInput.safeParse(repairReport(raw).value).success).toBe(false);
});
