// Limits of an agent by the configuration that a worker has now, where they are narrower than when the run began. Pure.
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import type { AgentSettings, AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { AgentMode, SourcedRule } from '@holdfast/vocabulary/tool-spec';
import { milderMode } from './modes.ts';
import { type PolicyScope, scopeOf } from './policy.ts';

/** The agents and groups of tools that a worker has now. */
export type AgentsNow = {
  agents?: ReadonlyMap<string, AgentSpec> | undefined;
  toolGroups?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The highest mode that an agent may run in here without asking. Absent: no limit. */
  maxMode?: AgentMode | undefined;
};

type Held = Pick<FrozenContext, 'modeOf' | 'toolsOfAgent'>;
type LimitedRun = Held &
  Pick<FrozenContext, 'access' | 'startPolicy'> &
  Parameters<typeof scopeOf>[0] & { settings: Partial<Reach> };
/** The names of the tools of an agent or a run. */
export type Reach = Pick<AgentSettings, 'tools' | 'toolGroups'>;

/** The limits of its configuration that a run keeps to: those that its start has not widened. */
export function heldBy(
  agent: string,
  spec: AgentSpec,
  settings: Reach & Pick<AgentSettings, 'mode'>,
  { toolGroups, above = [] }: Pick<AgentsNow, 'toolGroups'> & { above?: readonly string[] | undefined },
): Held {
  const isHeld = milderMode(settings.mode, spec.mode ?? 'ask') === settings.mode;
  const modeOf = present([...above, isHeld && agent]);
  const hasMore = lacking(spec, settings, toolGroups).length > 0;
  return defined({ modeOf: unlessEmpty(modeOf), toolsOfAgent: !hasMore || undefined });
}

/** The lists of rules that judge the calls of a run, of which the strictest verdict counts, and their scope. */
export type Gate = { policies: readonly (readonly SourcedRule[])[]; scope: PolicyScope };

/**
 * The worker's own rules and those of the run's start, each with the rules of the start input and of today's limits: alone, those
 * would leave every other call to the mode.
 */
export function gateOf(context: LimitedRun, here: AgentsNow & { policy: readonly SourcedRule[] }): Gate {
  const { access, startPolicy = [] } = context;
  const { maxMode, rules } = limitsNow(context, here);
  const lists = access === undefined ? [here.policy] : [here.policy, access.policy];
  return {
    policies: lists.map((list) => [...list, ...startPolicy, ...rules]),
    scope: scopeOf(context, maxMode),
  };
}

/** The highest mode of the run's calls, and a rule for each tool that its agent has no more. */
function limitsNow(
  { agent, modeOf = [], toolsOfAgent, settings }: Held & { agent: string; settings: Partial<Reach> },
  { agents = new Map(), toolGroups, maxMode: most = 'act' }: AgentsNow,
): { maxMode: AgentMode; rules: SourcedRule[] } {
  const specs = modeOf.flatMap((name) => agents.get(name) ?? []);
  const maxMode = specs.map(({ mode = 'ask' }) => mode).reduce(milderMode, most);
  const spec = agents.get(agent);
  const gone = toolsOfAgent && spec ? lacking(spec, { tools: [], ...settings }, toolGroups) : [];
  const reason = `The configuration has taken it from the agent ${agent} since this run began.`;
  return { maxMode, rules: gone.map((tool) => ({ tool, decision: 'deny', reason, origin: 'tools' })) };
}

/** Tools of the run that the agent does not have. */
function lacking(spec: Reach, run: Reach, groups: AgentsNow['toolGroups'] = {}): string[] {
  const reach = ({ tools, toolGroups = [] }: Reach) => [
    ...tools,
    ...toolGroups.flatMap((name) => groups[name] ?? []),
  ];
  const has = reach(spec);
  return reach(run).filter((tool) => !has.includes(tool));
}
