// The plan of a schedule, its words, and the form in which Temporal gets it.
import { describe, expect, test } from 'vitest';
import { describeTimes, toSpan } from '../../../src/core/schedules/describe-times.ts';
import {
  endOfDay,
  problemOfPlan,
  slotSessionId,
  toScheduleId,
  toScheduleName,
} from '../../../src/core/schedules/schedule.ts';
import type { SchedulePlan } from '../../../src/core/schedules/schedule.ts';
import {
  scheduledInput,
  toTemporalSchedule,
  toTemporalSpec,
} from '../../../src/core/schedules/to-temporal.ts';

const now = Date.parse('2026-11-28T12:00:00Z');
const plan: SchedulePlan = { times: { everyMs: 3_600_000 }, input: { prompt: 'Look.' } };

test.each<[string, Partial<SchedulePlan>, RegExp]>([
  ['a zone', { timeZone: 'Mars' }, /"Mars" is not known: expected an IANA name, such as Europe\/Berlin/],
  ['an end', { until: now }, /its end, 2026-11-28T12:00:00.000Z, is over: expected a later time/],
  ['a catch-up window', { catchUpMs: 9_000 }, /shorter than 10 s/],
  ['a jitter', { jitterMs: -1 }, /jitter is below 0/],
  ['an interval', { times: { everyMs: 1_500 } }, /whole seconds: expected 1 s or more/],
  ['no interval', { times: { everyMs: 0 } }, /expected 1 s or more/],
  ['an offset', { times: { everyMs: 60_000, offsetMs: 60_000 } }, /the offset is not within the interval/],
  ['a time of day', { times: { at: ['7:00'] } }, /"7:00" is not one: expected hh:mm, such as 07:00/],
  ['no time of day', { times: { at: [] } }, /no time of day, or no day: expected one/],
  ['a kept session', { input: { prompt: 'x', keepAlive: true } }, /keepAlive: .* leave it out/],
  ['a deadline', { input: { prompt: 'x', deadlineAt: 1 } }, /expected loop\.deadlineMs/],
  ['a window', { input: { prompt: 'x', window: { startsAt: 1 } } }, /window is the same time/],
])('[SCHED-01d] %s that cannot be is refused with what was expected', (_, changes, words) => {
  expect(problemOfPlan({ ...plan, ...changes }, now)).toMatch(words);
});

test.each([
  ['0 7 * * 5#2', /"#" in "0 7 \* \* 5#2" begins a comment .*"0 7 8-14 \* 5" for the second Friday/],
  ['0 7 * * MON#1', /begins a comment/],
  ['*/90 * * * *', /the step of "\*\/90" is longer than its field: expected an interval/],
  ['0 */36 * * *', /longer than its field/],
  ['0 7 1/45 * *', /longer than its field/],
  ['0 0 0/25 * * * *', /longer than its field/],
])('[SCHED-09a] "%s" is refused, which the server takes for something else', (cron, words) => {
  expect(problemOfPlan({ ...plan, times: { cron } }, now)).toMatch(words);
});

test('[SCHED-01d] a good plan is taken', () => {
  expect(problemOfPlan(plan, now)).toBeUndefined();
  const whole: SchedulePlan = { ...plan, timeZone: 'Europe/Berlin', jitterMs: 1, catchUpMs: 10_000 };
  expect(problemOfPlan({ ...whole, until: now + 1, times: { cron: 'judged by the server' } }, now)).toBe(
    undefined,
  );
});

test.each([
  '0 0 29 2 *',
  '0 0 31 * *',
  '0 0 31 1-6 *',
  '0 0 */31 2 *',
  '0 0 1,31 2 *',
  '0 0 L 2 *',
  '@daily',
  '*/60 */24 * * *',
  '0 7 * * 5 # weekly',
  '0/59 0 7 * * * 2027',
])('[SCHED-01d] "%s" comes, or is for the server to judge', (cron) =>
  expect(problemOfPlan({ ...plan, times: { cron } }, now)).toBeUndefined(),
);

test('[SCHED-02a] [SCHED-04e] ids: of a slot, of a schedule, and of one of another program', () => {
  expect(slotSessionId('morning', Date.parse('2026-11-30T06:00:00.900Z'))).toBe(
    'morning-2026-11-30T06:00:00Z',
  );
  expect(toScheduleName(toScheduleId('morning'))).toBe('morning');
  expect(toScheduleName('morning')).toBeUndefined();
});

test.each([
  ['2026-12-31', 'UTC', '2026-12-31T23:59:59.999Z'],
  ['2026-12-31', 'Europe/Berlin', '2026-12-31T22:59:59.999Z'],
  ['2026-07-31', 'America/St_Johns', '2026-08-01T02:29:59.999Z'],
  ['2026-12-31', 'Pacific/Kiritimati', '2026-12-31T09:59:59.999Z'],
])('the end of %s in %s', (day, zone, end) => {
  expect(endOfDay(day, zone)).toBe(Date.parse(end));
});

