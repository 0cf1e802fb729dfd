// From the config to the activities of a worker: providers with their keys, tools, agents, and the secrets to redact.
// Composition only.
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';
import type { DeltaBus } from '../activities/delta-bus.ts';
import { createActivities, createHostActivities } from '../activities/index.ts';
import type { ActivityDeps, HostWorkerActivities, WorkerActivities } from '../activities/index.ts';
import type { ModelProvider } from '../activities/model/providers/model-provider.ts';
import { createOwnProvider } from '../activities/model/providers/own-provider.ts';
import { builtInProviders, createVendorProvider } from '../activities/model/providers/vendors.ts';
import { loadModelScript } from '../scripted/model-script.ts';
import { createScriptedProvider } from '../activities/model/providers/scripted.ts';
import { createClassifier } from '../activities/policy/classifier.ts';
import { createRedactor, type Redactor } from '../activities/redaction/redaction.ts';
import type { Secrets } from '../activities/secrets/secrets.ts';
import { postPaths } from '../activities/tools/built-in/http-hosts.ts';
import type { RegisteredTool } from '../activities/tools/define-tool.ts';
import { ConfigError } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { isEncrypted, openSecrets } from '../config/secrets.ts';
import type { Access } from '../core/model/frozen-context.ts';
import type { AgentSpec } from '../core/model/agent-spec.ts';
import { parseModelName, toModelName } from '../core/model/model-name.ts';
import type { ModelScript } from '../scripted/model-script.ts';
import { defaultAgent } from '../core/agent/start.ts';
import { createInvestigator, withPatience } from '../core/agent/investigator.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import { createApiKeys } from './api-keys.ts';
import { secretsOf, unreadWarnings } from './own-secrets.ts';
import { collectMcp, type McpOptions, type McpServerState } from './collect-mcp.ts';
import { collectToolsets, type ToolsetStatus } from './collect-toolsets.ts';
import {
  checkToolGroups,
  checkWritable,
  collectTools,
  shadowedWarning,
  withRecorded,
} from './collect-tools.ts';
import { ownRules, statedRules } from './policy-rules.ts';
import { hostsOfConfig } from './hosts.ts';
import { type KnownNames, type Problem, checkInput, problemsOf, checkPolicy } from './check-input.ts';
import { openShell, shellAccess } from './shell-sandbox.ts';

export type ComposeInput = {
  config: Config;
  artifacts: ArtifactStore;
  deltaBus: DeltaBus;
  /** Names that the server has registered. */
  searchAttributes: string[];
  /** Names this worker to people. */
  identity: string;
  play?: PlayedModel;
  /** Of this config, where they were collected for a check. */
  parts?: Parts | undefined;
  /** Takes what MCP servers write for people. */
  log?(line: string): void;
};

/** A script as the model, and what plays it. */
export type PlayedModel = { script: ModelScript } & Pick<ModelProvider, 'call'>;

export type Composed = {
  activities: WorkerActivities;
  /** Throws a ConfigError that names the agent, tool or provider that this worker lacks. */
  checkInput(input: SessionInput): void;
  /** The input with the model and tools that this worker would give it: another worker may assemble the run. */
  complete(input: SessionInput): SessionInput;
  /** For people, at start. */
  warnings: string[];
  /** Ends the MCP servers that calls have started. */
  close(): Promise<void>;
  /** Those of them that are said wherever a worker starts, also within a command. */
  alarms: string[];
};

/** The parts that a config makes. */
export type Parts = Omit<Composed, 'activities'> &
  Pick<KnownNames, 'agents' | 'hooks'> & {
    toolGroups: Config['toolGroups'];
    logTo(write: (line: string) => void): void;
    /** Pins the MCP tools that were seen for the first time; gives what it did, for people. */
    pinNew(): Promise<string[]>;
    tools: Map<string, RegisteredTool>;
    /** The same tools, made so that they reach only what lies in `access` as well. */
    toolsWithin(access: Access): Map<string, RegisteredTool>;
    providers: Map<string, ModelProvider>;
    toolsets: ToolsetStatus[];
    mcpServers: McpServerState[];
    redactor: Redactor;
    /** The secrets that settings of tools name. */
    secrets: Secrets;
    /** Why no worker may start of it; mostly empty. */
    problems: Problem[];
  };

export async function composeActivities(input: ComposeInput): Promise<Composed> {
  const { deps, checks } = await toDeps(input);
  return { activities: createActivities(deps), ...checks };
}

/** Of a worker that serves the tools of one host: it needs neither a model nor an agent. */
export async function composeHostActivities(
  input: ComposeInput,
  host: string,
): Promise<Omit<Composed, 'activities'> & { activities: HostWorkerActivities }> {
  const { deps, checks } = await toDeps(input, host);
  return { activities: createHostActivities(deps, host), ...checks };
}

