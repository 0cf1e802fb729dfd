// The agents of a worker: those of the package, of the config, and of the files beside it. Config file and agent files
// are read again while the worker runs. Runs in Node.
import { isDeepStrictEqual } from 'node:util';
import type { RegisteredTool } from '../activities/tools/define-tool.ts';
import { type AgentProblem, packageAgents } from '../config/agent-files.ts';
import { parseConfig, readAgentsBeside, readConfigAgents } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { withPatience } from '../core/agent/profiles.ts';
import { defaultAgent } from '@holdfast/vocabulary/session-input';
import { defined } from '@holdfast/base/defined';
import { mapValues } from '@holdfast/base/map-values';
import { Joined } from '@holdfast/base/joined';
import { messageOf } from '@holdfast/base/message-of';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import { matchesPattern } from '../core/tools/matching.ts';
import { type groupsOnDemand, loadingOnDemand } from './tool-sources/groups-on-demand.ts';

type Specs = Readonly<Record<string, AgentSpec>>;
type Agents = ReadonlyMap<string, AgentSpec>;

export type AgentTools = {
  tools: Map<string, RegisteredTool>;
  onDemand: ReturnType<typeof groupsOnDemand>;
  isThere(name: string): boolean;
};

/** The starter agents and those of the config, by name. */
export async function agentsOf(
  { agents: specs, hosts }: Pick<Config, 'agents' | 'hosts'>,
  { tools, onDemand, isThere }: AgentTools,
): Promise<Map<string, AgentSpec>> {
  const { [defaultAgent]: investigator, ...starters } = await starterAgents(tools);
  // the built-in agent has all tools of its worker, so it also works on all hosts
  const everyHost = Object.keys(hosts).length === 0 ? {} : { hosts: ['*'] };
  const everywhere = investigator && loadingOnDemand({ ...investigator, ...everyHost }, onDemand);
  const own = mapValues(specs, (agent) => ({
    ...agent,
    tools: withPatterns(agent.tools, tools).filter(isThere),
  }));
  const agents = { ...starters, ...defined({ [defaultAgent]: everywhere }), ...own };
  return new Map(Object.entries(withPatience(agents)));
}

/** By name. Each keeps only the tools that the worker has, so that none keeps the worker from starting. */
export async function starterAgents(tools: ReadonlyMap<string, unknown>): Promise<Record<string, AgentSpec>> {
  const { files, problems } = await packageAgents();
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  const specs = files.map(({ name, spec }): [string, AgentSpec] => {
    const named = withPatterns(spec.tools, tools);
    return [name, { ...spec, tools: named.filter((tool) => tools.has(tool)) }];
  });
  return Object.fromEntries(specs);
}

/** `*` matches any characters; a leading `!` excludes. A pattern may match nothing: tools depend on the config. */
export function withPatterns(names: readonly string[], tools: ReadonlyMap<string, unknown>): string[] {
  const leftOut = names.flatMap((name) => (name.startsWith('!') ? [name.slice(1)] : []));
  const found = names
    .filter((name) => !name.startsWith('!'))
    .flatMap((name) =>
      name.includes('*') ? [...tools.keys()].filter((tool) => matchesPattern(name, tool)) : [name],
    );
  return [...new Set(found)].filter((tool) => !leftOut.some((pattern) => matchesPattern(pattern, tool)));
}

export type AgentFilesDeps = {
  /** The agents that new sessions may have; changed in place. */
  agents: Map<string, AgentSpec>;
  /** The tools that are there now. */
  tools: ReadonlyMap<string, unknown>;
  build(specs: Specs): Promise<Agents>;
  /** The names of the skills that are there now. */
  skills(): Promise<ReadonlySet<string>>;
  /** The reasons for which the agent cannot run among these. */
  problemsOf(name: string, agents: Agents, skills: ReadonlySet<string>): string[];
};

export type AgentFiles = {
  /** Agents whose files were deleted while the worker runs: for the sessions that have them, and their subagents. */
  deleted: Agents;
  /** A bad agent keeps its former definition; each fault is logged once. Never rejects. */
  reread(log: (line: string) => void): Promise<void>;
  /** From the next reading on these stand for the agents of the config file. Throws a ConfigError. */
  replace(agents: Specs): void;
};

