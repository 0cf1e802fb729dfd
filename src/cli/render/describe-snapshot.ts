// Where a session stands, for people. Pure.
import type { MergedSnapshot, SessionListing } from '../../client.ts';
import type { Colors } from '../cli.ts';
import { toCost, toLine, toPlain, toTime } from './plain-text.ts';

export function describeSnapshot(snapshot: MergedSnapshot, colors: Colors): string {
  const { sessionId, task, state, agent, model, turn, toolCalls, costUsd, waitingFor, waitingReason } =
    snapshot;
  const facts: [string, string | undefined][] = [
    ['session', colors.bold(sessionId)],
    ['task', toLine(task, 200)],
    ['agent', [agent, model && `${model.provider}:${model.id}`].filter(Boolean).join(' · ') || undefined],
    ['state', [state, snapshot.lastStatus && `last run ${snapshot.lastStatus}`].filter(Boolean).join(', ')],
    ['turn', `${turn}, ${toolCalls} tool calls, ${toCost(costUsd)}`],
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
    ({ id, tool, args, deadline }) =>
      `  ${colors.yellow('?')} ${tool} ${toPlain(args)}\n    until ${toTime(deadline)}: holdfast approve ${sessionId} ${id}   or: holdfast deny ${sessionId} ${id}`,
  );
  return [...lines, ...approvals].join('\n');
}

/** How a session stands, in a word. */
export function stateOf({ status, agentStatus, outcome }: SessionListing): string {
  if (status === 'RUNNING') return agentStatus ?? 'running';
  return status === 'COMPLETED' ? (outcome ?? 'ended') : status.toLowerCase();
}

/** What server and artifact store know. */
export function describeListing(listing: SessionListing, colors: Colors, state = stateOf(listing)): string {
  const { sessionId, task, waitingFor, turns, costUsd } = listing;
  return [
    `session  ${colors.bold(sessionId)}`,
    `task     ${toLine(task, 200)}`,
    `state    ${[state, waitingFor && `waiting for ${waitingFor}`].filter(Boolean).join(', ')}`,
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
