// Times for people: the clock in UTC, with the date only on another day.
import { expect, test } from 'vitest';
import { withClockTimes } from '../src/clock-times.ts';

test.each([
  ['since 2026-11-30T05:17:38.327Z, said kim', 'since 05:17:38 UTC, said kim'],
  ['2026-11-30 05:17:38 UTC', '05:17:38 UTC'],
  ['2026-11-30T05:17Z', '05:17 UTC'],
  ['2026-11-29T23:59:59Z to 2026-11-30T00:00:01Z', '2026-11-29 23:59:59 UTC to 00:00:01 UTC'],
  ['2026-11-30T07:17:38+02:00', '05:17:38 UTC'],
  ['2026-11-30T00:17:38+0200', '2026-11-29 22:17:38 UTC'],
  ['2026-11-30T05:17:38,327Z', '05:17:38 UTC'],
])('[REPORT-38a] %s is %s', (text, shown) => {
  expect(withClockTimes(text, '2026-11-30')).toBe(shown);
});

test.each([
  // without a zone nobody knows which
  '2026-11-30 05:17:38',
  '13:58 UTC',
  '2026-13-41T05:17:38Z',
  'a-2026-11-30T05:17:38Zx',
  '12026-11-30T05:17:38Z',
  '2026-11-30 05:17-05:30 UTC',
  '2026-11-30 05:17:38-05:19:02 UTC',
  '2026-11-30 05:17 UTC+2',
  '2026-02-30T05:00Z',
  'the line "2026-11-30T05:17:38Z ERROR"',
  'grep `2026-11-30T05:17:38Z`',
])('[REPORT-38a] %s stays', (text) => {
  expect(withClockTimes(text, '2026-11-30')).toBe(text);
});
