// Alerts with their fates, and the state of a receiver, as lines for a terminal. Pure.
import type { ListedAlert, ReceiverState } from '../../client.ts';
import { counted, describeMoment, toCost } from '../../core/base/words.ts';
import type { Colors } from '../cli.ts';
import { toLine } from './plain-text.ts';

export function describeFate(alert: ListedAlert, now: number, { bold, dim }: Colors): string {
  const { name, what, severity, times, firstAt, lastAt, endedAt, fate, outcome, group } = alert;
  const count = times > 1 ? `, ${times} messages, the last ${describeMoment(lastAt, now)}` : '';
  const over = endedAt === undefined ? '' : `, over ${describeMoment(endedAt, now)}`;
  const session = fate.session === undefined ? '' : ` ${fate.session}`;
  const end = outcome === undefined ? '' : ` (${outcome})`;
  return [
    `${bold(fate.kind)}${session}${end}  ${toLine(`${name} ${what}`, 160)}`,
    `  ${toLine(fate.because, 300)}, ${describeMoment(fate.at, now)}`,
    dim(`  ${severity}, came ${describeMoment(firstAt, now)}${count}${over}  ${toLine(group, 200)}`),
  ].join('\n');
}

/** Slots, the day's budget, and what could not be read. */
export function describeReceiver(state: ReceiverState, now: number): string {
  const { held, queue, day, limits, refused, refusedTotal } = state;
  const { slots, sessionsPerDay, costUsdPerDay } = limits ?? {};
  const parts = [
    `${held.length}${slots === undefined ? '' : ` of ${counted(slots, 'slot')}`} in use, ${counted(queue.length, 'group')} waiting`,
    `today ${day.sessions}${sessionsPerDay === undefined ? '' : ` of ${sessionsPerDay}`} sessions, ` +
      `${toCost(day.costUsd)}${costUsdPerDay === undefined ? '' : ` of ${toCost(costUsdPerDay)}`}`,
    ...(refusedTotal === 0 ? [] : [`${counted(refusedTotal, 'message')} refused, the newest:`]),
  ];
  const lines = refused
    .slice(-5)
    .map(({ at, reason }) => `  ${describeMoment(at, now)} ${toLine(reason, 300)}`);
  return [parts.join('; '), ...lines].join('\n');
}
