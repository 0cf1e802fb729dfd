// load_tools: appends the tools of named groups to those of the run. The workflow asks a worker, which knows the
// groups.
import { type Json, isRecord } from '@holdfast/base/json';
import { failWith } from '@holdfast/vocabulary/tool-spec';
import { abortedText } from '../../state/own-answers.ts';
import type { WorkflowTool } from '../effects.ts';

/** Its spec is sequential: two parallel loads would build on the same context, and one of them would be lost. */
export const loadTools: WorkflowTool = {
  name: 'load_tools',
  async run(args, { session, effects }) {
    const { id: sessionId, state } = session;
    const contextDigest = state.context?.digest ?? '';
    const request = { sessionId, contextDigest, groups: groupsOf(args) };
    const outcome = await effects.call('resolveToolGroups', request);
    if (outcome.type === 'stopped') return failWith(abortedText('read'));
    if (outcome.type === 'failed')
      return failWith(`The tools could not be loaded: ${outcome.failure.message}`);
    const { loaded, ...answer } = outcome.value;
    if (loaded) session.record({ type: 'tools_loaded', loaded });
    return answer;
  },
};

function groupsOf(args: Json): string[] {
  const groups = isRecord(args) && Array.isArray(args.groups) ? args.groups : [];
  return [...new Set(groups.filter((group) => typeof group === 'string'))].sort();
}
