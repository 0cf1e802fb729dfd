// holdfast list: the sessions of a server. Needs no worker.
import { defined } from '@holdfast/base/defined';
import { Option } from 'commander';
import { count, label, name } from '../arguments.ts';
import type { Colors } from '../colors.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed } from '../../config/command-line.ts';
import { spentOf, stateOf } from '../render/describe-session.ts';
import { toLine } from '../render/plain-text.ts';
import type { ServerCommand } from '../server-access.ts';
import type { HoldfastClient, ListOptions, SessionListing, SessionStatus } from '../../client.ts';
import { outcomeFilters } from '@holdfast/vocabulary/run-status';
import { present } from '@holdfast/base/present';
import { counted, describeMoment } from '@holdfast/base/words';

type ListFilters = Omit<ListOptions, 'labels'> & { label?: ListOptions['labels'] };

const statuses: Record<SessionStatus, true> = { running: true, waiting: true, idle: true, ended: true };

/** With filters, an empty list does not mean that there are no sessions. */
function noneFound({ children: _children, ...filters }: ListOptions): string {
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  if (isFiltered) return `No session matches these filters. "${typed('list')}" shows the newest of all.`;
  return `No sessions. "${typed('run <task>')}" starts one.`;
}

export function registerList(program: CliCommand): void {
  program
    .command('list')
    .option('--running', 'only those that have not ended')
    .option('--limit <count>', 'how many', count, 20)
    .option('--children', 'also the subagents that sessions have started')
    .addOption(new Option('--status <status>', 'only those in this state').choices(Object.keys(statuses)))
    .option('--agent <name>', 'only those of this agent', name)
    .addOption(
      new Option('--outcome <outcome>', 'only those whose last run ended so').choices(outcomeFilters),
    )
    .option('--label <key=value>', 'only those with this label; may be repeated', label)
    .examples([
      'list',
      'list --running --limit 5',
      'list --status waiting',
      'list --agent triage --outcome failed --label team=shop',
    ])
    .onServer(list);
}

async function list(
  { output, access }: ServerCommand,
  { label: labels, limit = 20, ...given }: ListFilters,
): Promise<void> {
  const options = { ...given, ...defined({ labels }) };
  const all = await access.client.list({ ...options, limit: limit + 1 });
  const found = all.slice(0, limit);
  const { toEntry } = await import('../../gateway/session-view.ts');
  for (const listing of found) output.emit(toEntry(listing));
  const now = Date.now();
  const lines = found.map((session) => toRow(session, output.colors, now));
  output.print(lines.length > 0 ? lines.join('\n') : noneFound(options));
  if (all.length > limit) output.print(`${limit} shown, there are more: --limit.`);
  await sayAbandoned(access.client, found, output.say);
}

/** Reports sessions with work whose worker was killed or never started, and how they continue. */
async function sayAbandoned(
  client: HoldfastClient,
  sessions: readonly SessionListing[],
  say: (line: string) => void,
): Promise<void> {
  const working = sessions.filter(
    ({ status, agentStatus }) => status === 'RUNNING' && agentStatus !== 'idle',
  );
  for (const [taskQueue, queued] of Map.groupBy(working, (session) => session.taskQueue)) {
    // optional: the list itself is complete
    if (await client.hasWorker(taskQueue).catch(() => true)) continue;
    const ids = queued.map(({ sessionId }) => sessionId);
    say(
      `! No worker is running for ${counted(ids.length, 'session')} with work: ${ids.join(', ')}.\n` +
        `  continue:   ${typed(`watch ${ids[0]} --worker`)}`,
    );
  }
}

function toRow(session: SessionListing, colors: Colors, now: number): string {
  const { sessionId, storedAs = sessionId, agent, startedAt, task } = session;
  const facts = present([describeMoment(startedAt, now), agent, stateOf(session), ...spentOf(session)]);
  return `${colors.bold(storedAs)}  ${facts.join(' · ')}\n  ${colors.dim(toLine(task, 100))}`;
}
