// A schedule of sessions as data: its name, the times at which it starts one, and the reasons for refusing it. Pure.
import { toSecond, toUtc } from '@holdfast/base/words';
import { fieldsOf } from '@holdfast/base/json';
import type { SessionInput } from '@holdfast/vocabulary/session-input';

/** Names of schedules are typed by people, and begin the ids of their sessions. */
export const scheduleNamePattern = /^[A-Za-z0-9][\w.-]{0,99}$/;
export const expectedScheduleName = 'letters, digits, ".", "_" and "-", at most 100';

const idPrefix = 'holdfast-schedule:';

/** The id of a schedule on the server. The prefix keeps apart the schedules of other programs in the namespace. */
export function toScheduleId(name: string): string {
  return `${idPrefix}${name}`;
}

/** Undefined for a schedule of another program. */
export function toScheduleName(scheduleId: string): string | undefined {
  return scheduleId.startsWith(idPrefix) ? scheduleId.slice(idPrefix.length) : undefined;
}

/** The id of the session of one slot, as Temporal's scheduler makes it. `at` is in ms since the epoch. */
export function slotSessionId(name: string, at: number): string {
  return `${name}-${toSecond(at)}`;
}

// oxfmt-ignore
export type Weekday = 'sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday';
// oxfmt-ignore
export const weekdays: readonly Weekday[] = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** `skip` starts nothing while the last session runs; `buffer-one` starts one when it has ended. */
export type OverlapPolicy = 'skip' | 'buffer-one' | 'cancel-other' | 'terminate-other' | 'allow-all';
// oxfmt-ignore
export const overlapPolicies: readonly OverlapPolicy[] = ['skip', 'buffer-one', 'cancel-other', 'terminate-other', 'allow-all'];

/** A cron expression, an interval, or times of day. */
export type ScheduleTimes =
  | {
      /** Five fields (minute, hour, day of month, month, day of week), six with a year, seven with seconds. */
      cron: string;
    }
  | {
      /** In ms, whole seconds; counted from the epoch. */
      everyMs: number;
      /** Moves every slot by so much, in ms. Default 0. */
      offsetMs?: number;
    }
  | {
      /** Times of day such as `07:00`. */
      at: string[];
      /** Default: every day. */
      days?: Weekday[];
    };

/** A schedule as its maker states it. */
export type SchedulePlan = {
  times: ScheduleTimes;
  /** IANA name of the zone of cron expressions and times of day. Default UTC. */
  timeZone?: string;
  /** Each start is later by a random time up to this, in ms. Default 0. */
  jitterMs?: number;
  /** The policy for a slot at which the last session still runs. Default `skip`. */
  overlap?: OverlapPolicy;
  /** Slots that the server missed are made up for if they are no older, in ms. Default 1 h, at least 10 s. */
  catchUpMs?: number;
  /** No session starts after it, in ms since the epoch. Default: it never ends. */
  until?: number;
  /** The start input of its sessions. Default for `needsReport` and `throwOnFailure`: true. */
  input: SessionInput;
};

export const defaultCatchUpMs = 3_600_000;
/** The server takes a smaller one for this. */
const leastCatchUpMs = 10_000;

/** The reason for refusing a plan, as a sentence without its end; undefined if it can be made. The server judges cron. */
export function problemOfPlan(plan: SchedulePlan, now: number): string | undefined {
  const { times, timeZone, jitterMs = 0, catchUpMs = defaultCatchUpMs, until = Infinity, input } = plan;
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return `the time zone "${timeZone}" is not known: expected an IANA name, such as Europe/Berlin`;
  if (jitterMs < 0) return 'the jitter is below 0: expected a time';
  if (catchUpMs < leastCatchUpMs) return 'the catch-up window is shorter than 10 s: expected at least that';
  if (until <= now) return `its end, ${new Date(until).toISOString()}, is over: expected a later time`;
  return problemOfTimes(times) ?? problemOfInput(input);
}

function problemOfTimes(times: ScheduleTimes): string | undefined {
  if ('cron' in times) return problemOfCron(times.cron);
  if ('at' in times) {
    const wrong = times.at.find((time) => !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time));
    if (wrong !== undefined) return `the time of day "${wrong}" is not one: expected hh:mm, such as 07:00`;
    return times.at.length === 0 || times.days?.length === 0
      ? 'it has no time of day, or no day: expected one'
      : undefined;
  }
  const { everyMs, offsetMs = 0 } = times;
  const wrong = [everyMs, offsetMs].some((ms) => !Number.isInteger(ms / 1_000));
  if (wrong || everyMs < 1_000) return 'the interval has no whole seconds: expected 1 s or more';
  return offsetMs < 0 || offsetMs >= everyMs
    ? 'the offset is not within the interval: expected less than that'
    : undefined;
}

/** Values of minute, hour, day of month, month and day of week: a longer step comes at the first value of a field only. */
const fieldSizes = [60, 24, 31, 12, 7];

/** The server judges the rest, and takes these for something else. */
function problemOfCron(cron: string): string | undefined {
  if (/\S#/.test(cron))
    return `"#" in "${cron}" begins a comment for the server: expected days of the month beside the weekday, which must both match, such as "0 7 8-14 * 5" for the second Friday`;
  const fields = cron.trim().split(/\s+/);
  const wrong = fields
    .slice(fields.length === 7 ? 1 : 0)
    .find((field, index) => Number(/\/(\d+)/.exec(field)?.[1]) > (fieldSizes[index] ?? Infinity));
  return wrong && `the step of "${wrong}" is longer than its field: expected an interval (everyMs, --every)`;
}

/** A session of a schedule begins at its slot and ends with its run. */
function problemOfInput(input: unknown): string | undefined {
  const { keepAlive, deadlineAt, window, alert, parent } = fieldsOf(input);
  if (keepAlive === true)
    return 'keepAlive: a session of a schedule ends with its run, since the next slot waits for it: leave it out';
  if (deadlineAt !== undefined)
    return 'deadlineAt is one moment, which later sessions would begin after: expected loop.deadlineMs';
  if (alert !== undefined) return 'alert is one of a time, and each session would show it: leave it out';
  if (window !== undefined) return 'window is the same time for every session: leave it out';
  return parent === undefined ? undefined : 'parent is for subagents: leave it out';
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The last millisecond of a day, such as `2026-12-31`, in a zone; undefined if there is no such day. */
export function endOfDay(day: string, timeZone: string): number | undefined {
  const began = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // a month without a 31st
  if (Number.isNaN(began) || toUtc(began, 'day') !== day) return undefined;
  const midnight = began + 86_400_000;
  return midnight - offsetOf(timeZone, midnight) - 1;
}

/** The distance of local time from UTC, in ms. */
function offsetOf(timeZone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
