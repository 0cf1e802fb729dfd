// list_hosts: the hosts of the run, in their state at its start.
import type { FrozenHost } from '../../model/hosts.ts';
import type { WorkflowTool } from '../effects.ts';

export const listHosts: WorkflowTool = {
  name: 'list_hosts',
  run(_args, { session }) {
    const hosts = session.state.context?.hosts ?? [];
    return { text: hosts.length === 0 ? 'There are no hosts.' : hosts.map(describe).join('\n') };
  },
};

function describe({ name, description, tools, missing }: FrozenHost): string {
  const what = description === undefined ? name : `${name} (${description})`;
  if (missing !== undefined)
    return `${what}: not there, ${missing}. Nothing can be looked at on it in this run.`;
  return `${what}: ${tools.length === 0 ? 'offers no tools' : tools.join(', ')}`;
}
