// Schedules as the server has them, with their newest sessions. Runs in the caller's process; reads only.
import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import { defaultAgent } from '@holdfast/vocabulary/session-input';
import { eachAtOnce } from '@holdfast/base/at-once';
import { defined } from '@holdfast/base/defined';
import { isRecord } from '@holdfast/base/json';
import { describeTimes } from '../core/schedules/describe-times.ts';
import { type OverlapPolicy, toScheduleId, toScheduleName } from '../core/schedules/schedule.ts';
import { toOverlap } from '../core/schedules/to-temporal.ts';
import { type SessionListing, listScheduled } from './session-list.ts';

/** A schedule of sessions. Times are in ms since the epoch, spans in ms. */
export type ScheduleState = {
  name: string;
  /** Such as `at 07:00, Monday to Friday, Europe/Berlin`. */
  times: string;
  timeZone: string;
  /** No session starts after it. */
  until?: number;
  task: string;
  agent: string;
  taskQueue: string;
  /** Present while it is paused: the reason. */
  paused?: string;
  /** Its next starts, jitter included, at most ten; empty: there are none. */
  next: number[];
  /** Its newest sessions, newest first. */
  runs: SessionListing[];
  /** Absent for a policy that only other programs set. */
  overlap?: OverlapPolicy;
  catchUpMs: number;
  /** Number of slots that the server missed by more than `catchUpMs`. */
  missed: number;
  /** Number of slots at which the last session still ran. */
  skipped: number;
  /** Present if an agent made it: the session, and the person who approved it. */
  madeBy?: { sessionId: string; approvedBy: string };
};

/**
 * Longest wait for several requests: the server answers those about a schedule by a workflow of its own, which it may
 * have to replay.
 */
export const schedulesAnswerMs = 30_000;

/** With at most `runs` sessions. */
export async function readSchedule(client: Client, name: string, runs: number): Promise<ScheduleState> {
  const handle = client.schedule.getHandle(toScheduleId(name));
  const [{ spec, action, policies, state, info, memo = {} }, sessions] = await Promise.all([
    handle.describe(),
    listScheduled(client, handle.scheduleId, runs),
  ]);
  const { timezone: timeZone = 'UTC', endAt } = spec;
  const input: unknown = action.args?.[0];
  const agent = isRecord(input) && typeof input['agent'] === 'string' ? input['agent'] : defaultAgent;
  const { madeBy } = memo;
  const task = action.memo?.['task'];
  return {
    name,
    times: describeTimes(defined({ ...spec, timezone: timeZone || 'UTC' }), Date.now()),
    timeZone: timeZone || 'UTC',
    task: typeof task === 'string' ? task : '',
    agent,
    taskQueue: action.taskQueue,
    next: info.nextActionTimes.map((time) => time.getTime()),
    runs: sessions,
    catchUpMs: policies.catchupWindow,
    missed: info.numActionsMissedCatchupWindow,
    skipped: info.numActionsSkippedOverlap,
    ...defined({
      until: endAt?.getTime(),
      paused: state.paused ? (state.note ?? '') : undefined,
      overlap: toOverlap(policies.overlap),
      madeBy: isMaker(madeBy) ? madeBy : undefined,
    }),
  };
}

function isMaker(value: unknown): value is NonNullable<ScheduleState['madeBy']> {
  return isRecord(value) && typeof value['sessionId'] === 'string' && typeof value['approvedBy'] === 'string';
}

/** Read at the same time: one asks the server three times. */
const atOnce = 5;

/** All schedules of the namespace that Holdfast made, by name, each with its two newest sessions. */
export async function listSchedules(client: Client): Promise<ScheduleState[]> {
  const all = await Array.fromAsync(client.schedule.list());
  const names = all.flatMap(({ scheduleId }) => toScheduleName(scheduleId ?? '') ?? []);
  const read = (name: string) => readSchedule(client, name, 2).catch(unlessRemoved);
  const found = await eachAtOnce(names.sort(), atOnce, read);
  return found.flatMap((schedule) => schedule ?? []);
}

/** The list lags behind. */
function unlessRemoved(error: unknown): undefined {
  if (!(error instanceof ScheduleNotFoundError)) throw error;
}
