import { describe, expect, test } from 'vitest';
import type { RunStatus } from '@holdfast/vocabulary/run-result';
import { capGrade } from '../src/cap-grade.ts';
import type { CauseCheck, CheckedClaim, Report } from '../src/report.ts';

const claim = (verified: boolean, role?: 'cause' | 'effect'): CheckedClaim => ({
  text: 'x',
  verified,
  quotes: [],
  ...(role ? { role } : {}),
});
const all = [claim(true), claim(true)];
const rootCause = { component: 'payments', kind: 'configuration', text: 'Its pool was cut.' };
type Grade = Report['grade'];

describe('[REPORT-09f] the grade is capped', () => {
  test.each<[Grade, CheckedClaim[], RunStatus, Grade, string?]>([
    ['confirmed', all, 'completed', 'confirmed'],
    ['likely', all, 'completed', 'likely'],
    ['inconclusive', [], 'completed', 'inconclusive'],
    ['confirmed', [claim(true), claim(false)], 'completed', 'likely', 'claim 2: not carried by quotes'],
    [
      'confirmed',
      [claim(false, 'cause'), claim(true), claim(false)],
      'completed',
      'likely',
      'claims 1 (the root cause), 3',
    ],
    ['likely', [claim(true), claim(false)], 'completed', 'likely'],
    ['confirmed', [], 'completed', 'inconclusive', 'no claim was made'],
    ['likely', [claim(false), claim(false)], 'completed', 'inconclusive', 'no claim is carried'],
    ...(
      [
        'max_iterations',
        'budget_exceeded',
        'timed_out',
        'context_exhausted',
        'loop_detected',
        'aborted',
        'failed',
      ] as const
    ).map((status): [Grade, CheckedClaim[], RunStatus, Grade, string] => [
      'confirmed',
      all,
      status,
      'inconclusive',
      `(${status})`,
    ]),
  ])('%s with %j after %s is %s', (grade, claims, status, capped, reason) => {
    const found = capGrade({ author: 'agent', grade, claims, rootCause }, status);
    expect(found.grade).toBe(capped);
    if (reason === undefined) expect(found).not.toHaveProperty('reason');
    else expect(found.reason).toContain(reason);
  });
});

describe('[REPORT-25b] a check of the root cause that fails caps the grade; one that is not known does not', () => {
  const check = (result: CauseCheck['result']): CauseCheck[] => [
    { check: 'order', result, text: `it ${result}` },
  ];
  const graded = (more: Partial<Report>, grade: Grade = 'confirmed') =>
    capGrade({ author: 'agent', grade, claims: all, ...more }, 'completed');
  test.each([
    ['holds', { grade: 'confirmed' }],
    ['not_known', { grade: 'confirmed' }],
    ['fails', { grade: 'likely', reason: 'it fails.' }],
  ] as const)('%s', (result, expected) => {
    expect(graded({ causeChecks: check(result) })).toEqual(expected);
  });

  test('every reason is named, and a lower grade stays', () => {
    expect(graded({ causeChecks: check('fails'), claims: [claim(true), claim(false)] }).reason).toBe(
      'claim 2: not carried by quotes that were found; it fails.',
    );
    expect(graded({ causeChecks: check('fails') }, 'likely')).toEqual({ grade: 'likely' });
  });
});

test('[REPORT-26c] that nothing is wrong is never confirmed', () => {
  const rootCause = { component: 'payments', kind: 'none', text: 'Nothing is wrong.' };
  const graded = (grade: Grade) => capGrade({ author: 'agent', grade, claims: all, rootCause }, 'completed');
  expect(graded('confirmed')).toEqual({
    grade: 'likely',
    reason: 'no quote can prove that nothing is wrong.',
  });
  expect(graded('likely')).toEqual({ grade: 'likely' });
});

test('[REPORT-25d] an unknown root cause is at most likely', () => {
  const rootCause = { component: 'payments', kind: 'Unknown', text: 'Not found yet.' };
  const found = capGrade({ author: 'agent', grade: 'confirmed', claims: all, rootCause }, 'completed');
  expect(found).toEqual({ grade: 'likely', reason: 'the root cause is unknown.' });
});

test('[REPORT-33b] invented quotes in what was left out cap the grade, and are named', () => {
  const cap = (found: number) =>
    capGrade(
      { author: 'agent', grade: 'confirmed', claims: all, rootCause, leftOutQuotes: { quotes: 3, found } },
      'completed',
    );
  expect(cap(1)).toEqual({
    grade: 'likely',
    reason: '2 quotes in what was left out of the report: not found.',
  });
  expect(cap(3)).toEqual({ grade: 'confirmed' });
});

test('[REPORT-34a] without a root cause nothing is confirmed', () => {
  const cap = (more: Partial<Report>) =>
    capGrade({ author: 'agent', grade: 'confirmed', claims: all, ...more }, 'completed');
  expect(cap({})).toEqual({ grade: 'likely', reason: 'no root cause with its component and kind is named.' });
  expect(cap({ rootCause })).toEqual({ grade: 'confirmed' });
});
