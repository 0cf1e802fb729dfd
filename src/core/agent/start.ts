// Checks a start input against a worker's parts: the one rule for refusing a start before a session begins, and for
// handing back a run when it is assembled. Pure.
import { nearestWord } from '@holdfast/base/nearest-word';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { HookRef } from '@holdfast/vocabulary/hook';
import { mergeOptions, modelOptions } from '@holdfast/vocabulary/merge-options';
import { type SessionInput, defaultAgent } from '@holdfast/vocabulary/session-input';
import { type AgentMode, agentModes } from '@holdfast/vocabulary/tool-spec';
import { milderMode } from '../tools/modes.ts';
import { everyAgent } from './delegation/registry.ts';
import { applyProfile } from './profiles.ts';

export type StartParts = {
  agents: ReadonlyMap<string, AgentSpec>;
  tools: ReadonlySet<string>;
  toolGroups: ReadonlySet<string>;
  /** Absent: names of skills are not checked. */
  skills?: ReadonlySet<string>;
  /** Absent: names of hosts are not checked. */
  hosts?: ReadonlySet<string>;
  /** Usable providers, e.g. those with a key. Absent: every provider counts as usable. */
  providers?: ReadonlySet<string>;
  /** The missing part of each other provider; a name without an entry is no provider. */
  missing?: ReadonlyMap<string, string>;
  /** The model of agents that name none. */
  model: string;
  /** The most permissive mode that the worker allows. Absent: no limit. */
  maxMode?: AgentMode | undefined;
  problemOfHooks(named: readonly HookRef[]): StartProblem | undefined;
};

/** `message` is a sentence. `final` is the failure of a start that no worker can run. */
export type StartProblem = {
  message: string;
  final?: 'Input.UnknownHook' | 'Input.ModeRefused' | 'Input.Invalid';
};

/** The first reason to refuse the start; undefined if all its names are known. */
export function problemOfStart(input: SessionInput, parts: StartParts): StartProblem | undefined {
  const name = input.agent ?? defaultAgent;
  const spec = parts.agents.get(name);
  if (!spec) return { message: describeUnknown('agent', name, parts.agents.keys()) };
  const asked = mergeOptions(applyProfile(spec, input.profile), input);
  const model = { name: parts.model, ...modelOptions(asked) };
  const [problem] = problemsOfSpec({ ...asked, model }, parts);
  return problem;
}

type Known = ReadonlySet<string> | ReadonlyMap<string, unknown>;

/** One problem for each unknown name. */
export function* problemsOfSpec(named: AgentSpec, parts: StartParts): Generator<StartProblem> {
  const { mode, tools, toolGroups = [], skills = [], hosts = [], delegation = {} } = named;
  const { agents = [], verify } = delegation;
  const { name: model, fallbacks = [], purposes = {} } = modelOptions(named);
  const ofMode = mode && problemOfMode(mode, parts);
  if (ofMode) yield ofMode;
  if (named.plan?.placement === 'system' && named.promptConfig?.refresh !== 'turn') yield planNeedsRefresh;
  const isPattern = (name: string): boolean => name.includes('*');
  const mentioned: readonly (readonly [kind: string, names: readonly string[], known: Known | undefined])[] =
    [
      ['tool', tools, parts.tools],
      ['tool group', toolGroups, parts.toolGroups],
      ['skill', skills.filter((name) => !isPattern(name)), parts.skills],
      ['host', hosts.filter((name) => !isPattern(name)), parts.hosts],
      ['agent', agents.filter((name) => name !== everyAgent), parts.agents],
      ['agent', typeof verify === 'string' ? [verify] : [], parts.agents],
    ];
  for (const [kind, names, known] of mentioned)
    for (const name of names)
      if (known && !known.has(name)) yield { message: describeUnknown(kind, name, known.keys()) };
  const ofHooks = parts.problemOfHooks(named.hooks ?? []);
  if (ofHooks) yield ofHooks;
  for (const name of new Set([model, ...fallbacks, ...Object.values(purposes)])) {
    const message = name === undefined ? undefined : problemOfModel(name, parts);
    if (message !== undefined) yield { message };
  }
}

/** A system prompt that is frozen for the run would show an old plan (PLAN-09). */
const planNeedsRefresh: StartProblem = {
  message:
    'plan.placement is "system", which needs promptConfig.refresh "turn": expected both, or plan.placement "message".',
  final: 'Input.Invalid',
};

function problemOfMode(mode: AgentMode, { maxMode = 'act' }: StartParts): StartProblem | undefined {
  if (milderMode(mode, maxMode) === mode) return undefined;
  const allowed = agentModes.slice(0, agentModes.indexOf(maxMode) + 1).join(' or ');
  const message = `Mode "${mode}" is more than this configuration allows: expected ${allowed}. Its maxMode is "${maxMode}".`;
  return { message, final: 'Input.ModeRefused' };
}

/** Undefined if the worker can use this model. */
export function problemOfModel(
  model: string,
  { providers, missing = new Map<string, string>() }: Pick<StartParts, 'providers' | 'missing'>,
): string | undefined {
  const provider = model.split(':')[0] ?? '';
  if (!providers || providers.has(provider)) return undefined;
  const names = [...providers, ...missing.keys()];
  const why = missing.get(provider) ?? describeUnknown('model provider', provider, names);
  return `Model ${model} cannot be used: ${why}`;
}

/** The unknown name, with the known ones. */
export function describeUnknown(kind: string, name: string, names: Iterable<string>): string {
  const all = [...names].sort();
  const meant = nearestWord(name, all);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `There is no ${kind} "${name}": expected ${all.length === 0 ? 'none' : `one of ${all.join(', ')}`}.${hint}`;
}
