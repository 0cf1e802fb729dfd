// Times for people: the same moment in the reader's zone, and the time that is left.
import { expect, test } from 'vitest';
import { describeDeadline, describeMoment } from '@holdfast/base/words';

const minute = 60_000;
const hour = 60 * minute;
/** Sunday, 2026-11-22, 21:06 in New York, where it is Monday in UTC. */
const deadline = Date.UTC(2026, 10, 23, 2, 6);

test.each([
  ['America/New_York', 'Sun 21:06 EST'],
  ['UTC', 'Mon 02:06 UTC'],
  ['Europe/Berlin', 'Mon 03:06 GMT+1'],
  ['Asia/Kolkata', 'Mon 07:36 GMT+5:30'],
])('a deadline is told in the zone of the reader, by name: %s', (timeZone, moment) => {
  expect(describeDeadline(deadline, deadline - 24 * hour + 90_000, timeZone)).toBe(
    `in 23 h 58 min, ${moment}`,
  );
});

test.each([
  [59_999, 'in 59 s'],
  [5 * minute - 1, 'in 4 min'],
  [24 * hour, 'in 24 h 0 min'],
  [60 * hour, 'in 2 d 12 h'],
  [0, '0 s ago'],
  [-2 * minute, '2 min ago'],
])('the time that is left is never rounded up: %i ms are %s', (left, span) => {
  expect(describeDeadline(deadline, deadline - left, 'UTC')).toBe(`${span}, Mon 02:06 UTC`);
});

test('a moment far away has its date, so that its weekday is not taken for that of this week', () => {
  expect(describeMoment(deadline, deadline - 8 * 24 * hour, 'UTC')).toBe('23 Nov 2026 02:06 UTC');
  expect(describeMoment(deadline, deadline + 8 * 24 * hour, 'America/New_York')).toBe(
    '22 Nov 2026 21:06 EST',
  );
  expect(describeMoment(Date.UTC(2026, 6, 4, 4, 0), Date.UTC(2026, 6, 4), 'America/New_York')).toBe(
    'Sat 00:00 EDT',
  );
});
