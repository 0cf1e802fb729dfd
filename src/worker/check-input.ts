// Checks that a worker has every part that its agents, its policy and a start input name. Used by a worker's start, by
// `run` and `doctor`, and where client and worker are one process.
import { modelOptions } from '@holdfast/vocabulary/merge-options';
import { nearestWord } from '@holdfast/base/nearest-word';
import type { RegisteredHook } from '../activities/hooks/hook-definition.ts';
import { problemOfHooks } from '../activities/hooks/resolve-hooks.ts';
import {
  type StartParts,
  describeUnknown,
  problemOfModel,
  problemOfStart,
  problemsOfSpec,
} from '../core/agent/start.ts';
import { defaultAgent, type SessionInput } from '@holdfast/vocabulary/session-input';
import { problemOfFields } from '../core/session/session-input.schema.ts';
import { builtInNames } from '../activities/assembly/built-in-tools.ts';
import { ConfigError } from '../config/config-file.ts';
import { matchesPattern } from '../core/tools/matching.ts';
import type { RegisteredTool } from '../activities/tools/define-tool.ts';
import type { SourcedRule } from '@holdfast/vocabulary/tool-spec';
import { skillToolNames } from '../activities/skills/skill-tools.ts';
import { delegationToolNames } from '../activities/tools/delegation-tools.ts';
import { messageOf } from '@holdfast/base/message-of';
import { loadToolsTool } from '../activities/tools/tool-groups.ts';

export type KnownNames = Omit<StartParts, 'problemOfHooks'> & {
  hooks: ReadonlyMap<string, RegisteredHook>;
  /** Names of the destinations of deliveries. */
  destinations: readonly string[];
};

/** Throws a ConfigError that names each invalid field, or the unknown name with the known ones. */
export function checkInput(input: SessionInput, known: KnownNames): void {
  const invalid = problemOfFields(input);
  if (invalid !== undefined) throw new ConfigError(invalid);
  const problem = problemOfStart(input, partsOf(known));
  if (problem) throw new ConfigError(problem.message);
  checkDeliver(input, known.destinations);
}

/** Throws a ConfigError for a destination that is not there. */
export function checkDeliver({ deliver = [] }: SessionInput, known: readonly string[]): void {
  const name = deliver.map(({ to }) => to).find((to) => !known.includes(to));
  if (name !== undefined) throw new ConfigError(describeUnknown('destination', name, known));
}

export type Problem = {
  about: 'model' | 'prompt' | 'agent';
  message: string;
  /** Affects only sessions that name no model. */
  ofDefaultModel?: true;
};

/** All problems that keep a worker from starting (WORKER-02). A config without agents has the investigator. */
export function problemsOf(own: readonly string[], known: KnownNames): Problem[] {
  const parts = partsOf(known);
  const agents = (own.length > 0 ? own : [defaultAgent]).flatMap((name) => {
    const agent = known.agents.get(name);
    return agent ? [{ name, agent }] : [];
  });
  const needed = agents.some(({ agent }) => modelOptions(agent).name === undefined);
  const noModel = needed ? problemOfModel(known.model, parts) : undefined;
  const ofModel: Problem[] =
    noModel === undefined
      ? []
      : [{ about: 'model', message: `No model to run with. ${noModel}`, ofDefaultModel: true }];
  const ofAgents = agents.flatMap(({ name, agent }) =>
    [...problemsOfSpec(agent, parts)].map(({ message }) => `Agent ${name}: ${message}`),
  );
  return [...ofModel, ...ofAgents.map((message): Problem => ({ about: 'agent', message }))];
}

/** The reasons for which this agent's runs cannot begin, except a missing default model. */
export function problemsOfAgent(name: string, known: KnownNames): string[] {
  const agent = known.agents.get(name);
  return agent ? [...problemsOfSpec(agent, partsOf(known))].map(({ message }) => message) : [];
}

function partsOf({ hooks, destinations: _, ...known }: KnownNames): StartParts {
  return { ...known, problemOfHooks: (named) => problemOfHooks(named, hooks) };
}

export type PolicyNames = {
  tools: ReadonlyMap<string, RegisteredTool>;
  agents: ReadonlyMap<string, unknown>;
  /** True if a source has this tool but cannot serve it now, or if a host may have it. */
  isAbsent?: (tool: string) => boolean;
};

/** Throws a ConfigError for an unknown tool or agent. Returns a warning for each rule that can match no call. */
export function checkPolicy(
  rules: readonly SourcedRule[],
  { tools, agents, isAbsent }: PolicyNames,
): string[] {
  // a rule may name a built-in tool that the config has not opened yet
  const toolNames = [
    ...new Set([
      ...tools.keys(),
      ...builtInNames,
      loadToolsTool.spec.name,
      ...skillToolNames,
      ...delegationToolNames,
    ]),
  ];
  return rules.flatMap((rule, index) => {
    const called = `Policy ${rule.origin ?? `rule ${index + 1}`}`;
    const ofTool = `${called} for "${rule.tool}" covers no tool of this worker.`;
    // the tools of hosts are known only during a run
    if (rule.on !== undefined) return [];
    if (isAbsent?.(rule.tool)) return [ofTool];
    if (!covers(rule.tool, toolNames, { called, kind: 'tool', shown: tools.keys() })) return [ofTool];
    const { agent } = rule;
    if (agent !== undefined && !covers(agent, agents.keys(), { called, kind: 'agent', shown: agents.keys() }))
      return [`${called} for the agent "${agent}" covers no agent of this worker.`];
    return blindRule(rule, called, tools);
  });
}

/** The reasons for which an agent among these cannot run, its rules included. */
export function problemsOfFile(
  name: string,
  known: KnownNames,
  names: Omit<PolicyNames, 'agents'>,
): string[] {
  try {
    checkPolicy(known.agents.get(name)?.policy ?? [], { ...names, agents: known.agents });
    return problemsOfAgent(name, known);
  } catch (error) {
    return [messageOf(error)];
  }
}

type Covered = { called: string; kind: string; shown: Iterable<string> };

function covers(pattern: string, names: Iterable<string>, { called, kind, shown }: Covered): boolean {
  if ([...names].some((name) => matchesPattern(pattern, name))) return true;
  if (pattern.includes('*')) return false;
  const all = [...shown].sort();
  const meant = nearestWord(pattern, all);
  throw new ConfigError(
    `${called} names the ${kind} "${pattern}", which is not there: expected one of ${all.join(', ')}, or a pattern with "*".` +
      (meant === undefined ? '' : ` Did you mean "${meant}"?`),
  );
}

/** Rules for commands, hosts or paths never match a tool that does not report what its calls touch. */
function blindRule(
  { tool, command, host, path, origin }: SourcedRule,
  called: string,
  tools: PolicyNames['tools'],
): string[] {
  const isAboutCalls = command !== undefined || host !== undefined || path !== undefined;
  const covered = [...tools.values()].filter(({ spec }) => matchesPattern(tool, spec.name));
  // protectedPaths also cover tools that are added later
  if (!isAboutCalls || origin === 'protectedPaths' || covered.length === 0) return [];
  if (covered.some(({ inspect }) => inspect !== undefined)) return [];
  const fields = [command && 'command', host && 'host', path && 'path'].filter(Boolean).join(', ');
  return [
    `${called} for "${tool}" has no effect: no tool that it covers names the ${fields} of a call. Use "args".`,
  ];
}
