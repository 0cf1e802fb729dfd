// The parts that a config makes: sources of tools, agents, model providers, and the problems that keep a worker from
// starting. For a worker, and for commands that inspect a config. Serves and writes nothing.
import { omit } from '@holdfast/base/omit';
import { mergeOptions, modelOptions } from '@holdfast/vocabulary/merge-options';
import { defined } from '@holdfast/base/defined';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { mapValues } from '@holdfast/base/map-values';
import { present } from '@holdfast/base/present';
import type { Destinations } from '../activities/delivery/destinations.ts';
import type { Memory } from '../activities/notes/memory.ts';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import { createRedactor, type Redactor } from '@holdfast/redaction/redaction';
import type { Shelf } from '../activities/skills/skill-shelf.ts';
import type { WorkerSkills } from '../activities/assembly/worker-skills.ts';
import type { Secrets } from '../activities/secrets/secrets.ts';
import type { RegisteredTool } from '../activities/tools/define-tool.ts';
import { ConfigError } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { openMemory, openNotes } from '../config/memory.ts';
import type { OpenNotes } from '../activities/storage/note-store.ts';
import { openSecrets } from '../config/secrets.ts';
import { type AgentFiles, agentsOf, createAgentFiles } from './agents.ts';
import { defaultAgent, type SessionInput } from '@holdfast/vocabulary/session-input';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { Access } from '@holdfast/vocabulary/frozen-context';
import { parseModelName } from '@holdfast/vocabulary/model-name';
import {
  type KnownNames,
  type Problem,
  checkInput,
  checkPolicy,
  problemsOf,
  problemsOfAgent,
  problemsOfFile,
} from './check-input.ts';
import { statedRules } from './policy-rules.ts';
import {
  type PlayedModel,
  createProviders,
  missingProviders,
  playEverywhere,
  readScript,
} from './providers.ts';
import { destinationsOf } from './destinations-of-config.ts';
import { skillsOf } from './skills-of-config.ts';
import {
  collectSources,
  toolsOf,
  checkToolGroups,
  mergeTools,
  shadowedWarning,
  withRecorded,
} from './tool-sources/collect-sources.ts';
import { groupsOnDemand } from './tool-sources/groups-on-demand.ts';
import type { ToolSource } from './tool-sources/tool-source.ts';

export type Parts = Pick<KnownNames, 'agents' | 'hooks'> & {
  agentFiles: AgentFiles;
  sources: readonly ToolSource[];
  tools: Map<string, RegisteredTool>;
  /** The same tools, limited to `access`. */
  toolsWithin(access: Access): Map<string, RegisteredTool>;
  toolGroups: Config['toolGroups'];
  /** Absent if the config names no folder of skills. */
  skills?: WorkerSkills | undefined;
  providers: Map<string, ModelProvider>;
  redactor: Redactor;
  /** The places that get messages of sessions, by name. */
  destinations: Destinations;
  /** The secrets that settings of tools name. */
  secrets: Secrets;
  /** Absent if memory is off. */
  memory?: Memory | undefined;
  /** Absent if the config has no notes. */
  openNotes?: OpenNotes | undefined;
  /** Throws a ConfigError that names the agent, tool or provider that this worker lacks. */
  checkInput(input: SessionInput): void;
  /** The same, whether this process can use the models or not. */
  checkNames(input: SessionInput): void;
  /** Adds the model and tools that this worker would use, so that any worker assembles the same run. */
  complete(input: SessionInput): SessionInput;
  /** The reasons for which runs of this agent cannot begin, except a missing default model. */
  problemsOfAgent(name: string): string[];
  /** The reasons for which no worker of this config may start. */
  problems: Problem[];
  /** Shown to people at start. */
  warnings: string[];
  /** The subset of `warnings` that is shown wherever a worker starts, also inside a command. */
  alarms: string[];
  /** Before each run: late tools are there, and what is missing is looked for again. */
  lookAgain(): void;
  /** Starts the tool sources, for a worker that will call the tools (see ToolSource). */
  start(log: (line: string) => void): Promise<string[]>;
  /** Stops the MCP servers that calls have started. */
  close(): Promise<void>;
};

/** Throws a ConfigError if a part of the config contradicts another. */
export async function collectParts(config: Config, play?: PlayedModel): Promise<Parts> {
  const redactor = createRedactor([]);
  const secrets = openSecrets(config, { learn: redactor.learn, redact: redactor.text });
  const script = config.script === undefined ? undefined : await readScript(config.script);
  const { resolve } = secrets;
  const memory = openMemory(config, { resolve, redact: redactor.text });
  const { open: notes, close: closeNotes } = openNotes(config, resolve);
  const sources = await collectSources(config, { resolve, memory, notes });
  const played = play?.script ?? (config.model.startsWith('scripted:') ? script : undefined);
  const merged = toolsOf(sources);
  const tools = withRecorded(merged.tools, played);
  const isThere = (name: string) => !sources.some((source) => source.lacks(name) === 'not now');
  const groupsNow = () => groupsOf(config, tools, isThere);
  const toolGroups = groupsNow();
  checkToolGroups(toolGroups, tools);
  const hooks = new Map(config.hooks.map((hook) => [hook.name, hook]));
  const build = (specs: Config['agents']) =>
    agentsOf({ ...config, agents: specs }, { tools, onDemand: groupsOnDemand(tools), isThere });
  const agents = await build(config.agents);
  const providers = play ? playEverywhere(play, config) : createProviders(config, script);
  const skills = skillsOf(config, redactor);
  const shelf = await skills?.read();
  const known = knownNames(config, { agents, tools, toolGroups, skills: namesOf(shelf), providers, hooks });
  const alarms = sources.flatMap(({ warnings }) => warnings);
  const isAbsent = (name: string) => sources.some((source) => source.lacks(name) !== undefined);
  const agentFiles = createAgentFiles(config, {
    agents,
    tools,
    build,
    skills: async () => namesOf(await skills?.read()),
    problemsOf: (name, among, there) =>
      problemsOfFile(name, { ...known, agents: among, skills: there }, { tools, isAbsent }),
  });
  // oxfmt-ignore
  return {
    sources, tools, toolGroups, skills, hooks, agents, agentFiles, providers, destinations: await destinationsOf(config, resolve), redactor, secrets, memory, openNotes: notes, alarms,
    toolsWithin: (access) => withRecorded(mergeTools(sources.map((each) => each.toolsWithin(access))).tools, played),
    ...checksOf(known),
    complete: (start) => completeStart(start, agents, config.model),
    problems: [
      ...problemsOf(Object.keys(config.agents), known),
      ...problemsOfTiers(config, providers),
      ...problemsOfPrompt(config),
    ],
    warnings: [
      ...alarms,
      ...(shelf?.warnings ?? []),
      ...shadowedWarning(merged.shadowed),
      ...checkPolicy(statedRules(config, agents), { tools, agents, isAbsent }),
    ],
    lookAgain: () => lookAgainFor(sources, { tools, toolGroups }, groupsNow),
    start: async (log) => (await Promise.all(sources.map((source) => source.start(log)))).flat(),
    async close() {
      const open = present([...sources, { close: closeNotes }, memory]);
      await Promise.all(open.map((part) => part.close()));
    },
  };
}

