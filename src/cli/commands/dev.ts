// holdfast dev: this folder's Temporal server alone, in the foreground of a terminal, or its end.
import { once } from 'node:events';
import type { Command } from 'commander';
import { portNumber } from '../arguments.ts';
import { type Cli, openCommand } from '../cli.ts';
import { addExamples, typed } from '../command-line.ts';
import { type DevServer, stopNotedServer } from '../../dev-server/dev-server.ts';
import { startOwnServer } from '../server-access.ts';
import { UserError, exitCodes } from '../user-error.ts';

type Options = { port?: number; uiPort?: number; stop?: boolean; background?: boolean };

export function registerDev(program: Command, cli: Cli): void {
  const registered = program
    .command('dev')
    .description("run this folder's Temporal server (and nothing else) until Ctrl-C")
    .option('--port <port>', 'port of the server; default a free one', portNumber)
    .option('--ui-port <port>', 'port of the UI; default a free one', portNumber)
    .option('--background', 'leave the server running and return')
    .option('--stop', 'end the running server')
    .action(async (options: Options, command: Command) => {
      const { output, config } = await openCommand(cli, command, 'nothing');
      if (options.stop) {
        const stopped = await stopNotedServer(config.dir);
        output.emit({ stopped });
        output.print(
          stopped
            ? `Ended the Temporal server of ${config.dir}.`
            : `No Temporal server runs for ${config.dir}.`,
        );
        return;
      }
      const server = await startOwnServer(config, output.say, options);
      const { address, uiUrl, namespace, pid, started } = server;
      output.emit({ address, uiUrl, namespace, pid, started });
      output.print(
        `Temporal ${address}, namespace ${namespace}\nUI       ${uiUrl}\n  TEMPORAL_ADDRESS=${address}`,
      );
      if (options.background || !started) {
        if (!started) output.say('It was running already, and keeps running.');
        return;
      }
      output.say('Ctrl-C ends it.');
      const beat = setInterval(() => {}, 60_000);
      const told = [once(process, 'SIGINT'), once(process, 'SIGTERM')].map((signal) =>
        signal.then(() => true),
      );
      const died = server.ended?.then(() => false);
      const wasTold = await Promise.race(died ? [...told, died] : told);
      clearInterval(beat);
      // its note stays: a run that is followed elsewhere starts it again
      if (!wasTold) throw serverDied(server);
      await server.stop();
    });
  addExamples(registered, ['dev', 'dev --background', 'dev --stop']);
}

function serverDied({ address, pid, logFile }: DevServer): UserError {
  return new UserError(
    `The Temporal server ${address} (pid ${pid}) has ended, and not by this command. Its log is ${logFile}. ` +
      `"${typed('dev')}" starts it again, with all its sessions.`,
    exitCodes.noServer,
  );
}
