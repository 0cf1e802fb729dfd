// Refuses a start input that this worker could only fail: an agent, a tool or a provider that it does not have.
// Asked before a session is started, where client and worker are one process.
import type { RegisteredHook } from '../activities/hook-definition.ts';
import { HookError, resolveHooks } from '../activities/resolve-hooks.ts';
import { ConfigError } from '../config-file.ts';
import type { AgentSpec } from '../core/agent-spec.ts';
import type { SessionInput } from '../core/session-input.ts';

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
  if (!agent) throw unknown('agent', name, known.agents.keys());
  for (const tool of input.tools ?? agent.tools) {
    if (!known.tools.has(tool)) throw unknown('tool', tool, known.tools);
  }
  for (const group of input.toolGroups ?? agent.toolGroups ?? []) {
    if (!known.toolGroups.has(group)) throw unknown('tool group', group, known.toolGroups);
  }
  checkHooks(input, agent, known);
  const fallbacks = input.fallbackModels ?? agent.fallbackModels ?? [];
  const purposes = Object.values({ ...agent.purposeModels, ...input.purposeModels });
  for (const model of [input.model ?? agent.model ?? known.model, ...fallbacks, ...purposes]) {
    checkModel(model, known);
  }
}

function checkHooks(input: SessionInput, agent: AgentSpec, { hooks }: KnownNames): void {
  try {
    resolveHooks({ ...agent, ...input }, hooks);
  } catch (error) {
    throw error instanceof HookError ? new ConfigError(`${error.message}.`) : error;
  }
}

export function checkModel(model: string, known: KnownNames): void {
  const provider = model.split(':')[0] ?? '';
  if (known.providers.has(provider)) return;
  const missing = known.missing.get(provider);
  if (missing === undefined)
    throw unknown('model provider', provider, [...known.providers, ...known.missing.keys()]);
  throw new ConfigError(`Model ${model} cannot be used: ${missing}`);
}

function unknown(kind: string, name: string, names: Iterable<string>): ConfigError {
  return new ConfigError(`There is no ${kind} "${name}": expected one of ${[...names].sort().join(', ')}.`);
}
