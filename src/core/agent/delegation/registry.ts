// The agents that a session may delegate to. Pure.
import { agentDefaults } from '../../model/agent-spec.ts';
import type { AgentSettings, AgentSpec } from '../../model/agent-spec.ts';
import type { ListedAgent } from '../../model/children.ts';

/** Stands for every agent of the configuration. */
export const everyAgent = '*';

/**
 * Of a session with agent `self` at this depth, 0 at the top: its own limit decides, not that of its parent. Sorted by name,
 * each name once, without itself. A name that the configuration does not have is left out.
 */
export function listAgents(
  { subagents, maxDelegationDepth }: Pick<AgentSettings, 'subagents' | 'maxDelegationDepth'>,
  { self, depth }: { self: string; depth: number },
  agents: ReadonlyMap<string, Pick<AgentSpec, 'description' | 'prefix'>>,
): ListedAgent[] {
  if (subagents === undefined || depth >= maxDelegationDepth) return [];
  const names = subagents.includes(everyAgent) ? agents.keys() : subagents;
  return [...new Set(names)].sort().flatMap((name): ListedAgent[] => {
    const spec = agents.get(name);
    if (!spec || isSameAgent(name, self)) return [];
    const { description, prefix = agentDefaults.prefix } = spec;
    return [
      {
        name,
        ...(description === undefined ? {} : { description }),
        ...(prefix === agentDefaults.prefix ? {} : { prefix }),
      },
    ];
  });
}

/** The agent that checks the reports of another (`verify`), where the configuration has it. */
export function criticOf(
  { verify = false }: Pick<AgentSettings, 'verify'>,
  self: string,
  agents: ReadonlyMap<string, Pick<AgentSpec, 'description' | 'prefix'>>,
): ListedAgent | undefined {
  if (verify === false) return undefined;
  const name = verify === true ? defaultCritic : verify;
  const [critic] = listAgents({ subagents: [name], maxDelegationDepth: 1 }, { self, depth: 0 }, agents);
  return critic;
}

const defaultCritic = 'critic';

export function isSameAgent(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}