test.each(['2026-02-30', '2026-13-01', 'tomorrow', '2026-12-31T10:00:00Z', '+010000-01'])(
  '%s is no day',
  (day) => {
    expect(endOfDay(day, 'UTC')).toBeUndefined();
  },
);

test('[SCHED-05e] the input of a schedule asks for a report and fails without one, unless it says otherwise', () => {
  expect(scheduledInput('morning', { prompt: 'Look.', labels: { team: 'shop' } })).toEqual({
    needsReport: true,
    throwOnFailure: true,
    prompt: 'Look.',
    labels: { team: 'shop', schedule: 'morning' },
  });
  expect(scheduledInput('morning', { needsReport: false })).toMatchObject({ needsReport: false });
});

test('[SCHED-01ab] what Temporal gets: defaults, and every option', () => {
  const place = { name: 'n', taskQueue: 'q', workflowType: 'agentSession', task: 'Look.\nAgain.' };
  expect(toTemporalSchedule(plan, place)).toMatchObject({
    scheduleId: 'holdfast-schedule:n',
    spec: { intervals: [{ every: 3_600_000, offset: 0 }], timezone: 'UTC' },
    policies: { overlap: 'SKIP', catchupWindow: 3_600_000 },
    action: {
      workflowId: 'n',
      workflowType: 'agentSession',
      taskQueue: 'q',
      staticSummary: 'Look.',
      memo: { task: 'Look.\nAgain.' },
    },
  });
  const whole = { ...plan, times: { cron: '0 7 * * *' }, timeZone: 'Europe/Berlin', jitterMs: 5, until: now };
  expect(toTemporalSchedule({ ...whole, overlap: 'buffer-one', catchUpMs: 60_000 }, place)).toMatchObject({
    spec: { cronExpressions: ['0 7 * * *'], timezone: 'Europe/Berlin', jitter: 5, endAt: new Date(now) },
    policies: { overlap: 'BUFFER_ONE', catchupWindow: 60_000 },
  });
});

describe('[SCHED-04a] times in words', () => {
  const zone = 'Europe/Berlin';
  test.each<[Omit<SchedulePlan, 'input'>, string]>([
    [{ times: { everyMs: 21_600_000 } }, 'every 6 h'],
    [{ times: { everyMs: 5_400_000, offsetMs: 60_000 } }, 'every 1 h 30 min (moved by 1 min)'],
    [{ times: { at: ['07:00', '19:00'] }, timeZone: zone }, `at 07:00, 19:00, every day, ${zone}`],
    [
      { times: { at: ['07:00', '19:30'], days: ['monday', 'friday'] } },
      'at 07:00, Monday, Friday; at 19:30, Monday, Friday, UTC',
    ],
    [{ times: { at: ['07:00'] }, jitterMs: 300_000 }, 'at 07:00, every day, UTC, up to 5 min later'],
    [
      { times: { at: ['07:00'] }, timeZone: zone, until: Date.parse('2026-12-31T22:59:59Z') },
      `at 07:00, every day, ${zone}, until 31 Dec 2026 23:59 GMT+1`,
    ],
  ])('%j', (times, words) => {
    expect(describeTimes(toTemporalSpec(times), now)).toBe(words);
  });

  const all = (end: number, start = 0) => [{ start, end, step: 1 }];
  const calendar = {
    second: all(0),
    minute: all(0),
    hour: all(23),
    dayOfMonth: all(31, 1),
    month: [{ start: 'JANUARY' as const, end: 'DECEMBER' as const, step: 1 }],
    year: [],
    dayOfWeek: [{ start: 'SUNDAY' as const, end: 'SATURDAY' as const, step: 1 }],
  };
  test.each([
    [
      { minute: [{ start: 0, end: 45, step: 15 }] },
      'at minute 0 to 45 in steps of 15 of every hour, every day',
    ],
    [{ minute: all(59) }, 'every minute, every day'],
    [
      { minute: all(59), second: [{ start: 0, end: 58, step: 2 }] },
      'at second 0 to 58 in steps of 2 every minute, every day',
    ],
    [{ minute: all(59), hour: all(18, 8) }, 'every minute of hour 8 to 18, every day'],
    [{ hour: all(7, 7), dayOfMonth: all(1, 1) }, 'at 07:00, day 1 of the month'],
    [
      { hour: all(7, 7), dayOfWeek: [{ start: 'MONDAY' as const, end: 'FRIDAY' as const, step: 1 }] },
      'at 07:00, Monday to Friday',
    ],
    [
      {
        hour: all(7, 7),
        month: [{ start: 'JUNE' as const, end: 'JUNE' as const, step: 1 }],
        year: all(2027, 2027),
      },
      'at 07:00, in June, in 2027',
    ],
  ])('a calendar %#: %s', (fields, words) => {
    expect(describeTimes({ calendars: [{ ...calendar, ...fields }] }, now)).toBe(`${words}, UTC`);
  });

  test('no times at all', () => {
    expect(describeTimes({}, now)).toBe('never');
    expect(toSpan(0)).toBe('0 s');
    expect(toSpan(90_061_000)).toBe('1 d 1 h 1 min 1 s');
  });
});
