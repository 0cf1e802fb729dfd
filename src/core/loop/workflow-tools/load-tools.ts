// load_tools: appends the tools of named groups to those of the run. A worker knows the groups; it is asked.
import { type Json, isRecord } from '../../base/json.ts';
import type { WorkflowTool } from '../effects.ts';

/** Its spec is sequential: two loads at once would build on the same context, and one of them would be lost. */
export const loadTools: WorkflowTool = {
  name: 'load_tools',
  async run(args, { session, effects }) {
    const { id: sessionId, state } = session;
    const contextDigest = state.context?.digest ?? '';
    const request = { sessionId, contextDigest, groups: groupsOf(args) };
    const { loaded, ...outcome } = await effects.resolveToolGroups(request);
    if (loaded) session.record({ type: 'tools_loaded', loaded });
    return outcome;
  },
};

function groupsOf(args: Json): string[] {
  const groups = isRecord(args) && Array.isArray(args.groups) ? args.groups : [];
  return [...new Set(groups.filter((group) => typeof group === 'string'))].sort();
}
