// What a worker lacks: for its own start and that of `run`, for `doctor`, and for a session's start input where client and
// worker are one process.
import type { RegisteredHook } from '../activities/hooks/hook-definition.ts';
import { HookError, resolveHooks } from '../activities/hooks/resolve-hooks.ts';
import { ConfigError } from '../config/config-file.ts';
import type { AgentSpec } from '../core/model/agent-spec.ts';
import type { HookLists } from '../core/model/hook.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import { parseModelName } from '../core/model/model-name.ts';

export type KnownNames = {
  agents: ReadonlyMap<string, AgentSpec>;
  tools: ReadonlySet<string>;
  toolGroups: ReadonlySet<string>;
  hooks: ReadonlyMap<string, RegisteredHook>;
  /** Providers with what they need, e.g. a key. */
  providers: ReadonlySet<string>;
  /** What the other providers need; a name that is not here is no provider at all. */
  missing: ReadonlyMap<string, string>;
  /** For agents that name none. */
  model: string;
};

const defaultAgent = 'investigator';

/** Throws a ConfigError that names what is unknown, and what there is instead. */
export function checkInput(input: SessionInput, known: KnownNames): void {
  const name = input.agent ?? defaultAgent;
  const agent = known.agents.get(name);
  if (!agent) throw new ConfigError(unknown('agent', name, known.agents.keys()));
  const model = input.model ?? agent.model ?? known.model;
  const purposeModels = { ...agent.purposeModels, ...input.purposeModels };
  const [problem] = lackedBy({ ...agent, ...input, model, purposeModels }, known);
  if (problem !== undefined) throw new ConfigError(problem);
}

/**
 * Everything for which a worker of these parts must not start, as sentences (WORKER-02): there is no model, or an agent
 * of the config names what is not there. Without agents of its own a config has the investigator.
 */
export function problemsOf(own: readonly string[], known: KnownNames): Problem[] {
  const names = own.length > 0 ? own : [defaultAgent];
  const agents = names.flatMap((name) => {
    const agent = known.agents.get(name);
    return agent ? [{ name, agent }] : [];
  });
  const needed = agents.some(({ agent }) => agent.model === undefined);
  const noModel = needed ? problemOfModel(known.model, known) : undefined;
  return [
    ...(noModel === undefined
      ? []
      : [{ about: 'model' as const, message: `No model to run with. ${noModel}` }]),
    ...agents.flatMap(({ name, agent }) =>
      [...lackedBy(agent, known)].map((problem): Problem => ({
        about: 'agent',
        message: `Agent ${name}: ${problem}`,
      })),
    ),
  ];
}

export type Problem = { about: 'model' | 'agent'; message: string };

type Named = Pick<AgentSpec, 'tools' | 'toolGroups' | 'model' | 'fallbackModels' | 'purposeModels'> &
  HookLists;

/** What of it is not there, one sentence each. */
function* lackedBy(named: Named, known: KnownNames): Generator<string> {
  const { tools, toolGroups = [], model, fallbackModels = [], purposeModels = {} } = named;
  for (const tool of tools) if (!known.tools.has(tool)) yield unknown('tool', tool, known.tools);
  for (const group of toolGroups)
    if (!known.toolGroups.has(group)) yield unknown('tool group', group, known.toolGroups);
  const hook = problemOfHooks(named, known);
  if (hook !== undefined) yield hook;
  for (const name of new Set([model, ...fallbackModels, ...Object.values(purposeModels)])) {
    const problem = name === undefined ? undefined : problemOfModel(name, known);
    if (problem !== undefined) yield problem;
  }
}

function problemOfHooks(named: HookLists, { hooks }: KnownNames): string | undefined {
  try {
    resolveHooks(named, hooks);
    return undefined;
  } catch (error) {
    if (error instanceof HookError) return `${error.message}.`;
    throw error;
  }
}

/** Undefined where the worker can ask this model. */
function problemOfModel(model: string, known: KnownNames): string | undefined {
  const provider = parseModelName(model)?.provider ?? '';
  if (known.providers.has(provider)) return undefined;
  const why =
    known.missing.get(provider) ??
    unknown('model provider', provider, [...known.providers, ...known.missing.keys()]);
  return `Model ${model} cannot be used: ${why}`;
}

function unknown(kind: string, name: string, names: Iterable<string>): string {
  return `There is no ${kind} "${name}": expected one of ${[...names].sort().join(', ')}.`;
}
