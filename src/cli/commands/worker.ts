// holdfast worker: runs sessions until it is told to end; finishes what it has in hand within its grace time.
import type { Command } from 'commander';
import { amount, name, wholeNumber } from '../arguments.ts';
import { checkWorker } from '../check-start.ts';
import type { Cli } from '../cli.ts';
import { withTyped } from '../command-line.ts';
import { describeTakeover } from '../render/describe-takeover.ts';
import { withServer } from '../with-server.ts';

type Options = { taskQueue?: string; grace: number; activitiesPerSecond?: number };

export function registerWorker(program: Command, cli: Cli): void {
  program
    .command('worker')
    .description('run sessions: model calls and tools happen in this process')
    .option(
      '--task-queue <name>',
      'default HOLDFAST_TASK_QUEUE, else taskQueue of the config, else one of this folder',
      name,
    )
    .option('--grace <seconds>', 'time for calls in hand after SIGTERM', wholeNumber, 25)
    .option('--activities-per-second <count>', 'rate limit of the task queue, over all its workers', amount)
    .addHelpText('after', '\nSIGTERM or Ctrl-C ends it gracefully; a second one at once.')
    .action(async (options: Options, command: Command) => {
      // while the server is reached, or started
      const loading = import('../../worker.ts');
      await withServer(
        cli,
        command,
        async ({ config: loaded, access, output }) => {
          const config = { ...loaded, taskQueue: options.taskQueue ?? loaded.taskQueue };
          const { createHoldfastWorker } = await loading;
          const worker = await createHoldfastWorker({
            ...{ config, server: access.settings, shutdownGraceMs: options.grace * 1_000 },
            onTakeover(takeover) {
              output.emit({ type: 'takeover', ...takeover });
              output.say(describeTakeover(takeover));
            },
            ...(options.activitiesPerSecond === undefined
              ? {}
              : { activitiesPerSecond: options.activitiesPerSecond }),
          });
          const end = (): void => {
            process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
            output.say(`Ending: calls in hand have ${options.grace} s.`);
            worker.shutdown();
          };
          process.once('SIGINT', end).once('SIGTERM', end);
          const { address, namespace } = access.settings;
          output.emit({
            type: 'worker',
            address,
            namespace,
            taskQueue: config.taskQueue,
            model: config.model,
          });
          output.print(`worker on ${address}, namespace ${namespace}, task queue ${config.taskQueue}`);
          output.print(`model  ${config.model} (${config.modelReason})`);
          const agents = Object.keys(config.agents);
          if (agents.length > 0) output.print(`agents ${agents.join(', ')}`);
          worker.warnings.forEach((warning) => output.say(`warning: ${withTyped(warning)}`));
          await worker.run();
        },
        { create: true, config: 'whole', check: (config) => checkWorker(config) },
      );
    });
}
