// holdfast watch: follow a session that any process started, and with --worker run it here.
import type { Command } from 'commander';
import { anySession, wholeNumber } from '../arguments.ts';
import { checkWorker } from '../check-start.ts';
import type { Cli } from '../cli.ts';
import { followSession } from '../live/follow-session.ts';
import { type InProcessWorker, startWorker } from '../in-process-worker.ts';
import { saySession } from '../start-session.ts';
import type { ExitCode } from '../user-error.ts';
import { type ServerCommand, withServer } from '../with-server.ts';

type Options = { after: number; worker?: boolean };

const notes = `
Approvals are asked for here, as in "holdfast run". Without --worker nothing is run here: where no worker answers, watch
says so and waits for one. Ctrl-C stops watching; the session goes on where another worker runs.`;

export function registerWatch(program: Command, cli: Cli): void {
  program
    .command('watch')
    .description('follow a session live, from any terminal')
    .argument('<session>', 'session id', anySession)
    .option('--after <seq>', 'only events after this number', wholeNumber, 0)
    .option('--worker', 'run the session here, with a worker of this folder and its config')
    .addHelpText('after', notes)
    .action(async (sessionId: string, options: Options, command: Command) => {
      await withServer(cli, command, (frame) => watch(frame, sessionId, options), {
        config: options.worker ? 'whole' : 'results',
        check: (config) => (options.worker ? checkWorker(config) : undefined),
      });
    });
}

async function watch(frame: ServerCommand, sessionId: string, options: Options): Promise<ExitCode> {
  // Asks the server first: an unknown session is told at once, and starts no worker.
  const { taskQueue } = await frame.access.client.find(sessionId);
  saySession(frame, sessionId);
  const worker = options.worker ? await startHere(frame, taskQueue) : undefined;
  return followSession({ frame, sessionId, worker, afterSeq: options.after });
}

/** For the queue of the session, also where new sessions of this folder have another one. */
async function startHere(
  { cli, config, access, output }: ServerCommand,
  taskQueue: string,
): Promise<InProcessWorker> {
  const source = config.configFile ?? `the defaults (no config file in ${cli.cwd})`;
  const { model, modelReason } = config;
  output.say(`worker: here, with ${source}, model ${model} (${modelReason})`);
  return startWorker({ ...config, taskQueue }, access, output.say);
}
