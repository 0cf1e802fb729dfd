// The state of a session, for people. Pure.
import { defined } from '@holdfast/base/defined';
import type { Colors } from '../colors.ts';
import { typed, withTyped } from '../../config/command-line.ts';
import {
  describeAllowance,
  describeAnswerCommand,
  describeApproveCommands,
  toCallLine,
  describePreview,
  describeWholeCommand,
  describeQuestion,
  describeWait,
} from './describe-waiting.ts';
import { failedCondensesOf, hypothesesLines, planLines } from './describe-result.ts';
import { describeFailingTask } from '../../client/failing-task.ts';
import { toLine } from './plain-text.ts';
import type { MergedSnapshot, SessionListing } from '../../client.ts';
import { toOutcomeText } from '@holdfast/vocabulary/run-result';
import { present } from '@holdfast/base/present';
import { counted, describeCost } from '@holdfast/base/words';
import { describeModes } from '../../core/tools/modes.ts';

/** `cut`: the words for a session that Temporal has ended. It waits for nobody. */
export function describeSnapshot(snapshot: MergedSnapshot, colors: Colors, now: number, cut = ''): string {
  const { sessionId, task, state, agent, model, turn, toolCalls, waitingFor, waitingReason } = snapshot;
  const { continuedAsNew } = snapshot;
  const facts: [string, string | false | undefined][] = [
    ['session', colors.bold(sessionId)],
    ['task', toLine(task, 200)],
    ['agent', [agent, model && `${model.provider}:${model.id}`].filter(Boolean).join(' · ') || undefined],
    ['mode', modesOf(snapshot)],
    ['state', [cut || state, lastRunOf(snapshot)].filter(Boolean).join(', ')],
    [
      'turn',
      [turn, counted(toolCalls, 'tool call'), describeCost(snapshot), ...failedCondensesOf(snapshot)].join(
        ', ',
      ),
    ],
    [
      'waiting',
      waitingFor &&
        !cut &&
        colors.yellow([waitingFor, waitingReason && toLine(waitingReason, 300)].filter(Boolean).join(': ')),
    ],
    ['history', continuedAsNew === 0 ? undefined : `continued as new ${counted(continuedAsNew, 'time')}`],
    ['team', teamOf(snapshot)],
    ['queued', queued(snapshot)],
    [
      'error',
      snapshot.error &&
        colors.red(`${snapshot.error.code}: ${toLine(withTyped(snapshot.error.message), 400)}`),
    ],
    ['writing', snapshot.partial && toLine(snapshot.partial.text.slice(-300), 200)],
  ];
  const lines = facts.flatMap(([name, value]) => (value ? [`${name.padEnd(8)} ${value}`] : []));
  return [
    ...lines,
    ...planLines(snapshot),
    ...hypothesesLines(snapshot),
    ...(cut ? [] : waitingLines(snapshot, colors, now)),
    ...allowanceLines(snapshot, now),
  ].join('\n');
}

function teamOf({ sessionId, children }: MergedSnapshot): string | undefined {
  if (children.length === 0) return undefined;
  const running = children.filter(({ state }) => state === 'running').length;
  return `${counted(children.length, 'subagent')}, ${running} running: ${typed(`show ${sessionId} --tree`)}`;
}

function waitingLines(
  { sessionId, approvals, questions }: MergedSnapshot,
  colors: Colors,
  now: number,
): string[] {
  const mark = colors.yellow('?');
  return [
    ...approvals.map((pending) =>
      [
        `  ${mark} ${pending.child ? `${toLine(pending.child.name)}: ` : ''}${toCallLine(pending)}`,
        ...describePreview(pending.preview, describeWholeCommand(sessionId)),
        `    ${describeWait(pending, now)}`,
        ...describeApproveCommands(sessionId, pending).map((command) => `    ${command}`),
      ].join('\n'),
    ),
    ...questions.map((pending) =>
      [
        `  ${mark} ${pending.child ? toLine(pending.child.name) : 'the agent'} asks:`,
        describeQuestion(pending, now),
        `    ${describeAnswerCommand(sessionId, pending)}`,
      ].join('\n'),
    ),
  ];
}

function allowanceLines({ sessionId, allowances }: MergedSnapshot, now: number): string[] {
  if (allowances.length === 0) return [];
  const lines = allowances.map((allowance) => `  ${describeAllowance(allowance, now)}`);
  return [
    'allowed  for this session:',
    ...lines,
    `  taken back with: ${typed(`approvals ${sessionId} --forget <id>`)}`,
  ];
}

function lastRunOf({ lastStatus, lastCause }: MergedSnapshot): string | undefined {
  if (lastStatus === undefined) return undefined;
  return `last run ${toOutcomeText(defined({ status: lastStatus, cause: lastCause || undefined }))}`;
}

/** Absent before the first run. */
function modesOf({ mode, dryRun = false, offTheRecord = false }: MergedSnapshot): string | undefined {
  return mode && describeModes({ mode, dryRun, offTheRecord }).replace('mode ', '');
}

/** The state of a session, in a few words. */
export function stateOf(listing: SessionListing): string {
  const { status, agentStatus, waitingFor, outcome, cause, grade = cause, failingTask } = listing;
  if (failingTask) return `stuck: ${toLine(describeFailingTask(failingTask), 300)}`;
  const last = outcome && (grade ? `${outcome}/${grade}` : outcome);
  if (status !== 'RUNNING') return status === 'COMPLETED' ? (last ?? 'ended') : status.toLowerCase();
  const waits = waitingFor && `waiting for ${waitingFor}`;
  const state = agentStatus === 'waiting' && waits ? undefined : (agentStatus ?? 'running');
  return [state, waits, last && `last run ${last}`].filter(Boolean).join(', ');
}

/** A session as far as the server and the artifact store know it. */
export function describeListing(listing: SessionListing, colors: Colors, state = stateOf(listing)): string {
  const { sessionId, task } = listing;
  const spent = spentOf(listing);
  return present([
    `session  ${colors.bold(sessionId)}`,
    `task     ${toLine(task, 200)}`,
    `state    ${state}`,
    spent.length > 0 && `turn     ${spent.join(', ')}`,
  ]).join('\n');
}

/** Turns and cost, as far as the server knows them: from the moment when the session began to wait, or ended. */
export function spentOf({ status, agentStatus, turns, costUsd = 0, costUnknown }: SessionListing): string[] {
  const isStale = status === 'RUNNING' && agentStatus === 'running';
  return turns === undefined || isStale
    ? []
    : [counted(turns, 'turn'), describeCost({ costUsd, costUnknown })];
}

function queued({ queues }: MergedSnapshot): string | undefined {
  const { steering, followUp } = queues;
  if (steering.length + followUp.length === 0) return undefined;
  return `${steering.length} steering, ${followUp.length} follow-up`;
}
