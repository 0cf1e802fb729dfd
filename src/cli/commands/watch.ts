// holdfast watch: follow a session that any process started; starts a worker where none answers.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { anySession, wholeNumber } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { followSession } from '../follow-session.ts';
import { type InProcessWorker, startWorker } from '../in-process-worker.ts';
import { type ServerCommand, withServer } from '../with-server.ts';

const probeMs = 2_000;

type Options = { after: number; worker: boolean };

export function registerWatch(program: Command, cli: Cli): void {
  program
    .command('watch')
    .description('follow a session live, from any terminal')
    .argument('<session>', 'session id', anySession)
    .option('--after <seq>', 'only events after this number', wholeNumber, 0)
    .option('--no-worker', 'do not start a worker where none answers')
    .addHelpText('after', '\nCtrl-C stops watching and leaves the session running.')
    .action(async (sessionId: string, options: Options, command: Command) => {
      await withServer(cli, command, async (frame) => {
        const stand = createStandIn(frame, options.worker);
        try {
          // Asks the server first: an unknown session is told at once, and starts no worker.
          const { taskQueue, status } = await frame.access.client.find(sessionId);
          const answered = status === 'RUNNING' && (await isAnswered(frame, sessionId));
          if (!answered) await stand.start(taskQueue);
          return await followSession({
            ...{ frame, sessionId, afterSeq: options.after },
            onItem: (item) => {
              const unanswered = item.type === 'unanswered' && !item.closed;
              if (unanswered && item.code !== 'ServerUnreachable') void stand.start(taskQueue);
            },
          });
        } finally {
          await stand.stop();
        }
      });
    });
}

/** The list of pollers is no proof: a worker stays in it for minutes after its death. */
async function isAnswered({ access }: ServerCommand, sessionId: string): Promise<boolean> {
  const asked = access.client.snapshot(sessionId).then(
    () => true,
    () => false,
  );
  return Promise.race([asked, sleep(probeMs, false, { ref: false })]);
}

/** A worker that is started at most once, for the queue of the session that is watched. */
function createStandIn(frame: ServerCommand, allowed: boolean) {
  let worker: Promise<InProcessWorker | undefined> | undefined;
  return {
    start: async (taskQueue: string): Promise<void> => {
      if (!allowed) return;
      if (!worker) frame.output.say(`No worker answers on "${taskQueue}": starting one here.`);
      worker ??= startWorker({ ...frame.config, taskQueue }, frame.access, frame.output.say).catch(
        (error: unknown) => {
          frame.output.say(
            `The worker did not start: ${error instanceof Error ? error.message : String(error)}`,
          );
          return undefined;
        },
      );
      await worker;
    },
    stop: async (): Promise<void> => (await worker)?.stop(),
  };
}