async function toDeps(
  input: ComposeInput,
  host?: string,
): Promise<{ deps: ActivityDeps; checks: Omit<Composed, 'activities'> }> {
  const { config, artifacts, deltaBus, searchAttributes, identity } = input;
  const { maxMode, fileRoots: roots, writableFolders: writable, httpAllow: hosts } = config;
  const posts = postPaths(config.httpHosts);
  const policy = statedRules(config);
  const collected = input.parts ?? (await collectParts(config, input.play));
  const { tools, toolGroups, toolsWithin, hooks, agents, providers, redactor, problems, logTo, ...rest } =
    collected;
  const { secrets, pinNew, ...checks } = rest;
  // a host's worker asks no model, and knows no agent
  if (host === undefined) refuse(problems);
  if (input.log) logTo(input.log);
  // collecting only looked; this worker is the one that will call them
  const pinned = await pinNew();
  const held = await secretsOf(config);
  for (const [name, value] of held) redactor.learn(value, name);
  const deps: ActivityDeps = {
    ...{ agents, tools, toolGroups, hooks, providers, artifacts, deltaBus, searchAttributes, identity },
    ...{
      access: {
        ...{ policy, roots, hosts, ...(posts.length > 0 && { posts }) },
        ...{ ...(writable.length > 0 && { writable }), ...shellAccess(config) },
      },
      toolsWithin,
    },
    providerAdvice: missingProviders(providers, config),
    ...{
      defaultModel: config.model,
      models: config.models,
      modelQueues: config.modelQueues,
      policy: [...policy, ...(await ownRules(config))],
      maxMode,
      encrypted: isEncrypted(config),
    },
    policyTiers: config.policyTiers,
    classify:
      config.policyTiers?.classifier &&
      createClassifier(config.policyTiers.classifier, {
        resolve: secrets.resolve,
        redact: redactor.text,
      }),
    redactor,
    resolveApiKey: createApiKeys(config),
    ...(config.modelHooks ? { modelHooks: config.modelHooks } : {}),
    ...(config.projections ? { projections: config.projections } : {}),
    hosts: hostsOfConfig(config),
  };
  const warnings = [...checks.warnings, ...pinned, ...unreadWarnings(config, held)];
  return { deps, checks: { ...checks, warnings, alarms: [...checks.alarms, ...pinned] } };
}

/** Throws a ConfigError where something of the config does not fit to the rest. */
export async function collectParts(
  config: Config,
  play?: PlayedModel,
  options: McpOptions = {},
): Promise<Parts> {
  checkWritable(config);
  const redactor = createRedactor([]);
  const secrets = openSecrets(config, { learn: redactor.learn, redact: redactor.text });
  const script = config.script === undefined ? undefined : await readScript(config.script);
  const mcp = await collectMcp(config, { resolve: secrets.resolve, ...options });
  const toolsets = await collectToolsets(config, secrets.resolve);
  const others = [...toolsets.tools, ...mcp.tools];
  const shell = await openShell(config);
  const isAbsent = (name: string): boolean =>
    mcp.isAbsent(name) || toolsets.isAbsent(name) || (shell.off !== undefined && name === 'bash');
  const collected = collectTools(shell.config, others, secrets.resolve);
  const played = play?.script ?? (config.model.startsWith('scripted:') ? script : undefined);
  const tools = withRecorded(collected.tools, played);
  const toolsWithin = (access: Access) =>
    withRecorded(collectTools(shell.config, others, secrets.resolve, access).tools, played);
  const toolGroups = mapValues(config.toolGroups, (names) => names.filter((name) => !isAbsent(name)));
  checkToolGroups(toolGroups, tools);
  const hooks = new Map(config.hooks.map((hook) => [hook.name, hook]));
  const ownAgents = mapValues(config.agents, (agent) => ({
    ...agent,
    tools: agent.tools.filter((name) => !isAbsent(name)),
  }));
  // a rule may be for a tool that only hosts have
  const hasHosts = Object.keys(config.hosts).length > 0;
  const agents = new Map(
    Object.entries({
      [defaultAgent]: { ...createInvestigator([...tools.keys()]), ...everyHost(config) },
      ...withPatience(ownAgents),
    }),
  );
  const providers = play ? playEverywhere(play, config) : createProviders(config, script);
  const known: KnownNames = {
    ...{
      agents,
      tools: new Set(tools.keys()),
      toolGroups: new Set(Object.keys(toolGroups)),
      hosts: new Set(Object.keys(config.hosts)),
      providers: new Set(providers.keys()),
    },
    ...{ missing: missingProviders(providers, config), model: config.model, hooks },
    maxMode: config.maxMode,
  };
  return {
    ...{
      tools,
      toolGroups,
      toolsWithin,
      hooks,
      agents,
      providers,
      redactor,
      secrets,
      ...{ toolsets: toolsets.toolsets, mcpServers: mcp.servers },
      ...{ close: () => mcp.close(), logTo: mcp.logTo, pinNew: () => mcp.pinNew() },
    },
    checkInput: (start) => checkInput(start, known),
    complete: (start) => completeStart(start, agents, config.model),
    problems: [...problemsOf(Object.keys(config.agents), known), ...problemsOfTiers(config, providers)],
    alarms: [...shell.warnings, ...mcp.warnings, ...toolsets.warnings],
    warnings: [
      ...shell.warnings,
      ...mcp.warnings,
      ...toolsets.warnings,
      ...shadowedWarning(collected.shadowed),
      ...checkPolicy(statedRules(config), { tools, agents, isAbsent: (name) => isAbsent(name) || hasHosts }),
    ],
  };
}

