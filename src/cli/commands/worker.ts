// holdfast worker: runs sessions until it is told to end; finishes its current calls within its grace time.
import type { Command } from 'commander';
import { amount, name, wholeNumber } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { addExamples, withTyped } from '../command-line.ts';
import { describeTakeover } from '../in-process-worker.ts';
import { withServer } from '../server-access.ts';
import { checkWorker } from '../start-session.ts';

type Options = { taskQueue?: string; grace: number; activitiesPerSecond?: number };

export function registerWorker(program: Command, cli: Cli): void {
  const registered = program
    .command('worker')
    .description('run sessions, with their model calls and tools, until Ctrl-C')
    .option(
      '--task-queue <name>',
      'task queue; default HOLDFAST_TASK_QUEUE, else taskQueue of the config, else one for this folder',
      name,
    )
    .option('--grace <seconds>', 'time to finish current calls after SIGTERM', wholeNumber, 25)
    .option('--activities-per-second <count>', 'rate limit of the task queue, over all its workers', amount)
    .action(async (options: Options, command: Command) => {
      // while the server is reached, or started
      const loading = import('../../worker.ts');
      await withServer(
        cli,
        command,
        async ({ config: loaded, access, output, parts }) => {
          const config = { ...loaded, taskQueue: options.taskQueue ?? loaded.taskQueue };
          const { createHoldfastWorker } = await loading;
          const worker = await createHoldfastWorker({
            ...{ config, parts, server: access.settings, shutdownGraceMs: options.grace * 1_000 },
            onLack: (lack) => output.say(`! ${lack}`),
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
            output.say(`Ending: current calls have ${options.grace} s.`);
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
  addExamples(
    registered,
    ['worker', 'worker --task-queue ops --grace 60'],
    'SIGTERM or Ctrl-C ends it gracefully; a second one ends it at once.',
  );
}
