// holdfast end: closes a session that stays (--keep-alive). A run that is in progress finishes first.
import type { Command } from 'commander';
import { anySession } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { typed } from '../command-line.ts';
import { askRunning, isIdle } from '../live/running-session.ts';
import { type ServerCommand, withServer } from '../with-server.ts';

/** An idle session closes within a moment of its worker. */
const closesWithinMs = 5_000;

export function registerEnd(program: Command, cli: Cli): void {
  program
    .command('end')
    .description('close a session (run --keep-alive); a run in progress finishes first')
    .argument('<session>', 'session id', anySession)
    .addHelpText('after', '\nExample:\n  $ holdfast end checkout-is-slow-k3v9x')
    .action(async (sessionId: string, _options: unknown, command: Command) => {
      await withServer(cli, command, (frame) => end(frame, sessionId));
    });
}

async function end({ access: { client }, output }: ServerCommand, sessionId: string): Promise<void> {
  const snapshot = await askRunning(client, sessionId);
  await client.shutdown(sessionId);
  const signal = AbortSignal.timeout(closesWithinMs);
  const closed =
    snapshot !== undefined &&
    isIdle(snapshot) &&
    (await client.result(sessionId, { signal }).then(...yesOrNo));
  output.emit({ sessionId, closing: true, closed });
  if (closed)
    return output.print(`Closed ${sessionId}. "${typed(`result ${sessionId}`)}" shows how it ended.`);
  if (snapshot && !isIdle(snapshot)) {
    const watch = typed(`watch ${sessionId}`);
    return output.print(
      `${sessionId} takes no new task: its run finishes, then it closes. "${watch}" follows it.`,
    );
  }
  output.print(
    `Told ${sessionId} to close. It does when a worker answers: start one with "${typed('worker')}".`,
  );
}

const yesOrNo = [() => true, () => false] as const;
