// holdfast hosts: the hosts of the config that agents may work on, each with its workers.
import { hasEnded, listPollers } from '../../client/liveness.ts';
import type { Config } from '../../config/config.ts';
import { hostQueue } from '../../core/tools/hosts.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed } from '../../config/command-line.ts';
import { toLine } from '../render/plain-text.ts';
import type { ServerAccess } from '../server-access.ts';

export function registerHosts(program: CliCommand): void {
  program
    .command('hosts')
    .examples(['hosts'])
    .onServer(
      async ({ config, access, output }) => {
        for (const host of await lookAtHosts(config, access)) {
          output.emit(host);
          const { name, description = '', workers } = host;
          const served = workers.length === 0 ? 'NO WORKER' : `served by ${workers.join(', ')}`;
          output.print(`${name.padEnd(20)} ${served}${description === '' ? '' : `  ${toLine(description)}`}`);
          if (workers.length === 0) output.print(`${' '.repeat(21)}there: ${startCommand(config, name)}`);
        }
        if (Object.keys(config.hosts).length === 0) output.print('The config names no hosts (hosts).');
      },
      { config: 'whole' },
    );
}

export type HostStanding = { name: string; description?: string; taskQueue: string; workers: string[] };

export async function lookAtHosts(
  { hosts, taskQueue }: Pick<Config, 'hosts' | 'taskQueue'>,
  { connection, settings }: Pick<ServerAccess, 'connection'> & { settings: { namespace: string } },
): Promise<HostStanding[]> {
  const { namespace } = settings;
  return Promise.all(
    Object.entries(hosts).map(async ([name, host]) => {
      const queue = { namespace, taskQueue: hostQueue(taskQueue, name), of: 'activities' as const };
      const listed = await connection.withDeadline(Date.now() + 5_000, () =>
        listPollers(connection.workflowService, queue),
      );
      const workers = listed
        .filter((worker) => !hasEnded(worker, Date.now()))
        .map(({ identity }) => identity);
      return { name, ...host, taskQueue: queue.taskQueue, workers };
    }),
  );
}

/** The command to type on the host. */
export function startCommand({ taskQueue }: Pick<Config, 'taskQueue'>, host: string): string {
  return `"${typed(`worker --task-queue ${taskQueue} --host ${host}`)}"`;
}
