// A schedule as Temporal's client takes it: its spec, its policies, and the session that it starts. Pure data; the client
// and the tool create_schedule send it.
import { defined } from '@holdfast/base/defined';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { shownStart } from '@holdfast/vocabulary/shown-start';
import type { Calendar, Times } from './describe-times.ts';
import { defaultCatchUpMs, overlapPolicies, toScheduleId } from './schedule.ts';
import type { OverlapPolicy, SchedulePlan, ScheduleTimes, Weekday } from './schedule.ts';

const overlaps = {
  skip: 'SKIP',
  'buffer-one': 'BUFFER_ONE',
  'cancel-other': 'CANCEL_OTHER',
  'terminate-other': 'TERMINATE_OTHER',
  'allow-all': 'ALLOW_ALL',
} as const satisfies Record<OverlapPolicy, string>;

/** Undefined for a policy that another program has set. */
export function toOverlap(policy: string | undefined): OverlapPolicy | undefined {
  return overlapPolicies.find((name) => overlaps[name] === policy);
}

/** The start input of every session of a schedule. */
export function scheduledInput(name: string, { labels, ...input }: SessionInput): SessionInput {
  return { needsReport: true, throwOnFailure: true, ...input, labels: { ...labels, schedule: name } };
}

type ScheduleTarget = {
  name: string;
  taskQueue: string;
  /** Type of the workflow of a session. */
  workflowType: string;
  /** The task in words. */
  task: string;
  encrypted?: boolean;
};

/** Everything but the state of a schedule; `plan.input` has been checked. */
export function toTemporalSchedule(plan: SchedulePlan, { name, task, encrypted, ...place }: ScheduleTarget) {
  const { overlap = 'skip', catchUpMs = defaultCatchUpMs, input } = plan;
  return {
    scheduleId: toScheduleId(name),
    spec: toTemporalSpec(plan),
    policies: { overlap: overlaps[overlap], catchupWindow: catchUpMs },
    action: {
      type: 'startWorkflow' as const,
      // the scheduler adds the time of the slot, and refuses an id that it has used
      workflowId: name,
      args: [input],
      ...place,
      ...shownStart(task, input.labels, encrypted),
    },
  };
}

export function toTemporalSpec({
  times,
  timeZone = 'UTC',
  jitterMs,
  until,
}: Omit<SchedulePlan, 'input'>): Spec {
  return {
    ...toTimes(times),
    timezone: timeZone,
    ...defined({ jitter: jitterMs, endAt: until === undefined ? undefined : new Date(until) }),
  };
}

type Spec = Times & { cronExpressions?: string[] };

function toTimes(times: ScheduleTimes): Spec {
  if ('cron' in times) return { cronExpressions: [times.cron] };
  if ('everyMs' in times) return { intervals: [{ every: times.everyMs, offset: times.offsetMs ?? 0 }] };
  const minutes = [...new Set(times.at.map((time) => time.slice(3)))];
  const hoursAt = (minute: string): number[] =>
    times.at.filter((time) => time.endsWith(minute)).map((time) => Number(time.slice(0, 2)));
  return { calendars: minutes.map((minute) => toCalendar(Number(minute), hoursAt(minute), times.days)) };
}

function toCalendar(minute: number, hours: number[], days: readonly Weekday[] | undefined): Calendar {
  return {
    second: [one(0)],
    minute: [one(minute)],
    hour: hours.map(one),
    dayOfMonth: [{ start: 1, end: 31, step: 1 }],
    month: [{ start: 'JANUARY', end: 'DECEMBER', step: 1 }],
    year: [],
    dayOfWeek: days?.map((day) => one(day.toUpperCase() as Uppercase<Weekday>)) ?? [
      { start: 'SUNDAY', end: 'SATURDAY', step: 1 },
    ],
  };
}

function one<Unit>(value: Unit) {
  return { start: value, end: value, step: 1 };
}