/** The built-in agent works on all of them, as it has all the tools of its worker. */
function everyHost({ hosts }: Config): Pick<AgentSpec, 'hosts'> {
  return Object.keys(hosts).length === 0 ? {} : { hosts: ['*'] };
}

function mapValues<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function problemsOfTiers({ policyTiers }: Config, providers: ReadonlyMap<string, ModelProvider>): Problem[] {
  const provider = policyTiers?.model === undefined ? undefined : parseModelName(policyTiers.model)?.provider;
  if (provider === undefined || providers.has(provider)) return [];
  const message = `policyTiers.model names the provider "${provider}", which cannot be asked here: expected one of ${[...providers.keys()].sort().join(', ')}.`;
  return [{ about: 'model', message }];
}

/** A checkpoint brings its own. Without this the built-in agent has the tools of the worker that assembles it. */
function completeStart(
  input: SessionInput,
  agents: ReadonlyMap<string, AgentSpec>,
  defaultModel: string,
): SessionInput {
  if (input.checkpoint !== undefined) return input;
  const agent = agents.get(input.agent ?? defaultAgent);
  const model = agent?.model ?? defaultModel;
  const tools = (input.agent ?? defaultAgent) === defaultAgent ? agent?.tools : undefined;
  return { model, ...(tools ? { tools } : {}), ...input };
}

/** Throws a ConfigError that names them all, where there are any. */
function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ConfigError(problems.map(({ message }) => message).join('\n'));
}

/** The parts of a worker of this config. Throws the errors of its start, and those of the input. Serves and writes nothing. */
export async function checkParts(config: Config, input?: SessionInput): Promise<Parts> {
  const parts = await collectParts(config);
  refuse(parts.problems);
  if (input) parts.checkInput(input);
  return parts;
}

/** Under every name, so that agents keep the models that they are written for. */
function playEverywhere(play: PlayedModel, config: Config): Map<string, ModelProvider> {
  const own = [...Object.keys(config.providers), ...Object.keys(config.missingProviders)];
  return new Map(
    [...builtInProviders.keys(), 'scripted', ...own].map((name) => [
      name,
      { name, call: (request, options) => play.call(request, options) },
    ]),
  );
}

function createProviders(config: Config, script: ModelScript | undefined): Map<string, ModelProvider> {
  const made = Object.entries(config.providers).map(([name, settings]): [string, ModelProvider] => {
    const abilitiesOf = (id: string) => config.models[toModelName({ provider: name, id })] ?? {};
    const own = config.modelProviders[name];
    if (own !== undefined) return [name, createOwnProvider(name, own, { ...settings, abilitiesOf })];
    return [name, createVendorProvider(name, { ...settings, abilitiesOf })];
  });
  const scripted = script === undefined ? [] : [createScriptedProvider(script)];
  return new Map([...made, ...scripted.map((provider) => [provider.name, provider] as const)]);
}

async function readScript(path: string): ReturnType<typeof loadModelScript> {
  try {
    return await loadModelScript(path);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The needs of the providers that are not available. */
function missingProviders(
  providers: ReadonlyMap<string, ModelProvider>,
  { missingProviders: own }: Config,
): Map<string, string> {
  const keys = [...builtInProviders].map(
    ([
      name,
      {
        vendor: { prefix },
      },
    ]): [string, string] => [
      name,
      `set ${prefix}_API_KEY or ${prefix}_API_KEY_FILE, or ${prefix}_BASE_URL for a server that wants no key.`,
    ],
  );
  const needs: [name: string, need: string][] = [
    ...keys,
    [
      'scripted',
      'no model key is set (OPENAI_API_KEY, ANTHROPIC_API_KEY), and the config names no script for the scripted ' +
        'model. Set a key, name another model in the config, or see "holdfast demo", which needs no key.',
    ],
    ...Object.entries(own),
  ];
  return new Map(needs.filter(([name]) => !providers.has(name)));
}
