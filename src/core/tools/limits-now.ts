// What the configuration of a worker allows an agent now, where that is less than when the run began. Pure.
import type { AgentSettings, AgentSpec } from '../model/agent-spec.ts';
import type { FrozenContext } from '../model/frozen-context.ts';
import type { AgentMode, SourcedRule } from '../model/tool-spec.ts';
import { milderMode } from './modes.ts';

/** The agents and groups of tools that a worker has now. */
export type AgentsNow = {
  agents?: ReadonlyMap<string, AgentSpec> | undefined;
  toolGroups?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The highest mode that an agent may run in here without asking. Absent: no limit. */
  maxMode?: AgentMode | undefined;
};

type Held = Pick<FrozenContext, 'modeOf' | 'toolsOfAgent'>;
/** The names of the tools of an agent or a run. */
export type Reach = Pick<AgentSettings, 'tools' | 'toolGroups'>;

/** The limits of its configuration that a run keeps to: those that its start has not widened. */
export function heldBy(
  agent: string,
  spec: AgentSpec,
  { mode, ...own }: Reach & Pick<AgentSettings, 'mode'>,
  { toolGroups, above = [] }: Pick<AgentsNow, 'toolGroups'> & { above?: readonly string[] | undefined },
): Held {
  const has = reachOf(spec, toolGroups);
  const modeOf = [...above, ...(milderMode(mode, spec.mode ?? 'ask') === mode ? [agent] : [])];
  return {
    ...(modeOf.length > 0 && { modeOf }),
    ...([...reachOf(own, toolGroups)].every((tool) => has.has(tool)) && { toolsOfAgent: true }),
  };
}

/** The highest mode of the run's calls, and a rule for each tool that its agent has no more. */
export function limitsNow(
  { agent, modeOf = [], toolsOfAgent, settings }: Held & { agent: string; settings: Partial<Reach> },
  { agents = new Map(), toolGroups, maxMode = 'act' }: AgentsNow,
): { maxMode: AgentMode; rules: SourcedRule[] } {
  const specs = modeOf.flatMap((name) => agents.get(name) ?? []);
  const mode = specs.map((spec) => spec.mode ?? 'ask').reduce(milderMode, maxMode);
  const spec = agents.get(agent);
  if (!toolsOfAgent || !spec) return { maxMode: mode, rules: [] };
  const has = reachOf(spec, toolGroups);
  const gone = [...reachOf({ tools: [], ...settings }, toolGroups)].filter((tool) => !has.has(tool));
  const reason = `The configuration has taken it from the agent ${agent} since this run began.`;
  return { maxMode: mode, rules: gone.map((tool) => ({ tool, decision: 'deny', reason, origin: 'tools' })) };
}

function reachOf({ tools, toolGroups = [] }: Reach, groups: AgentsNow['toolGroups'] = {}): Set<string> {
  return new Set([...tools, ...toolGroups.flatMap((name) => groups[name] ?? [])]);
}
