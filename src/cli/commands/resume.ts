// holdfast resume: repeats a model call after a person has fixed a refused key or a quota.
import type { Command } from 'commander';
import type { Snapshot } from '../../core/model/snapshot.ts';
import { anySession } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { typed } from '../command-line.ts';
import { askRunning, isIdle, nothingToDo } from '../live/running-session.ts';
import { withServer } from '../with-server.ts';

export function registerResume(program: Command, cli: Cli): void {
  program
    .command('resume')
    .description('repeat the model call after you have fixed a refused key or a quota')
    .argument('<session>', 'session id', anySession)
    .action(async (sessionId: string, _options: unknown, command: Command) => {
      await withServer(
        cli,
        command,
        async ({ output, access }) => {
          const snapshot = await askRunning(access.client, sessionId);
          if (snapshot && snapshot.waitingFor !== 'operator') throw nothingToDo(refusal(sessionId, snapshot));
          await access.client.resume(sessionId);
          output.emit({ sessionId, resumed: true });
          output.print(
            `Told ${sessionId} to try again. A worker reads its keys when it starts: restart it if you changed one.`,
          );
        },
        { config: 'nothing' },
      );
    });
}

function refusal(sessionId: string, snapshot: Snapshot): string {
  if (!isIdle(snapshot))
    return `Session ${sessionId} waits for no operator: there is nothing to resume. "${typed(`show ${sessionId}`)}" shows what it does.`;
  const commands = `"${typed(`continue ${sessionId}`)}" continues its work, "${typed(`prompt ${sessionId} <words>`)}" gives it the next task`;
  return `Session ${sessionId} is idle: there is nothing to resume. ${commands}.`;
}
