// A call that waits for a person, as each place on the terminal shows it: always with the arguments that will run, and
// with one wording of the deadline. Pure.
import { describeDeadline } from '../../core/base/words.ts';
import type { AgentEvent } from '../../core/model/events.ts';
import type { Json } from '../../core/base/json.ts';
import { toShownLines } from '../../core/base/shown-json.ts';
import type { PendingApproval } from '../../core/model/snapshot.ts';
import type { ToolEffect } from '../../core/model/tool-spec.ts';
import { toLine, toPlain } from './plain-text.ts';

type Requested = Extract<AgentEvent, { type: 'approval_requested' }>;

/** The event in the live view. */
export function describeRequest({ tool, args, summary, reason, deadline }: Requested, now: number): string {
  return [
    `  ? approval needed: ${toLine(summary)}${reason ? ` (${toLine(reason)})` : ''}`,
    ...(args === undefined ? [] : [`    ${toPlain(tool)} ${toPlain(args)}`]),
    `    denied without an answer ${describeDeadline(deadline, now)}`,
  ].join('\n');
}

/** The call exactly as it would run. */
export function describeCall({ tool, args }: Pick<PendingApproval, 'tool' | 'args'>): string {
  return `${toPlain(tool)} ${toPlain(args)}`;
}

/** Why it asks, and how long. */
export function describeWait({ reason, deadline }: PendingApproval, now: number): string {
  const why = reason === undefined ? '' : `${toLine(reason, 300).replace(/(?<![.!?])$/, '.')} `;
  return `${why}Denied without an answer ${describeDeadline(deadline, now)}`;
}

const effects: Record<ToolEffect, string> = {
  read: 'read: it changes nothing, and runs again when its worker is lost',
  idempotent: 'idempotent: it runs again, with the same key, when its worker is lost',
  once: 'once: it never runs again by itself; when its worker is lost, its outcome is unknown',
};

/** Everything there is about it, on several lines. */
export function describeWhole(pending: PendingApproval, now: number): string {
  const { id, turn, tool, effect, reason, deadline } = pending;
  const facts = [
    ['call', `${toLine(id, 200)}, turn ${turn}`],
    ['tool', toPlain(tool)],
    ['effect', effects[effect]],
    ['reason', toLine(reason ?? 'none given', 1_000)],
    ['deadline', `${describeDeadline(deadline, now)}; without an answer it is denied`],
    ['arguments', ''],
  ] as const;
  return [
    ...facts.map(([name, value]) => `  ${name.padEnd(9)} ${value}`.trimEnd()),
    ...argumentLines(pending.args).map((line) => `    ${line}`),
  ].join('\n');
}

function argumentLines(args: string): string[] {
  // the workflow wrote it as JSON
  return toShownLines(JSON.parse(args) as Json);
}