function groupsOf(
  { toolGroups }: Pick<Config, 'toolGroups'>,
  tools: ReadonlyMap<string, RegisteredTool>,
  isThere: (name: string) => boolean,
): Record<string, string[]> {
  return { ...groupsOnDemand(tools), ...mapValues(toolGroups, (names) => names.filter(isThere)) };
}

/** Adds tools that have come meanwhile. */
function lookAgainFor(
  sources: readonly ToolSource[],
  { tools, toolGroups }: Pick<Parts, 'tools' | 'toolGroups'>,
  groupsNow: () => Config['toolGroups'],
): void {
  for (const source of sources) source.lookAgain?.();
  for (const [name, tool] of toolsOf(sources).tools) if (!tools.has(name)) tools.set(name, tool);
  Object.assign(toolGroups, groupsNow());
}

function checksOf(known: KnownNames): Pick<Parts, 'checkInput' | 'checkNames' | 'problemsOfAgent'> {
  return {
    checkInput: (start) => checkInput(start, known),
    checkNames: (start) => checkInput(start, omit(known, 'providers')),
    problemsOfAgent: (name) => problemsOfAgent(name, known),
  };
}

type Named = Pick<KnownNames, 'agents' | 'hooks' | 'skills'> &
  Pick<Parts, 'tools' | 'toolGroups' | 'providers'>;

function knownNames(config: Config, { tools, toolGroups, providers, ...names }: Named): KnownNames {
  return {
    ...names,
    get tools() {
      return new Set(tools.keys());
    },
    get toolGroups() {
      return new Set(Object.keys(toolGroups));
    },
    hosts: new Set(Object.keys(config.hosts)),
    destinations: Object.keys(config.destinations),
    providers: new Set(providers.keys()),
    missing: missingProviders(providers, config),
    model: config.model,
    maxMode: config.maxMode,
  };
}

function namesOf(shelf: Shelf | undefined): Set<string> {
  return new Set(shelf?.skills.map(({ name }) => name));
}

/**
 * The parts of a worker of this config. Throws the errors of its start, and those of the input. With `forSession`, which
 * continues a session with its own model, a missing default model is no error.
 */
export async function checkParts(
  config: Config,
  input?: SessionInput,
  { forSession = false } = {},
): Promise<Parts> {
  const parts = await collectParts(config);
  assertNoProblems(parts.problems.filter(({ ofDefaultModel }) => !(forSession && ofDefaultModel)));
  if (input) parts.checkInput(input);
  return parts;
}

/** Throws one ConfigError with all problems, if there are any. */
export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ConfigError(problems.map(({ message }) => message).join('\n'));
}

function problemsOfTiers({ policyTiers }: Config, providers: ReadonlyMap<string, ModelProvider>): Problem[] {
  const provider = policyTiers?.model === undefined ? undefined : parseModelName(policyTiers.model)?.provider;
  if (provider === undefined || providers.has(provider)) return [];
  const message = `policyTiers.model names the provider "${provider}", which cannot be asked here: expected one of ${[...providers.keys()].sort().join(', ')}.`;
  return [{ about: 'model', message }];
}

/** Without the folder the agents would work without their guardrails. */
function problemsOfPrompt({ promptDir, configFile = '' }: Config): Problem[] {
  if (promptDir === undefined || promptDir === dirname(configFile) || existsSync(promptDir)) return [];
  const message = `promptDir is ${promptDir}: expected a folder that exists. Create it, or name the one with SOUL.md and the other files.`;
  return [{ about: 'prompt', message }];
}

/** A checkpoint has its own parts. Otherwise the built-in agent would get the tools of whichever worker assembles the run. */
function completeStart(
  input: SessionInput,
  agents: ReadonlyMap<string, AgentSpec>,
  defaultModel: string,
): SessionInput {
  if (input.checkpoint !== undefined) return input;
  const agent = agents.get(input.agent ?? defaultAgent);
  const { name: model = defaultModel } = modelOptions(agent ?? {});
  const tools = (input.agent ?? defaultAgent) === defaultAgent ? agent?.tools : undefined;
  return { ...defined({ tools }), ...mergeOptions<SessionInput>({ model }, input) };
}
