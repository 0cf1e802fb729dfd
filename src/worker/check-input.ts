// Whether a worker has what its agents and a start input name: for its own start and that of `run`, for `doctor`, and for
// a start input where client and worker are one process.
import type { RegisteredHook } from '../activities/hooks/hook-definition.ts';
import { problemOfHooks } from '../activities/hooks/resolve-hooks.ts';
import { ConfigError } from '../config/config-file.ts';
import { defaultAgent, problemOfModel, problemOfStart, problemsOfSpec } from '../core/agent/start.ts';
import type { StartParts } from '../core/agent/start.ts';
import { problemOfFields } from '../core/session/session-input.schema.ts';
import type { SessionInput } from '../core/model/session-input.ts';

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
