// Where a session stands, for people. Pure.
import type { MergedSnapshot, SessionListing } from '../../client.ts';
import type { Colors } from '../cli.ts';
import { counted } from '../../core/base/counted.ts';
import { quote, typed } from '../command-line.ts';
import { describeCall, describeWait } from './describe-approval.ts';
import { toCost, toLine, toPlain } from './plain-text.ts';
import { toModelName } from '../../core/model/model-name.ts';

export function describeSnapshot(snapshot: MergedSnapshot, colors: Colors, now: number): string {
  const { sessionId, task, state, agent, model, turn, toolCalls, costUsd, waitingFor, waitingReason } =
    snapshot;
  const facts: [string, string | undefined][] = [
    ['session', colors.bold(sessionId)],
    ['task', toLine(task, 200)],
    ['agent', [agent, model && toModelName(model)].filter(Boolean).join(' · ') || undefined],
    ['state', [state, snapshot.lastStatus && `last run ${snapshot.lastStatus}`].filter(Boolean).join(', ')],
    ['turn', `${turn}, ${counted(toolCalls, 'tool call')}, ${toCost(costUsd)}`],
    [
      'waiting',
      waitingFor &&
        colors.yellow([waitingFor, waitingReason && toLine(waitingReason, 300)].filter(Boolean).join(': ')),
    ],
    ['queued', queued(snapshot)],
    ['error', snapshot.error && colors.red(`${snapshot.error.code}: ${toLine(snapshot.error.message, 400)}`)],
    ['writing', snapshot.partial && toLine(snapshot.partial.text.slice(-300), 200)],
  ];
  const lines = facts.flatMap(([name, value]) => (value ? [`${name.padEnd(8)} ${value}`] : []));
  const approvals = snapshot.approvals.map(
    (pending) =>
      `  ${colors.yellow('?')} ${describeCall(pending)}\n    ${describeWait(pending, now)}\n` +
      `    ${typed(`approve ${sessionId} ${quote(toPlain(pending.id))}`)}   or: ${typed(`deny ${sessionId} ${quote(toPlain(pending.id))}`)}`,
  );
  return [...lines, ...approvals].join('\n');
}

/** How a session stands, in a few words. */
export function stateOf({ status, agentStatus, waitingFor, outcome, grade }: SessionListing): string {
  const last = outcome && (grade ? `${outcome}/${grade}` : outcome);
  if (status !== 'RUNNING') return status === 'COMPLETED' ? (last ?? 'ended') : status.toLowerCase();
  const waits = waitingFor && `waiting for ${waitingFor}`;
  const state = agentStatus === 'waiting' && waits ? undefined : (agentStatus ?? 'running');
  return [state, waits, last && `last run ${last}`].filter(Boolean).join(', ');
}

/** What server and artifact store know. */
export function describeListing(listing: SessionListing, colors: Colors, state = stateOf(listing)): string {
  const { sessionId, task, turns, costUsd } = listing;
  return [
    `session  ${colors.bold(sessionId)}`,
    `task     ${toLine(task, 200)}`,
    `state    ${state}`,
    ...(turns === undefined
      ? []
      : [`turn     ${turns}${costUsd === undefined ? '' : `, ${toCost(costUsd)}`}`]),
  ].join('\n');
}

function queued({ queues }: MergedSnapshot): string | undefined {
  const { steering, followUp } = queues;
  if (steering.length + followUp.length === 0) return undefined;
  return `${steering.length} steering, ${followUp.length} follow-up`;
}
