// holdfast list: the sessions of this server, newest first. Needs no worker.
import type { Command } from 'commander';
import type { SessionListing } from '../../client.ts';
import { describeMoment, counted } from '../../core/base/words.ts';
import type { Cli, Colors } from '../cli.ts';
import { count } from '../arguments.ts';
import { typed } from '../command-line.ts';
import { stateOf } from '../render/describe-snapshot.ts';
import { toCost, toLine } from '../render/plain-text.ts';
import { withServer } from '../with-server.ts';

export function registerList(program: Command, cli: Cli): void {
  program
    .command('list')
    .description('list sessions, newest first')
    .option('--running', 'only those that have not ended')
    .option('--limit <count>', 'how many', count, 20)
    .action(async (options: { running?: boolean; limit: number }, command: Command) => {
      await withServer(cli, command, async ({ output, access }) => {
        const found = await access.client.list({ limit: options.limit, running: options.running === true });
        found.forEach(output.emit);
        const now = Date.now();
        const lines = found.map((session) => toRow(session, output.colors, now));
        output.print(
          lines.length > 0 ? lines.join('\n') : `No sessions. "${typed('run <task>')}" starts one.`,
        );
      });
    });
}

function toRow(session: SessionListing, colors: Colors, now: number): string {
  const { sessionId, turns, costUsd, startedAt, task } = session;
  const facts = [
    describeMoment(startedAt, now),
    stateOf(session),
    ...(turns === undefined ? [] : [counted(turns, 'turn')]),
    ...(costUsd === undefined ? [] : [toCost(costUsd)]),
  ];
  return `${colors.bold(sessionId)}  ${facts.join(' · ')}\n  ${colors.dim(toLine(task, 100))}`;
}
