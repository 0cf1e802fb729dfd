// From the parts of a config to the activities of a worker. Composition only.
import { arch, hostname, release, type } from 'node:os';
import type { Machine } from '../core/model/frozen-context.ts';
import type { DeltaBus } from '../activities/delta-bus.ts';
import { createActivities, createHostActivities } from '../activities/index.ts';
import type { ActivityDeps, HostWorkerActivities, WorkerActivities } from '../activities/index.ts';
import { createPromptFiles } from '../activities/prompt/prompt-files.ts';
import { createClassifier } from '../activities/policy/classifier.ts';
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';
import { postPaths } from '../activities/tools/built-in/http-hosts.ts';
import type { Config } from '../config/config.ts';
import { messageOf } from '../core/base/message-of.ts';
import type { ToolEffect } from '../core/model/tool-spec.ts';
import { isEncrypted } from '../config/secrets.ts';
import { uiAddress } from '../config/ui-address.ts';
import { createApiKeys } from './api-keys.ts';
import { secretsOf, unreadWarnings } from './own-secrets.ts';
import { type Parts, collectParts, refuse } from './parts.ts';
import { ownRules, statedRules } from './policy-rules.ts';
import { type PlayedModel, missingProviders } from './providers.ts';
import { shellAccess } from './shell-sandbox.ts';
import { digestsOf } from './tool-sources/collect-sources.ts';
import { hostsOfConfig } from './tool-sources/host-source.ts';

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

export type Composed = Pick<
  Parts,
  'checkInput' | 'complete' | 'warnings' | 'alarms' | 'redactor' | 'close'
> & {
  activities: WorkerActivities;
  /** As the tool declares it. */
  effectOf(tool: string): ToolEffect | undefined;
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
  const parts = input.parts ?? (await collectParts(config, input.play));
  const policy = statedRules(config, parts.agents);
  const { sources, tools, toolGroups, skills, toolsWithin, hooks, agents, providers, redactor, secrets } =
    parts;
  // a host's worker asks no model, and knows no agent
  if (host === undefined) refuse(parts.problems);
  const started = [
    ...(await parts.start(input.log ?? (() => undefined))),
    ...(host === undefined ? await indexMemory(parts.memory) : []),
  ];
  const held = await secretsOf(config);
  for (const [name, value] of held) redactor.learn(value, name);
  const classifier = config.policyTiers?.classifier;
  const deps: ActivityDeps = {
    ...{
      agents,
      tools,
      toolGroups,
      skills,
      hooks,
      providers,
      artifacts,
      deltaBus,
      searchAttributes,
      identity,
    },
    memory: parts.memory,
    ...{ redactor, maxMode, toolsWithin, sourceDigests: digestsOf(sources) },
    dir: config.dir,
    access: {
      ...{ policy, roots, hosts, ...(posts.length > 0 && { posts }) },
      ...{ ...(writable.length > 0 && { writable }), ...shellAccess(config) },
    },
    policy: [...policy, ...(await ownRules(config))],
    policyTiers: config.policyTiers,
    classify: classifier && createClassifier(classifier, { resolve: secrets.resolve, redact: redactor.text }),
    machine: thisMachine(),
    encrypted: isEncrypted(config),
    readPromptFiles:
      config.promptDir === undefined ? undefined : createPromptFiles(config.promptDir, redactor.text),
    maxOutputBytes: config.maxOutputBytes,
    defaultModel: config.model,
    models: config.models,
    modelQueues: config.modelQueues,
    providerAdvice: missingProviders(providers, config),
    resolveApiKey: createApiKeys(config),
    ...(config.modelHooks ? { modelHooks: config.modelHooks } : {}),
    ...(config.projections ? { projections: config.projections } : {}),
    hosts: hostsOfConfig(config),
    ...uiOf(config),
  };
  const { checkInput, complete, close } = parts;
  const warnings = [...parts.warnings, ...started, ...unreadWarnings(config, held)];
  const alarms = [...parts.alarms, ...started];
  const effectOf = (tool: string) => tools.get(tool)?.spec.effect;
  return { deps, checks: { checkInput, complete, close, redactor, effectOf, warnings, alarms } };
}

function thisMachine(): Machine {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  return { host: hostname(), system: `${type()} ${release()} ${arch()}`, zone };
}

function uiOf({ uiUrl, temporal: { namespace } }: Config): Pick<ActivityDeps, 'uiAddressOf'> {
  if (uiUrl === undefined) return {};
  return { uiAddressOf: (sessionId) => uiAddress(uiUrl, namespace, sessionId) };
}

/** A worker starts without it too: a search tries again. */
async function indexMemory(memory: Parts['memory']): Promise<string[]> {
  try {
    await memory?.refresh();
    return [];
  } catch (error) {
    return [`The memory cannot be read now, so that runs begin without it: ${messageOf(error)}`];
  }
}
