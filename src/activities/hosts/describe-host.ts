// The activity describeHost: returns the tools that a host offers to the sessions of its task queue; called when a run is
// assembled. Runs in Node, on the worker of the host.
import { defined } from '@holdfast/base/defined';
import type { HostActivities } from '@holdfast/vocabulary/activity-table';
import { createScheduleName } from '@holdfast/vocabulary/outer-names';
import type { DescribedTool } from '@holdfast/vocabulary/hosts';
import type { PolicyRule, ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { matchesPattern } from '../../core/tools/matching.ts';
import { digestOf } from '../base/digest.ts';
import type { RegisteredTool } from '../tools/define-tool.ts';
import { loadToolsTool } from '../tools/tool-groups.ts';

/** Built-in tools about the session and not about a machine. */
// oxfmt-ignore
const sessionTools = ['read_artifact', 'search_memory', 'find_runbook', 'report', 'note_user', createScheduleName];

export type DescribeHostDeps = { tools: ReadonlyMap<string, RegisteredTool>; policy: readonly PolicyRule[] };

/** Equal for tools that are the same to a model and to Temporal; descriptions may differ. */
export function toolDigest({ name, parameters, effect, reconciles }: ToolSpec): string {
  return digestOf({ name, parameters, effect, reconciles: reconciles ?? false });
}

export function createDescribeHost(deps: DescribeHostDeps): HostActivities['describeHost'] {
  const tools = describeTools(deps);
  return async function describeHost() {
    return { tools };
  };
}

/** Sorted by name. Excludes tools about the session itself, and tools with a queue of their own. */
export function describeTools({ tools, policy }: DescribeHostDeps): DescribedTool[] {
  return [...tools.values()]
    .filter(({ spec: { name, runsIn, taskQueue } }) => {
      const isOfSession =
        runsIn !== undefined || sessionTools.includes(name) || name === loadToolsTool.spec.name;
      return !isOfSession && taskQueue === undefined;
    })
    .map((tool): DescribedTool => {
      const { spec } = tool;
      const judged =
        spec.effect !== 'read' || tool.inspect !== undefined || policy.some((rule) => mayAsk(rule, spec));
      return defined({ spec, digest: toolDigest(spec), judged: judged || undefined });
    })
    .sort((left, right) => (left.spec.name < right.spec.name ? -1 : 1));
}

/** A host refuses its denied calls itself, but a question must come before the call begins. */
function mayAsk({ tool, decision }: PolicyRule, { name }: ToolSpec): boolean {
  return decision === 'ask' && matchesPattern(tool, name);
}
