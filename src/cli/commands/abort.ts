// holdfast abort: ends the current run of a session.
import type { Command } from 'commander';
import { anySession } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { typed } from '../command-line.ts';
import { askRunning, isIdle, nothingToDo } from '../live/running-session.ts';
import { warnWithoutWorker } from '../live/session-standing.ts';
import { withServer } from '../with-server.ts';

export function registerAbort(program: Command, cli: Cli): void {
  program
    .command('abort')
    .description('end the current run; what was found so far stays')
    .argument('<session>', 'session id', anySession)
    .action(async (sessionId: string, _options: unknown, command: Command) => {
      await withServer(
        cli,
        command,
        async (frame) => {
          const { output, access } = frame;
          const snapshot = await askRunning(access.client, sessionId);
          if (snapshot && isIdle(snapshot))
            throw nothingToDo(
              `Session ${sessionId} is idle: there is no run to abort. "${typed(`end ${sessionId}`)}" closes it.`,
            );
          await access.client.abort(sessionId);
          output.emit({ sessionId, aborted: true });
          output.print(`Told ${sessionId} to stop its run.`);
          await warnWithoutWorker(frame, sessionId);
        },
        { config: 'nothing' },
      );
    });
}
