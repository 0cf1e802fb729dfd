// Hosts of a configuration: their task queues, and the tools that a config offers as one of them. For workers and for the
// commands that show them.
import { describeTools } from '../activities/hosts/describe-host.ts';
import type { RegisteredTool } from '../activities/tools/define-tool.ts';
import type { Config } from '../config/config.ts';
import type { HostToAsk } from '../core/model/hosts.ts';
import { hostQueue } from '../core/tools/hosts.ts';

/** In the order of the config file. */
export function hostsOfConfig({ hosts, taskQueue }: Pick<Config, 'hosts' | 'taskQueue'>): HostToAsk[] {
  return Object.entries(hosts).map(([name, { description }]) => ({
    name,
    ...(description === undefined ? {} : { description }),
    taskQueue: hostQueue(taskQueue, name),
  }));
}

/** Names of those that a worker with these tools offers as a host. */
export function offeredTools(tools: ReadonlyMap<string, RegisteredTool>): string[] {
  return describeTools({ tools, policy: [] }).map(({ spec }) => spec.name);
}
