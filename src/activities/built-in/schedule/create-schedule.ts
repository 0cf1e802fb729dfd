// The tool create_schedule: an agent asks for a schedule of sessions. A person always decides, whatever mode and rules
// say; it has an end, and its sessions have no right that the asking session lacks. Runs in Node.
import { Context } from '@temporalio/activity';
import { ScheduleAlreadyRunning } from '@temporalio/client';
import { z } from 'zod';
import { defined } from '@holdfast/base/defined';
import { isRecord } from '@holdfast/base/json';
import { readTime, timeFault } from '@holdfast/base/time-text';
import { createScheduleName } from '@holdfast/vocabulary/outer-names';
import { describeTimes } from '../../../core/schedules/describe-times.ts';
import {
  type SchedulePlan,
  type ScheduleTimes,
  expectedScheduleName,
  problemOfPlan,
  scheduleNamePattern,
  weekdays,
} from '../../../core/schedules/schedule.ts';
import { scheduledInput, toTemporalSchedule, toTemporalSpec } from '../../../core/schedules/to-temporal.ts';
import { parseSessionInput } from '../../../core/session/session-input.schema.ts';
import { createOwnWorkflow } from '../../base/own-workflow.ts';
import {
  defineTool,
  type RegisteredTool,
  type ToolContext,
  type ToolReturn,
} from '../../tools/define-tool.ts';

const minuteMs = 60_000;
const leastMinutes = 15;
const mostDays = 31;

const fields = z.strictObject({
  name: z.string().regex(scheduleNamePattern, `expected ${expectedScheduleName}`),
  task: z.string().min(1).max(4_000).describe('For each session, which knows nothing of this one.'),
  every_minutes: z
    .int()
    .min(leastMinutes)
    .max(mostDays * 1_440)
    .optional(),
  at: z.array(z.string()).min(1).max(96).optional().describe('Or times of day, e.g. ["07:00", "19:30"].'),
  days: z.array(z.enum(weekdays)).min(1).optional().describe('With at. Default: every day.'),
  time_zone: z.string().optional().describe('Of at: an IANA name. Default UTC.'),
  until: z.string().max(40).describe(`Its end, at most ${mostDays} days ahead: 2026-01-31T18:00:00Z.`),
});

type Asked = z.output<typeof fields>;

const input = fields.superRefine((asked, context) => {
  const problem = problemOf(asked, Date.now());
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

export function createScheduleTool(): RegisteredTool {
  return defineTool({
    name: createScheduleName,
    label: 'Create schedule',
    description:
      'Asks for a schedule: sessions like this one that start by themselves, each with the task. A person decides. At least 15 ' +
      'minutes apart, for at most 31 days.',
    input,
    effect: 'idempotent',
    timeoutMs: 30_000,
    summaryArguments: ['name', 'task'],
    inspect: (asked) => ({ actions: [action], preview: describe(asked) }),
    run: createSchedule,
  });
}

const action = {
  effect: 'idempotent',
  decision: 'ask',
  reason: 'It lets sessions start by themselves, so a person decides.',
} as const;

function toPlan({
  every_minutes: minutes,
  at = [],
  days,
  time_zone: timeZone,
  until,
}: Asked): Omit<SchedulePlan, 'input'> {
  const times: ScheduleTimes =
    minutes === undefined ? { at, ...defined({ days }) } : { everyMs: minutes * minuteMs };
  return { times, until: endOf(until), ...defined({ timeZone }) };
}

/** NaN for no time. */
function endOf(until: string): number {
  return readTime(until, Date.now()) ?? Number.NaN;
}

function problemOf(asked: Asked, now: number): string | undefined {
  const { at, days, every_minutes: minutes, until } = asked;
  if ((at === undefined) === (minutes === undefined)) return 'expected every_minutes or at, one of them';
  if (days !== undefined && at === undefined) return 'days belongs to at';
  if (Number.isNaN(endOf(until))) return `until ${timeFault(until)}`;
  if (endOf(until) - now > mostDays * 86_400_000) return `until: expected at most ${mostDays} days ahead`;
  return problemOfPlan({ ...toPlan(asked), input: {} }, now) ?? problemOfGaps(at ?? []);
}

function problemOfGaps(at: readonly string[]): string | undefined {
  const minutes = at
    .map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)))
    .toSorted((a, b) => a - b);
  const [first = 0] = minutes;
  const gaps = minutes.map((minute, index) => (minutes[index + 1] ?? first + 1_440) - minute);
  return gaps.every((gap) => gap >= leastMinutes)
    ? undefined
    : `at: expected ${leastMinutes} minutes between two times`;
}

/** For the person who is asked. */
function describe(asked: Asked): string {
  const times = describeTimes(toTemporalSpec(toPlan(asked)), Date.now());
  return `Schedule ${asked.name}: ${times}.\nEach session has the agent, tools, limits and destinations of this one, and the task:\n${asked.task}`;
}

async function createSchedule(
  asked: Asked,
  { sessionId, callId, top, approvedBy = '', idempotencyKey }: ToolContext,
): Promise<ToolReturn> {
  if (top !== undefined) return refused('only the session at the top makes schedules, not its subagents');
  const { client, info } = Context.current();
  const { name, task } = asked;
  const inherited = await createOwnWorkflow().getInheritedStart();
  const start = parseSessionInput(scheduledInput(name, { ...inherited, prompt: task }));
  const { taskQueue, workflowType = '' } = info;
  const schedule = toTemporalSchedule(
    { ...toPlan(asked), input: start },
    // cut as if it were encrypted
    { name, task, taskQueue, workflowType, encrypted: true },
  );
  const note = `made by session ${sessionId} (call ${callId}), approved by ${approvedBy}`;
  try {
    await client.schedule.create({
      ...schedule,
      memo: { madeBy: { sessionId, approvedBy, call: idempotencyKey } },
      state: { note },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { memo } = await client.schedule.getHandle(schedule.scheduleId).describe();
    const madeBy = memo?.['madeBy'];
    // an earlier attempt of this call
    if (!isRecord(madeBy) || madeBy['call'] !== idempotencyKey)
      return refused(`there is a schedule "${name}" already: choose another name`);
  }
  return { text: `Made. ${describe(asked)}`, ownWords: true };
}

function refused(why: string): ToolReturn {
  return { text: `Not made: ${why}.`, isError: true, outcome: 'refused', ownWords: true };
}
