// load_tools: appends the tools of named groups to those of the run. A worker knows the groups; it is asked.
import type { ResolveToolGroupsResult } from '../../model/activity-contracts.ts';
import type { Json } from '../../base/json.ts';
import type { WorkflowTool } from './workflow-tool.ts';

/** Asks a worker what the groups bring to the present context. Never throws: what goes wrong is an error text. */
export type ResolveToolGroups = (groups: string[]) => Promise<ResolveToolGroupsResult>;

/** Its spec is sequential: two loads at once would build on the same context, and one of them would be lost. */
export function createLoadTools(resolve: ResolveToolGroups): WorkflowTool {
  return {
    name: 'load_tools',
    async run(args, { store }) {
      const { loaded, ...outcome } = await resolve(groupsOf(args));
      if (loaded) store.record({ type: 'tools_loaded', loaded });
      return outcome;
    },
  };
}

function groupsOf(args: Json): string[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return [];
  const groups = Array.isArray(args.groups) ? args.groups : [];
  return [...new Set(groups.filter((group) => typeof group === 'string'))].sort();
}
