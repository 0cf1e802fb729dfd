// Whether a worker has what its agents, its policy and a start input name: for its own start and that of `run`, for
// `doctor`, and for a start input where client and worker are one process.
import type { RegisteredHook } from '../activities/hooks/hook-definition.ts';
import { problemOfHooks } from '../activities/hooks/resolve-hooks.ts';
import { defaultAgent, problemOfModel, problemOfStart, problemsOfSpec } from '../core/agent/start.ts';
import type { StartParts } from '../core/agent/start.ts';
import { problemOfFields } from '../core/session/session-input.schema.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import { createBuiltInTools } from '../activities/tools/built-in/table.ts';
import { ConfigError } from '../config/config-file.ts';
import { matchesPattern } from '../core/tools/policy.ts';
import { type PolicyRule } from '../core/model/tool-spec.ts';
import { loadToolsTool } from '../activities/tools/tool-groups.ts';

export type KnownNames = Omit<StartParts, 'problemOfHooks'> & { hooks: ReadonlyMap<string, RegisteredHook> };

/** Throws a ConfigError that names each wrong field, or what is unknown and what there is instead. */
export function checkInput(input: SessionInput, known: KnownNames): void {
  const invalid = problemOfFields(input);
  if (invalid !== undefined) throw new ConfigError(invalid);
  const problem = problemOfStart(input, partsOf(known));
  if (problem) throw new ConfigError(problem.message);
}

export type Problem = { about: 'model' | 'agent'; message: string };

/**
 * Everything for which a worker of these parts must not start, as sentences (WORKER-02): there is no model, or an agent
 * of the config names what is not there. Without agents of its own a config has the investigator.
 */
export function problemsOf(own: readonly string[], known: KnownNames): Problem[] {
  const parts = partsOf(known);
  const agents = (own.length > 0 ? own : [defaultAgent]).flatMap((name) => {
    const agent = known.agents.get(name);
    return agent ? [{ name, agent }] : [];
  });
  const needed = agents.some(({ agent }) => agent.model === undefined);
  const noModel = needed ? problemOfModel(known.model, parts) : undefined;
  const ofAgents = agents.flatMap(({ name, agent }) =>
    [...problemsOfSpec(agent, parts)].map(({ message }) => `Agent ${name}: ${message}`),
  );
  return [
    ...(noModel === undefined
      ? []
      : [{ about: 'model' as const, message: `No model to run with. ${noModel}` }]),
    ...ofAgents.map((message): Problem => ({ about: 'agent', message })),
  ];
}

function partsOf({ hooks, ...known }: KnownNames): StartParts {
  return { ...known, problemOfHooks: (named) => problemOfHooks(named, hooks) };
}

/** Throws a ConfigError for a name that no tool has; gives a warning for a pattern that covers none. */
export function checkPolicy(
  rules: readonly PolicyRule[],
  tools: Iterable<string>,
  isAbsent: (name: string) => boolean = () => false,
): string[] {
  const present = [...tools];
  // a rule may name a built-in tool that the config has not opened yet
  const names = new Set([...present, ...builtInNames()]);
  return rules.flatMap(({ tool, on }, index) => {
    // what hosts have is known when a run asks them
    if (on !== undefined || [...names].some((name) => matchesPattern(tool, name))) return [];
    if (tool.includes('*') || isAbsent(tool))
      return [`Policy rule ${index + 1} for "${tool}" covers no tool of this worker.`];
    throw new ConfigError(
      `Policy rule ${index + 1} names the tool "${tool}", which is not there: expected one of ${present.sort().join(', ')}, or a pattern with "*".`,
    );
  });
}

function builtInNames(): string[] {
  const all = createBuiltInTools({ roots: ['.'], httpAllow: ['localhost'] });
  return [loadToolsTool.spec.name, ...all.map(({ spec }) => spec.name)];
}
