// The frame of most commands: config, output, a server, and its connection closed at the end.
import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { type Cli, type ConfigNeed, type Output, openCommand } from './cli.ts';
import { typed } from './command-line.ts';
import { type ServerAccess, openServer } from './server-access.ts';
import type { ExitCode } from './user-error.ts';

export type ServerCommand = { cli: Cli; output: Output; config: Config; access: ServerAccess };

/** Runs `work` against the server and keeps the exit code that it returns; none is 0. */
export async function withServer(
  cli: Cli,
  command: Command,
  work: (frame: ServerCommand) => Promise<ExitCode | void>,
  options: {
    create?: boolean;
    /** Default `results`. */
    config?: ConfigNeed;
    /** Throws where the work could only fail, before anything is started. */
    check?(config: Config): void | Promise<void> | undefined;
  } = {},
): Promise<void> {
  const { output, config } = await openCommand(cli, command, options.config ?? 'results');
  await options.check?.(config);
  const access = await openServer({ config, say: output.say, create: options.create === true });
  try {
    cli.exitCode = (await work({ cli, output, config, access })) ?? cli.exitCode;
  } catch (error) {
    sayServerLeft(output, access);
    throw error;
  } finally {
    await access.close();
  }
}

/** A command that has failed has not done what its server was started for. */
function sayServerLeft({ say }: Output, { devServer }: ServerAccess): void {
  if (devServer?.started)
    say(`The Temporal server at ${devServer.address} keeps running; "${typed('dev --stop')}" ends it.`);
}
