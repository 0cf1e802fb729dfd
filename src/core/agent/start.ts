// A start against the parts that are there: the one rule by which a worker refuses a start input before a session begins,
// and hands the run back when it assembles it. Pure.
import { nearestWord } from '../base/nearest-word.ts';
import type { AgentSpec } from '../model/agent-spec.ts';
import type { HookLists } from '../model/hook.ts';
import type { SessionInput } from '../model/session-input.ts';
import { agentModes } from '../model/tool-spec.ts';
import type { AgentMode } from '../model/tool-spec.ts';
import { milderMode } from '../tools/modes.ts';
import { everyAgent } from './delegation/registry.ts';
import { applyProfile } from './profiles.ts';

/** The agent of a start that names none. */
export const defaultAgent = 'investigator';

export type StartParts = {
  agents: ReadonlyMap<string, AgentSpec>;
  tools: ReadonlySet<string>;
  toolGroups: ReadonlySet<string>;
  /** Absent: names of skills are not checked. */
  skills?: ReadonlySet<string>;
  /** Absent: names of hosts are not checked. */
  hosts?: ReadonlySet<string>;
  /** Providers with what they need, e.g. a key. Absent: every provider is taken to be there. */
  providers?: ReadonlySet<string>;
  /** What the other providers need; a name that is not here is no provider at all. */
  missing?: ReadonlyMap<string, string>;
  /** For agents that name none. */
  model: string;
  /** The most that an agent may do without asking. Absent: no limit. */
  maxMode?: AgentMode | undefined;
  problemOfHooks(named: HookLists): StartProblem | undefined;
};

/** A sentence. `final` is the failure of a start that no worker can do better with. */
export type StartProblem = {
  message: string;
  final?: 'Input.UnknownHook' | 'Input.ModeRefused' | 'Input.Invalid';
};

/** The first reason to refuse the start; undefined where everything that it names is there. */
export function problemOfStart(input: SessionInput, parts: StartParts): StartProblem | undefined {
  const name = input.agent ?? defaultAgent;
  const spec = parts.agents.get(name);
  if (!spec) return { message: unknown('agent', name, parts.agents.keys()) };
  const profiled = applyProfile(spec, input.profile);
  const model = input.model ?? spec.model ?? parts.model;
  const purposeModels = { ...spec.purposeModels, ...input.purposeModels };
  const [problem] = problemsOfSpec({ ...profiled, ...input, model, purposeModels }, parts);
  return problem;
}

type Named = Pick<
  AgentSpec,
  | 'mode'
  | 'tools'
  | 'toolGroups'
  | 'skills'
  | 'hosts'
  | 'subagents'
  | 'verify'
  | 'model'
  | 'fallbackModels'
  | 'purposeModels'
  | 'planPlacement'
  | 'promptRefresh'
> &
  HookLists;

/** One for each name that is not there. */
export function* problemsOfSpec(named: Named, parts: StartParts): Generator<StartProblem> {
  const { mode, tools, toolGroups = [], skills = [], hosts = [], subagents = [], model } = named;
  const { verify, fallbackModels = [], purposeModels = {} } = named;
  const ofMode = mode && problemOfMode(mode, parts);
  if (ofMode) yield ofMode;
  if (named.planPlacement === 'system' && named.promptRefresh !== 'turn') yield planNeedsRefresh;
  for (const tool of tools) {
    if (!parts.tools.has(tool)) yield { message: unknown('tool', tool, parts.tools) };
  }
  for (const group of toolGroups) {
    if (!parts.toolGroups.has(group)) yield { message: unknown('tool group', group, parts.toolGroups) };
  }
  for (const skill of parts.skills ? skills : []) {
    if (!skill.includes('*') && !parts.skills?.has(skill))
      yield { message: unknown('skill', skill, parts.skills ?? []) };
  }
  for (const host of parts.hosts ? hosts : []) {
    if (!host.includes('*') && !parts.hosts?.has(host))
      yield { message: unknown('host', host, parts.hosts ?? []) };
  }
  for (const name of subagents) {
    if (name !== everyAgent && !parts.agents.has(name))
      yield { message: unknown('agent', name, parts.agents.keys()) };
  }
  if (typeof verify === 'string' && !parts.agents.has(verify))
    yield { message: unknown('agent', verify, parts.agents.keys()) };
  const ofHooks = parts.problemOfHooks(named);
  if (ofHooks) yield ofHooks;
  for (const name of new Set([model, ...fallbackModels, ...Object.values(purposeModels)])) {
    const message = name === undefined ? undefined : problemOfModel(name, parts);
    if (message !== undefined) yield { message };
  }
}

/** In a prompt that is frozen for the run it would be an old plan (PLAN-09). */
const planNeedsRefresh: StartProblem = {
  message:
    'planPlacement is "system", which needs promptRefresh "turn": expected both, or planPlacement "message".',
  final: 'Input.Invalid',
};

function problemOfMode(mode: AgentMode, { maxMode = 'act' }: StartParts): StartProblem | undefined {
  if (milderMode(mode, maxMode) === mode) return undefined;
  const allowed = agentModes.slice(0, agentModes.indexOf(maxMode) + 1).join(' or ');
  const message = `Mode "${mode}" is more than this configuration allows: expected ${allowed}. Its maxMode is "${maxMode}".`;
  return { message, final: 'Input.ModeRefused' };
}

/** Undefined where the worker can ask this model. */
export function problemOfModel(
  model: string,
  { providers, missing = new Map<string, string>() }: StartParts,
): string | undefined {
  const provider = model.split(':')[0] ?? '';
  if (!providers || providers.has(provider)) return undefined;
  const names = [...providers, ...missing.keys()];
  const why = missing.get(provider) ?? unknown('model provider', provider, names);
  return `Model ${model} cannot be used: ${why}`;
}

function unknown(kind: string, name: string, names: Iterable<string>): string {
  const all = [...names].sort();
  const meant = nearestWord(name, all);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `There is no ${kind} "${name}": expected ${all.length === 0 ? 'none' : `one of ${all.join(', ')}`}.${hint}`;
}
