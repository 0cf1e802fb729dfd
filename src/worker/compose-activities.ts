// From the parts of a config to the activities of a worker. Composition only.
import { withoutMark } from '@holdfast/stored/session-names';
import { defined } from '@holdfast/base/defined';
import { arch, hostname, release, type } from 'node:os';
import type { Access, Machine } from '@holdfast/vocabulary/frozen-context';
import { type DeltaBus, createDeltaBus } from '../activities/base/delta-bus.ts';
import { createHostActivities, type HostWorkerActivities } from '../activities/host-activities.ts';
import { type ActivityDeps, createActivities, type WorkerActivities } from '../activities/index.ts';
import { createPromptFiles } from '../activities/assembly/prompt-files.ts';
import { createClassifier } from '../activities/policy/classifier.ts';
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';
import { createBehindStore } from '../activities/storage/behind-store.ts';
import { postPaths } from '../activities/built-in/http/http-hosts.ts';
import type { Config } from '../config/config.ts';
import { messageOf } from '@holdfast/base/message-of';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { problemsOfSecrets, createApiKeys } from '../config/secrets.ts';
import { uiAddress } from '../config/ui-address.ts';
import { assemblyOf } from './assemble-here.ts';
import { secretsOf } from './own-secrets.ts';
import { type Parts, collectParts, assertNoProblems } from './parts.ts';
import { ownRules, statedRules } from './policy-rules.ts';
import { type PlayedModel, missingProviders } from './providers.ts';
import { shellAccess } from './shell-sandbox.ts';
import { digestsOf } from './tool-sources/collect-sources.ts';

export type ComposeInput = {
  config: Config;
  artifacts: ArtifactStore;
  /** Default: one that nobody hears. */
  deltaBus?: DeltaBus;
  /** Attributes registered on the server. Default: none, as without a server. */
  searchAttributes?: string[];
  /** Default: that of a run in this process. */
  identity?: string;
  play?: PlayedModel;
  /** The parts of this config, if a check has already collected them. */
  parts?: Parts | undefined;
  /** Takes the output that MCP servers write for people, and lines about outputs that were not stored. */
  log?(line: string): void;
};

export type Composed = Pick<
  Parts,
  'checkInput' | 'complete' | 'warnings' | 'alarms' | 'redactor' | 'close'
> & {
  activities: WorkerActivities;
  effectOf(tool: string): ToolEffect | undefined;
  /** Replaces the agents of the config from the next run on. */
  setAgents(agents: Config['agents']): Promise<void>;
};

export async function composeActivities(input: ComposeInput): Promise<Composed> {
  const { deps, checks } = await toDeps(input);
  return { activities: createActivities(deps), ...checks };
}

/** For a worker that serves the tools of one host; it needs neither a model nor an agent. */
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
  const { config, searchAttributes = [], identity = 'memory', log = () => undefined } = input;
  const { deltaBus = createDeltaBus() } = input;
  const parts = input.parts ?? (await collectParts(config, input.play));
  const { tools, toolsWithin, providers, destinations, redactor, memory, openNotes } = parts;
  // a host's worker calls no model and knows no agent
  if (host === undefined) assertNoProblems(parts.problems);
  const started = await parts.start(log);
  if (host === undefined) started.push(...(await indexMemory(memory)));
  const held = await secretsOf(config);
  for (const [name, value] of held) redactor.learn(value, name);
  const artifacts = createBehindStore(input.artifacts, { log });
  // oxfmt-ignore
  const deps: ActivityDeps = {
    ...assemblyOf(config, parts),
    toolsWithin, providers, destinations, redactor, memory, openNotes, artifacts, deltaBus, searchAttributes, identity,
    sourceDigests: digestsOf(parts.sources),
    machine: thisMachine(),
    ...(await policyOf(config, parts, log)),
    ...settingsOf(config, parts),
  };
  const { checkInput, complete } = parts;
  const close = async (): Promise<void> => {
    await artifacts.close();
    await parts.close();
  };
  const warnings = [...parts.warnings, ...started, ...(await problemsOfSecrets(config))];
  const alarms = [...parts.alarms, ...started];
  const effectOf = (tool: string) => tools.get(tool)?.spec.effect;
  const setAgents = async (agents: Config['agents']): Promise<void> => {
    parts.agentFiles.replace(agents);
    await deps.rereadAgents?.();
  };
  // oxfmt-ignore
  return { deps, checks: { checkInput, complete, setAgents, close, redactor, effectOf, warnings, alarms } };
}

/** The limits of its agents and tools. Agent files that were read again change the rules in place. */
async function policyOf(
  config: Config,
  { agents, agentFiles, secrets, redactor, lookAgain }: Parts,
  log: (line: string) => void,
) {
  const { policyTiers, fileRoots: roots, writableFolders: writable, httpAllow: hosts } = config;
  const posts = postPaths(config.httpHosts);
  const classifier = policyTiers?.classifier;
  const stated = statedRules(config, agents);
  const own = await ownRules(config);
  const policy = [...stated, ...own];
  const access: Access = defined({
    policy: stated,
    roots,
    hosts,
    posts: unlessEmpty(posts),
    writable: unlessEmpty(writable),
    ...shellAccess(config),
  });
  const rereadAgents = async (): Promise<void> => {
    lookAgain();
    await agentFiles.reread(log);
    access.policy = statedRules(config, agents);
    const withDeleted = new Map([...agents, ...agentFiles.deleted]);
    policy.splice(0, policy.length, ...statedRules(config, withDeleted), ...own);
  };
  return {
    access,
    policy,
    policyTiers,
    classify: classifier && createClassifier(classifier, { resolve: secrets.resolve, redact: redactor.text }),
    rereadAgents,
    deletedAgents: agentFiles.deleted,
  };
}

function settingsOf(config: Config, { providers, redactor }: Parts) {
  const { dir, promptDir, maxOutputBytes, modelQueues } = config;
  return {
    dir,
    encrypted: config.encryption !== undefined,
    readPromptFiles: promptDir === undefined ? undefined : createPromptFiles(promptDir, redactor.text),
    maxOutputBytes,
    modelQueues,
    providerAdvice: missingProviders(providers, config),
    resolveApiKey: createApiKeys(config),
    ...defined({ modelHooks: config.modelHooks, projections: config.projections }),
    taskBoards: new Map(Object.entries(config.taskBoards ?? {})),
    ...uiOf(config),
  };
}

function thisMachine(): Machine {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  return { host: hostname(), system: `${type()} ${release()} ${arch()}`, zone };
}

function uiOf({ uiUrl, temporal: { namespace } }: Config): Pick<ActivityDeps, 'uiAddressOf'> {
  if (uiUrl === undefined) return {};
  return { uiAddressOf: (sessionId) => uiAddress(uiUrl, namespace, withoutMark(sessionId)) };
}

/** A failure is only a warning: a search indexes again. */
async function indexMemory(memory: Parts['memory']): Promise<string[]> {
  try {
    const warning = await memory?.refresh();
    return warning === undefined ? [] : [warning];
  } catch (error) {
    return [`The memory cannot be read now, so that runs begin without it: ${messageOf(error)}`];
  }
}
