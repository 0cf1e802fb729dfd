// Hosts of a configuration: their task queues, and the tools that a config offers as a host. A host's tools are known
// only when a run asks it, so a worker has none of them.
import { defined } from '@holdfast/base/defined';
import { describeTools } from '../../activities/hosts/describe-host.ts';
import type { RegisteredTool } from '../../activities/tools/define-tool.ts';
import type { Config } from '../../config/config.ts';
import type { HostToAsk } from '@holdfast/vocabulary/hosts';
import { hostQueue } from '../../core/tools/hosts.ts';
import { type ToolSource, toToolSource } from './tool-source.ts';

/** Without hosts it lacks nothing. With hosts, any tool may be one of theirs. */
export function hostSource({ hosts }: Pick<Config, 'hosts'>): ToolSource {
  const hasHosts = Object.keys(hosts).length > 0;
  return { ...toToolSource([]), lacks: () => (hasHosts ? 'on hosts' : undefined) };
}

/** In the order of the config file. */
export function hostsOfConfig({ hosts, taskQueue }: Pick<Config, 'hosts' | 'taskQueue'>): HostToAsk[] {
  return Object.entries(hosts).map(([name, { description }]) => ({
    name,
    ...defined({ description }),
    taskQueue: hostQueue(taskQueue, name),
  }));
}

/** The names of the tools that such a worker offers as a host. */
export function offeredTools(tools: ReadonlyMap<string, RegisteredTool>): string[] {
  return describeTools({ tools, policy: [] }).map(({ spec }) => spec.name);
}
