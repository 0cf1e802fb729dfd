// A schedule for people: whole, and as a row of a list. Pure.
import type { ScheduleState, SessionListing } from '../../client.ts';
import { present } from '@holdfast/base/present';
import { counted, describeMoment } from '@holdfast/base/words';
import { noReport } from '@holdfast/vocabulary/run-result';
import { toSpan } from '../../core/schedules/describe-times.ts';
import type { Colors } from '../colors.ts';
import { stateOf } from './describe-session.ts';
import { toLine } from './plain-text.ts';

const shownSlots = 5;

export function describeSchedule(state: ScheduleState, colors: Colors, now: number): string {
  const { name, times, task, agent, taskQueue, paused, next, runs, timeZone: zone, madeBy } = state;
  const facts: [string, string | undefined][] = [
    ['schedule', colors.bold(name)],
    ['times', times],
    ['task', toLine(task, 200)],
    ['agent', `${toLine(agent)}, on the task queue ${taskQueue}`],
    ['made by', madeBy && `session ${madeBy.sessionId}, approved by ${toLine(madeBy.approvedBy)}`],
    ['paused', paused === undefined ? undefined : colors.yellow(toLine(paused, 300) || 'without a reason')],
    ['overlap', describeOverlap(state)],
    ['next', next.length === 0 ? 'never' : undefined],
  ];
  return [
    ...facts.flatMap(([fact, value]) => (value ? [`${fact.padEnd(9)}${value}`] : [])),
    ...listed(
      'next',
      next.slice(0, shownSlots).map((at) => describeMoment(at, now, zone)),
    ),
    ...listed(
      'runs',
      runs.map((run) => describeRun(run, zone, now)),
    ),
  ].join('\n');
}

function listed(name: string, lines: string[]): string[] {
  return lines.map((line, index) => `${(index === 0 ? name : '').padEnd(9)}${line}`);
}

function describeOverlap({ overlap, catchUpMs, skipped, missed }: ScheduleState): string {
  return present([
    overlap ?? 'as another program has set it',
    skipped > 0 && `${counted(skipped, 'slot')} skipped`,
    `slots up to ${toSpan(catchUpMs)} old are made up for`,
    missed > 0 && `${counted(missed, 'slot')} missed`,
  ]).join('; ');
}

export function scheduleRow(state: ScheduleState, colors: Colors, now: number): string {
  const { name, times, runs, timeZone: zone } = state;
  const running = runs.find(({ status }) => status === 'RUNNING');
  const last = runs.find(({ status }) => status !== 'RUNNING');
  const facts = present([
    describeNextSlot(state, now),
    running && `running now: ${running.sessionId}`,
    last && `last ${describeMoment(last.startedAt, now, zone)}: ${outcomeOf(last)}`,
    runs.length === 0 && 'no session yet',
  ]);
  return `${colors.bold(name)}  ${times}\n  ${facts.join(' · ')}`;
}

export function describeNextSlot({ paused, next: [at], timeZone: zone }: ScheduleState, now: number): string {
  if (paused !== undefined) return `paused: ${toLine(paused, 200) || 'without a reason'}`;
  return at === undefined ? 'no more slots' : `next ${describeMoment(at, now, zone)}`;
}

function describeRun(run: SessionListing, zone: string, now: number): string {
  return `${run.sessionId}  ${describeMoment(run.startedAt, now, zone)} · ${outcomeOf(run)}`;
}

function outcomeOf(run: SessionListing): string {
  return run.status === 'FAILED' && run.cause === noReport ? 'failed: no report' : stateOf(run);
}
