// list_agents: the agents that the session may delegate to.
import type { WorkflowTool } from '../effects.ts';

export const listAgents: WorkflowTool = {
  name: 'list_agents',
  run(_args, { session }) {
    const agents = session.state.context?.agents ?? [];
    return { text: JSON.stringify(agents.map(({ name, description = '' }) => ({ name, description }))) };
  },
};
