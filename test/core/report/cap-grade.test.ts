import { describe, expect, test } from 'vitest';
import type { RunStatus } from '../../../src/core/model/run-result.ts';
import { capGrade } from '../../../src/core/report/cap-grade.ts';
import type { CheckedClaim, Report } from '../../../src/core/report/report.ts';

const claim = (verified: boolean, role?: 'cause' | 'effect'): CheckedClaim => ({
  text: 'x',
  verified,
  quotes: [],
  ...(role ? { role } : {}),
});
const all = [claim(true), claim(true)];
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
    const found = capGrade({ author: 'agent', grade, claims }, status);
    expect(found.grade).toBe(capped);
    if (reason === undefined) expect(found).not.toHaveProperty('reason');
    else expect(found.reason).toContain(reason);
  });
});