/** The agents of the config, and those that are files beside it, and how they change. */
export function createAgentFiles(
  { configFile, agents, agentFiles }: Pick<Config, 'configFile' | 'agents' | 'agentFiles'>,
  deps: AgentFilesDeps,
): AgentFiles {
  const deleted = new Map<string, AgentSpec>();
  const readings = new Joined();
  let inConfig = without(agents, Object.keys(agentFiles ?? {}));
  let used: Specs = agents;
  let seen = '';
  let warned: string[] = [];
  const place = agentFiles && configFile;
  let file = place;
  const readConfig = async (): Promise<string[]> => {
    try {
      if (file !== undefined) inConfig = await readConfigAgents(file);
      return [];
    } catch (error) {
      return [`${messageOf(error)}\nThe worker keeps the agents that the file had.`];
    }
  };
  const read = async (): Promise<string[]> => {
    const faults = await readConfig();
    const { files, problems } = await readAgentsBeside(place, Object.keys(inConfig));
    const skills = await deps.skills();
    const found = JSON.stringify([faults, inConfig, files, problems, [...skills], deps.tools.size]);
    if (found === seen) return warned;
    const specs = { ...inConfig, ...Object.fromEntries(files.map(({ name, spec }) => [name, spec])) };
    const settled = await settle(specs, problems, {
      ...deps,
      used,
      skills,
      placeOf: (name) => files.find((each) => each.name === name)?.path ?? `agents.${name} of the config`,
    });
    for (const [name, spec] of deps.agents) deleted.set(name, spec);
    deps.agents.clear();
    for (const [name, spec] of settled.agents) {
      deps.agents.set(name, spec);
      deleted.delete(name);
    }
    seen = found;
    used = settled.specs;
    return [...faults, ...settled.warnings];
  };
  const warn = async (log: (line: string) => void): Promise<void> => {
    const warnings = await read().catch((error: unknown) => [
      `The agent files cannot be read again: ${messageOf(error)}. The worker keeps its agents.`,
    ]);
    for (const warning of warnings) if (!warned.includes(warning)) log(warning);
    warned = warnings;
  };
  return {
    deleted,
    reread: (log) => readings.run(() => warn(log)),
    replace(given) {
      inConfig = parseConfig({ agents: given }, 'setAgents').agents ?? {};
      file = undefined;
    },
  };
}

type Settling = Pick<AgentFilesDeps, 'agents' | 'build' | 'problemsOf'> & {
  used: Specs;
  skills: ReadonlySet<string>;
  /** Returns the file of the agent, or its place in the config, for messages. */
  placeOf(name: string): string;
};

/** Undoes changes until every agent can run that could run before. */
async function settle(
  specs: Specs,
  problems: readonly AgentProblem[],
  now: Settling,
): Promise<{ specs: Specs; agents: Agents; warnings: string[] }> {
  const warnings: string[] = [];
  for (let left = specs, undo = problems; ;) {
    for (const { names, message } of undo) {
      const before = Object.entries(now.used).filter(([name]) => names.includes(name));
      const then = before.length > 0 ? 'keeps the agent as it was' : 'continues without it';
      warnings.push(`${message} The worker ${then}.`);
      left = { ...without(left, names), ...Object.fromEntries(before) };
    }
    const agents = await now.build(left);
    undo = problemsOfChange(left, agents, now);
    if (undo.length === 0) return { specs: left, agents, warnings };
  }
}

function problemsOfChange(
  specs: Specs,
  agents: Agents,
  { agents: former, used, skills, placeOf, problemsOf }: Settling,
): AgentProblem[] {
  const broken = Object.keys(specs).flatMap((name) => {
    const [problem] = problemsOf(name, agents, skills);
    return problem === undefined ? [] : [{ name, problem }];
  });
  const changed = broken.filter(({ name }) => !isDeepStrictEqual(specs[name], used[name]));
  if (changed.length > 0)
    return changed.map(({ name, problem }) => ({
      names: [name],
      message: `${placeOf(name)} is no agent: ${problem}`,
    }));
  // an agent that is as it was needs one that was deleted
  const all = new Map([...former, ...agents]);
  const names = Object.keys(used).filter((name) => !(name in specs));
  return broken
    .filter(({ name }) => problemsOf(name, all, skills).length === 0)
    .slice(0, 1)
    .map(({ name, problem }) => {
      const gone = `Deleted were ${names.join(', ')}`;
      return { names, message: `${gone}, but the agent ${name} needs one of them: ${problem}` };
    });
}

function without(specs: Specs, names: readonly string[]): Specs {
  return Object.fromEntries(Object.entries(specs).filter(([name]) => !names.includes(name)));
}
