// Each event of a session in one or a few lines for people, and a call that waits for approval as each place on the
// terminal shows it: with the arguments that will run, and one wording of the deadline. Pure.
import type { Colors } from '../cli.ts';
import { typed } from '../command-line.ts';
import { toCost, toCount, toLine, toPlain } from './plain-text.ts';
import { recoveryOf } from '../../core/base/failures.ts';
import type { Json } from '../../core/base/json.ts';
import { toShownLines } from '../../core/base/shown-json.ts';
import type { AgentEvent } from '../../core/model/events.ts';
import { inputTotal } from '../../core/model/messages.ts';
import type { PendingApproval } from '../../core/model/snapshot.ts';
import type { ToolEffect } from '../../core/model/tool-spec.ts';
import { describeDeadline } from '../../core/base/words.ts';

/** From earlier events: the summaries of calls in flight. */
export type EventContext = {
  colors: Colors;
  sessionId: string;
  summaries: Map<string, string>;
  now: () => number;
};

export function describeEvent(event: AgentEvent, context: EventContext): string | undefined {
  const { colors, summaries } = context;
  switch (event.type) {
    case 'turn_start':
      return colors.bold(`turn ${event.turn ?? '?'}`);
    case 'message_end':
      return describeMessage(event, colors);
    case 'tool_execution_start': {
      const summary = toLine(event.summary ?? `${event.tool} ${event.rawArgs}`);
      summaries.set(event.callId, summary);
      return colors.cyan(`  → ${summary}`);
    }
    case 'tool_execution_end': {
      const summary = summaries.get(event.callId) ?? event.tool;
      summaries.delete(event.callId);
      const mark = event.isError ? colors.red('  ✗') : colors.green('  ✓');
      return `${mark} ${summary} ${colors.dim(`· ${toLine(event.text) || 'no output'}`)}`;
    }
    case 'policy_decision': {
      // an allowed call is seen as it runs
      if (event.decision === 'allow') return undefined;
      const why = event.reason === undefined ? '' : `: ${toLine(event.reason)}`;
      return colors.yellow(`  ? ${event.tool}: ${event.tier} says ${event.decision}${why}`);
    }
    case 'approval_requested':
      return colors.yellow(describeRequest(event, context.now()));
    case 'approval_resolved':
      return describeAnswer(event, colors);
    case 'queue_update':
      return colors.dim(`  » ${event.queue === 'steering' ? 'steering' : 'follow-up'} ${event.action}`);
    case 'condense_start':
      return colors.dim(`  condensing the view (${toLine(event.reason)})`);
    case 'condense_end':
      return colors.dim(
        `  condensed from ${toCount(event.tokensBefore)} to ${toCount(event.tokensAfter)} tokens`,
      );
    case 'warning':
      return colors.yellow(describeWarning(event, context.sessionId));
    case 'agent_end':
      return describeEnd(event, colors);
    default:
      return undefined;
  }
}

type Of<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

function describeMessage({ role, text }: Of<'message_end'>, colors: Colors): string | undefined {
  const plain = toPlain(text).trim();
  if (plain === '') return undefined;
  if (role === 'user') return colors.magenta(indent(plain, '  » '));
  return role === 'assistant' ? indent(plain, '  ') : undefined;
}

/** A problem that only a person can fix comes with the commands to use afterwards. */
function describeWarning({ code, message }: Of<'warning'>, sessionId: string): string {
  const line = `  ! ${toLine(message, 300)}`;
  if (recoveryOf(code) !== 'wait_for_operator') return line;
  return `${line}\n    Waiting for you: fix the problem, then run "${typed(`resume ${sessionId}`)}", or "${typed(`abort ${sessionId}`)}".`;
}

function describeAnswer(event: Of<'approval_resolved'>, colors: Colors): string {
  const reason = event.reason ? `: ${toLine(event.reason)}` : '';
  const actor = toLine(event.actor);
  return event.approved
    ? colors.green(`  approved by ${actor}${reason}`)
    : colors.red(`  denied by ${actor}${reason}`);
}

function describeEnd(event: Of<'agent_end'>, colors: Colors): string {
  const good = event.status === 'completed';
  const cause = event.cause && event.cause !== 'answer' ? ` (${event.cause})` : '';
  const error = event.error ? `: ${event.error.code}: ${toLine(event.error.message, 400)}` : '';
  const tokens = `${toCount(inputTotal(event.usage))} tokens in, ${toCount(event.usage.output)} out`;
  const status = (good ? colors.green : colors.red)(`${event.status}${cause}${error}`);
  return `${status} ${colors.dim(`· ${tokens} · ${toCost(event.costUsd)}`)}`;
}

function indent(text: string, first: string): string {
  return text
    .split('\n')
    .map((line, index) => `${index === 0 ? first : ' '.repeat(first.length)}${line}`)
    .join('\n');
}

type Requested = Extract<AgentEvent, { type: 'approval_requested' }>;

/** The event in the live view. */
function describeRequest({ tool, args, summary, reason, deadline }: Requested, now: number): string {
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
