// The agents that a session may delegate to. Pure.
import { defined } from '@holdfast/base/defined';
import { type AgentSettings, type AgentSpec, agentDefaults } from '@holdfast/vocabulary/agent-spec';
import type { ListedAgent } from '@holdfast/vocabulary/children';

/** Matches every agent of the configuration. */
export const everyAgent = '*';

/**
 * The agents for a session with agent `self` at this depth (0 at the top), limited by its own maxDepth, not
 * its parent's. Sorted by name, without duplicates and without itself. Names that the configuration lacks are left out.
 */
export function listAgents(
  { agents: named, maxDepth }: Pick<AgentSettings['delegation'], 'agents' | 'maxDepth'>,
  { self, depth }: { self: string; depth: number },
  agents: ReadonlyMap<string, Pick<AgentSpec, 'description' | 'delegation'>>,
): ListedAgent[] {
  if (named === undefined || depth >= maxDepth) return [];
  const names = named.includes(everyAgent) ? agents.keys() : named;
  return [...new Set(names)].sort().flatMap((name): ListedAgent[] => {
    const spec = agents.get(name);
    if (!spec || isSameAgent(name, self)) return [];
    const { description, delegation } = spec;
    const prefix = delegation?.prefix === agentDefaults.delegation.prefix ? undefined : delegation?.prefix;
    return [defined({ name, description, prefix })];
  });
}

/** The agent that checks another one's reports (`delegation.verify`), if the configuration has it. */
export function criticOf(
  { verify = false }: Pick<AgentSettings['delegation'], 'verify'>,
  self: string,
  agents: ReadonlyMap<string, Pick<AgentSpec, 'description' | 'delegation'>>,
): ListedAgent | undefined {
  if (verify === false) return undefined;
  const name = verify === true ? defaultCritic : verify;
  const [critic] = listAgents({ agents: [name], maxDepth: 1 }, { self, depth: 0 }, agents);
  return critic;
}

const defaultCritic = 'critic';

export function isSameAgent(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}
