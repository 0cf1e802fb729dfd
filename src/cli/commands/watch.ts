// holdfast watch: follows a session that any process started, and with --worker runs it here.
import type { Command } from 'commander';
import { anySession, wholeNumber } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { addExamples } from '../command-line.ts';
import { followSession } from '../live/follow-session.ts';
import { type InProcessWorker, startWorker } from '../in-process-worker.ts';
import { checkWorker, saySession } from '../start-session.ts';
import type { ExitCode } from '../user-error.ts';
import { type ServerCommand, withServer } from '../server-access.ts';

type Options = { after: number; worker?: boolean };

const notes = `Approvals are asked for here, as in "holdfast run". Without --worker nothing is run here: if no worker answers, watch
says so and waits for one. Ctrl-C stops watching; the session continues wherever another worker runs.`;

export function registerWatch(program: Command, cli: Cli): void {
  const watching = program
    .command('watch')
    .description('follow a session live, from any terminal')
    .argument('<session>', 'session id', anySession)
    .option('--after <seq>', 'only events after this number', wholeNumber, 0)
    .option('--worker', 'run the session here, with a worker of this folder and its config')
    .action(async (sessionId: string, options: Options, command: Command) => {
      await withServer(cli, command, (frame) => watch(frame, sessionId, options), {
        config: options.worker ? 'whole' : 'results',
        check: (config) => (options.worker ? checkWorker(config) : undefined),
      });
    });
  addExamples(watching, ['watch checkout-is-slow-k3v9x', 'watch checkout-is-slow-k3v9x --worker'], notes);
}

async function watch(frame: ServerCommand, sessionId: string, options: Options): Promise<ExitCode> {
  // asked first: an unknown session starts no worker
  const session = frame.access.client.session(sessionId);
  const { taskQueue } = await session.describe();
  saySession(frame, sessionId);
  const worker = options.worker ? await startHere(frame, taskQueue) : undefined;
  return followSession({ frame, session, worker, afterSeq: options.after });
}

/** For the queue of the session, also where new sessions of this folder have another one. */
async function startHere(frame: ServerCommand, taskQueue: string): Promise<InProcessWorker> {
  const { cli, config, output } = frame;
  const source = config.configFile ?? `the defaults (no config file in ${cli.cwd})`;
  const { model, modelReason } = config;
  output.say(`worker: here, with ${source}, model ${model} (${modelReason})`);
  return startWorker(frame, { ...config, taskQueue });
}
