// The times of a schedule in words, from what the server has made of them. Pure; the current time is an argument.
import { present } from '@holdfast/base/present';
import { describeMoment } from '@holdfast/base/words';
import type { Weekday } from './schedule.ts';

/** Inclusive; `step` is at least 1. */
type Range<Unit> = { start: Unit; end: Unit; step: number };

/** A rule of times as Temporal keeps it: months and weekdays by name, in capitals. No year means every year. */
export type Calendar = {
  second: Range<number>[];
  minute: Range<number>[];
  hour: Range<number>[];
  dayOfMonth: Range<number>[];
  month: Range<Month>[];
  year: Range<number>[];
  dayOfWeek: Range<Uppercase<Weekday>>[];
};

// oxfmt-ignore
type Month =
  | 'JANUARY' | 'FEBRUARY' | 'MARCH' | 'APRIL' | 'MAY' | 'JUNE' | 'JULY' | 'AUGUST' | 'SEPTEMBER' | 'OCTOBER'
  | 'NOVEMBER' | 'DECEMBER';

export type Times = {
  calendars?: Calendar[];
  /** Interval and offset, in ms since the epoch. */
  intervals?: { every: number; offset: number }[];
  jitter?: number;
  timezone?: string;
  endAt?: Date;
};

/** Times of day that are listed one by one. */
const shownTimes = 6;

/** Such as `at 07:00, Monday to Friday, Europe/Berlin, until 31 Dec 2026 23:59 GMT+1`. */
export function describeTimes(times: Times, now: number): string {
  const { calendars = [], intervals = [], jitter = 0, timezone: zone = 'UTC', endAt } = times;
  const parts = [
    ...intervals.map(
      ({ every, offset }) => `every ${toSpan(every)}${offset > 0 ? ` (moved by ${toSpan(offset)})` : ''}`,
    ),
    ...calendars.map(describeCalendar),
  ];
  return present([
    parts.join('; ') || 'never',
    calendars.length > 0 && zone,
    jitter > 0 && `up to ${toSpan(jitter)} later`,
    endAt !== undefined && `until ${describeMoment(endAt.getTime(), now, zone)}`,
  ]).join(', ');
}

function describeCalendar({ second, minute, hour, dayOfMonth, month, year, dayOfWeek }: Calendar): string {
  const days = present([
    !isAll(dayOfWeek, 7, 'SUNDAY') && toWords(dayOfWeek, toName),
    !isAll(dayOfMonth, 31, 1) && `day ${toWords(dayOfMonth)} of the month`,
    !isAll(month, 12, 'JANUARY') && `in ${toWords(month, toName)}`,
    year.length > 0 && `in ${toWords(year)}`,
  ]);
  const isDaily = dayOfWeek.length > 0 && days.length === 0;
  return [describeClock(second, minute, hour), ...(isDaily ? ['every day'] : days)].join(', ');
}

function describeClock(second: Range<number>[], minute: Range<number>[], hour: Range<number>[]): string {
  const [hours, minutes, seconds] = [hour, minute, second].map(expand);
  if (hours === undefined || minutes === undefined || seconds === undefined) return '';
  const exact = seconds.length === 1 && seconds[0] === 0;
  if (exact && hours.length * minutes.length <= shownTimes) {
    const times = hours.flatMap((each) => minutes.map((part) => `${two(each)}:${two(part)}`));
    return `at ${times.join(', ')}`;
  }
  return [
    exact ? '' : `at second ${toWords(second)}`,
    minutes.length === 60 ? 'every minute' : `at minute ${toWords(minute)}`,
    hours.length === 24 ? (minutes.length === 60 ? '' : 'of every hour') : `of hour ${toWords(hour)}`,
  ]
    .filter(Boolean)
    .join(' ');
}

function expand(ranges: Range<number>[]): number[] {
  return ranges.flatMap(({ start, end, step }) =>
    Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, index) => start + index * step),
  );
}

/** True for one range over everything: `count` values from `first` on. */
function isAll<Unit>(ranges: Range<Unit>[], count: number, first: Unit): boolean {
  const [range] = ranges;
  const last: unknown = { 7: 'SATURDAY', 12: 'DECEMBER', 31: 31 }[count];
  return ranges.length === 1 && range?.step === 1 && range.start === first && range.end === last;
}

function toWords<Unit>(ranges: Range<Unit>[], name: (value: Unit) => string = String): string {
  const words = ranges.map(({ start, end, step }) => {
    if (start === end) return name(start);
    return `${name(start)} to ${name(end)}${step > 1 ? ` in steps of ${step}` : ''}`;
  });
  return words.join(', ');
}

function toName(value: string): string {
  return `${value.slice(0, 1)}${value.slice(1).toLowerCase()}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Such as `6 h`, `1 h 30 min`, `2 s`. */
export function toSpan(milliseconds: number): string {
  let rest = milliseconds;
  const parts = units.flatMap(([unit, ms]) => {
    const count = Math.floor(rest / ms);
    rest -= count * ms;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return parts.join(' ') || '0 s';
}
