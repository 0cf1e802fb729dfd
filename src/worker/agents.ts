// The agents of a worker: those of the package, of the config, and of the files beside it, which are read again while the
// worker runs. Runs in Node.
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import type { RegisteredTool } from '../activities/tools/define-tool.ts';
import type { AgentProblem } from '../config/agent-files.ts';
import { readAgentsBeside } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { agentsFolder } from '../config/prompt-folders.ts';
import { withPatience } from '../core/agent/profiles.ts';
import { defaultAgent } from '../core/agent/start.ts';
import { defined } from '../core/base/defined.ts';
import { mapValues } from '../core/base/map-values.ts';
import { messageOf } from '../core/base/message-of.ts';
import type { AgentSpec } from '../core/model/agent-spec.ts';
import { starterAgents, withPatterns } from './starter-agents.ts';
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

export type AgentFilesDeps = {
  /** The agents that new sessions may have; changed in place. */
  agents: Map<string, AgentSpec>;
  build(specs: Specs): Promise<Agents>;
  /** The names of the skills that are there now. */
  skills(): Promise<ReadonlySet<string>>;
  /** The reasons for which the agent cannot run among these. */
  problemsOf(name: string, agents: Agents, skills: ReadonlySet<string>): string[];
};

/** The agents that are files beside the config, and how they change. */
export class AgentFiles {
  /** Agents whose files were deleted while the worker runs: for the sessions that have them, and their subagents. */
  readonly deleted = new Map<string, AgentSpec>();
  readonly #configFile: string;
  readonly #inConfig: Specs;
  readonly #deps: AgentFilesDeps;
  /** The agents of config and files that are in use. */
  #used: Specs;
  #seen = '';
  #reading = Promise.resolve(false);

  constructor(
    { configFile = '', agents, agentFiles = {} }: Pick<Config, 'configFile' | 'agents' | 'agentFiles'>,
    deps: AgentFilesDeps,
  ) {
    this.#configFile = configFile;
    this.#used = agents;
    this.#inConfig = without(agents, Object.keys(agentFiles));
    this.#deps = deps;
  }

  /** True if the agents are others now. A bad file keeps its former agent; each fault is logged once. Never rejects. */
  reread(log: (line: string) => void): Promise<boolean> {
    this.#reading = this.#reading
      .then(() => this.#reread(log))
      .catch((error: unknown) => {
        const fault = `The agent files cannot be read again: ${messageOf(error)}. The worker keeps its agents.`;
        if (fault !== this.#seen) log(fault);
        this.#seen = fault;
        return false;
      });
    return this.#reading;
  }

  async #reread(log: (line: string) => void): Promise<boolean> {
    const { files, problems } = await readAgentsBeside(this.#configFile, Object.keys(this.#inConfig));
    const skills = await this.#deps.skills();
    const seen = JSON.stringify([files, problems, [...skills]]);
    if (seen === this.#seen) return false;
    this.#seen = seen;
    const read = { ...this.#inConfig, ...Object.fromEntries(files.map(({ name, spec }) => [name, spec])) };
    const { specs, agents } = await this.#settle(this.#undo(read, problems, log), skills, log);
    if (isDeepStrictEqual(specs, this.#used)) return false;
    this.#used = specs;
    for (const [name, spec] of this.#deps.agents) if (!agents.has(name)) this.deleted.set(name, spec);
    this.#deps.agents.clear();
    for (const [name, spec] of agents) {
      this.#deps.agents.set(name, spec);
      this.deleted.delete(name);
    }
    return true;
  }

  /** Undoes changes until every agent can run that could run before. */
  async #settle(
    specs: Specs,
    skills: ReadonlySet<string>,
    log: (line: string) => void,
  ): Promise<{ specs: Specs; agents: Agents }> {
    const agents = await this.#deps.build(specs);
    const broken = Object.keys(specs).flatMap((name) => {
      const [problem] = this.#deps.problemsOf(name, agents, skills);
      return problem === undefined ? [] : [{ name, problem }];
    });
    const changed = broken.filter(({ name }) => !isDeepStrictEqual(specs[name], this.#used[name]));
    const problems = changed.map(({ name, problem }) => ({
      names: [name],
      message: `${join(agentsFolder(this.#configFile), `${name}.md`)} is no agent: ${problem}`,
    }));
    if (changed.length > 0) return this.#settle(this.#undo(specs, problems, log), skills, log);
    // an agent that is as it was needs one that was deleted
    const deleted = Object.keys(this.#used).filter((name) => !(name in specs));
    if (broken.length === 0 || deleted.length === 0) return { specs, agents };
    const [{ name, problem } = { name: '', problem: '' }] = broken;
    const message = `The files of ${deleted.join(', ')} were deleted, but the agent ${name} needs one of them: ${problem}`;
    return this.#settle(this.#undo(specs, [{ names: deleted, message }], log), skills, log);
  }

  /** The specs with the agents of these problems as they were. */
  #undo(specs: Specs, problems: readonly AgentProblem[], log: (line: string) => void): Specs {
    for (const { names, message } of problems) {
      const kept = names.some((name) => name in this.#used);
      log(`${message} The worker ${kept ? 'keeps the agent as it was' : 'continues without it'}.`);
    }
    const names = problems.flatMap((problem) => problem.names);
    const before = Object.entries(this.#used).filter(([name]) => names.includes(name));
    return { ...without(specs, names), ...Object.fromEntries(before) };
  }
}

function without(specs: Specs, names: readonly string[]): Specs {
  return Object.fromEntries(Object.entries(specs).filter(([name]) => !names.includes(name)));
}
