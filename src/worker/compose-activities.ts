// From the config to the activities of a worker: providers with their keys, tools, agents, and what must be kept
// out of every result. Composition only.
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';
import type { DeltaBus } from '../activities/delta-bus.ts';
import { createActivities } from '../activities/index.ts';
import type { ModelProvider } from '../activities/model/providers/model-provider.ts';
import { createOwnProvider } from '../activities/model/providers/own-provider.ts';
import { builtInProviders, createVendorProvider } from '../activities/model/providers/vendors.ts';
import { loadModelScript } from '../scripted/model-script.ts';
import { createScriptedProvider } from '../activities/model/providers/scripted.ts';
import { createRedactor } from '../activities/redaction/redaction.ts';
import { createBuiltInTools } from '../activities/tools/built-in/table.ts';
import type { RegisteredTool } from '../activities/tools/tool-handler.ts';
import { collectToolsets } from '../activities/tools/toolsets.ts';
import type { CollectedTools } from '../activities/tools/toolsets.ts';
import { ConfigError } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import type { Access } from '../core/model/frozen-context.ts';
import type { AgentSpec } from '../core/model/agent-spec.ts';
import { toModelName } from '../core/model/model-name.ts';
import type { ModelScript } from '../scripted/model-script.ts';
import { createInvestigator, withPatience } from '../core/agent/investigator.ts';
import { loadToolsTool } from '../core/tools/built-in/load-tools.ts';
import { checkSessionFields } from '../core/session/session-input.schema.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import { isRecording, recordedTools } from '../scripted/recorded-tools.ts';
import { createApiKeys, secretsOf } from './api-keys.ts';
import { type KnownNames, type Problem, checkInput, problemsOf } from './check-input.ts';
import { checkPolicy } from './check-policy.ts';

export type ComposeInput = {
  config: Config;
  artifacts: ArtifactStore;
  deltaBus: DeltaBus;
  /** Names that the server has registered. */
  searchAttributes: string[];
  /** Names this worker to people. */
  identity: string;
  play?: PlayedModel;
};

/** A script as the model, and what plays it. */
export type PlayedModel = { script: ModelScript } & Pick<ModelProvider, 'call'>;

export type Composed = {
  activities: ReturnType<typeof createActivities>;
  /** Throws a ConfigError that names the agent, tool or provider that this worker lacks. */
  checkInput(input: SessionInput): void;
  /** The input with the model and tools that this worker would give it: another worker may assemble the run. */
  complete(input: SessionInput): SessionInput;
  /** For people, at start. */
  warnings: string[];
};

/** What a config comes to. */
export type Parts = Omit<Composed, 'activities'> &
  Pick<KnownNames, 'agents' | 'hooks'> & {
    tools: Map<string, RegisteredTool>;
    /** The same tools, made so that they reach only what lies in `access` as well. */
    toolsWithin(access: Access): Map<string, RegisteredTool>;
    providers: Map<string, ModelProvider>;
    /** Why no worker may start of it; mostly empty. */
    problems: Problem[];
  };

export async function composeActivities(input: ComposeInput): Promise<Composed> {
  const { config, artifacts, deltaBus, searchAttributes, identity } = input;
  const { toolGroups, policy, fileRoots: roots, httpAllow: hosts } = config;
  const { tools, toolsWithin, hooks, agents, providers, problems, ...checks } = await collectParts(
    config,
    input.play,
  );
  refuse(problems);
  const activities = createActivities({
    ...{ agents, tools, toolGroups, hooks, providers, artifacts, deltaBus, searchAttributes, identity },
    ...{ access: { policy, roots, hosts }, toolsWithin },
    providerAdvice: missingProviders(providers, config),
    ...{
      defaultModel: config.model,
      models: config.models,
      modelQueues: config.modelQueues,
      policy,
    },
    redactor: createRedactor(await secretsOf(config)),
    resolveApiKey: createApiKeys(config),
    ...(config.modelHooks ? { modelHooks: config.modelHooks } : {}),
    ...(config.projections ? { projections: config.projections } : {}),
    checkInput: checkSessionFields,
  });
  return { activities, ...checks };
}

/** Throws a ConfigError where something of the config does not fit to the rest. */
export async function collectParts(config: Config, play?: PlayedModel): Promise<Parts> {
  const script = config.script === undefined ? undefined : await readScript(config.script);
  const collected = collectTools(config);
  const played = play?.script ?? (config.model.startsWith('scripted:') ? script : undefined);
  const tools = withRecorded(collected.tools, played);
  const toolsWithin = (access: Access) => withRecorded(collectTools(config, access).tools, played);
  const { toolGroups } = config;
  checkToolGroups(toolGroups, tools);
  const hooks = new Map(config.hooks.map((hook) => [hook.name, hook]));
  const agents = new Map(
    Object.entries({ investigator: createInvestigator([...tools.keys()]), ...withPatience(config.agents) }),
  );
  const providers = play ? playEverywhere(play, config) : createProviders(config, script);
  const known: KnownNames = {
    ...{
      agents,
      tools: new Set(tools.keys()),
      toolGroups: new Set(Object.keys(toolGroups)),
      providers: new Set(providers.keys()),
    },
    ...{ missing: missingProviders(providers, config), model: config.model, hooks },
  };
  return {
    ...{ tools, toolsWithin, hooks, agents, providers },
    checkInput: (start) => checkInput(start, known),
    complete: (start) => completeStart(start, agents, config.model),
    problems: problemsOf(Object.keys(config.agents), known),
    warnings: [...shadowedWarning(collected.shadowed), ...checkPolicy(config.policy, tools.keys())],
  };
}

/** What goes on from a checkpoint has its own. The built-in agent takes the tools of whatever worker assembles it. */
function completeStart(
  input: SessionInput,
  agents: ReadonlyMap<string, AgentSpec>,
  defaultModel: string,
): SessionInput {
  if (input.checkpoint !== undefined) return input;
  const agent = agents.get(input.agent ?? 'investigator');
  const model = agent?.model ?? defaultModel;
  const tools = input.agent === undefined || input.agent === 'investigator' ? agent?.tools : undefined;
  return { model, ...(tools ? { tools } : {}), ...input };
}

/** Throws a ConfigError that names them all, where there are any. */
function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ConfigError(problems.map(({ message }) => message).join('\n'));
}

/** Throws what a worker of this config would throw at its start, and what it would say of the input. Starts nothing. */
export async function checkParts(config: Config, input?: SessionInput): Promise<void> {
  const { problems, checkInput: check } = await collectParts(config);
  refuse(problems);
  if (input) check(input);
}

/** Built-in tools as far as the config opens something to them, and to `within` where given; then the user's own. */
function collectTools(
  { fileRoots: roots, httpAllow, tools, dir, artifactsDir }: Config,
  within?: Pick<Access, 'roots' | 'hosts'>,
): CollectedTools {
  // Reports and other sessions' outputs are there: what the model wrote must not come back as evidence.
  const closed = [dir, artifactsDir];
  const builtIn = createBuiltInTools({ roots, closed, httpAllow, ...(within ? { within } : {}) });
  const collected = collectToolsets([builtIn, tools]);
  // comes with an agent's tool groups, and with nothing else
  const { name } = loadToolsTool.spec;
  const isTaken = collected.tools.delete(name);
  return isTaken ? { ...collected, shadowed: [...collected.shadowed, name] } : collected;
}

function shadowedWarning(names: string[]): string[] {
  if (names.length === 0) return [];
  const many = names.length > 1;
  return [
    `Not used: your tool${many ? 's' : ''} ${names.join(', ')}. Built-in tools have ${many ? 'these names' : 'this name'}; rename yours.`,
  ];
}

function checkToolGroups(groups: Config['toolGroups'], tools: ReadonlyMap<string, RegisteredTool>): void {
  for (const [group, names] of Object.entries(groups)) {
    const name = names.find((candidate) => !tools.has(candidate));
    if (name === undefined) continue;
    throw new ConfigError(
      `Tool group "${group}" names the tool "${name}", which is not there: expected one of ${[...tools.keys()].sort().join(', ')}.`,
    );
  }
}

/** A recording brings its tools along: while it is the model, they answer as they did then, and nothing real runs. */
function withRecorded(
  tools: Map<string, RegisteredTool>,
  script: ModelScript | undefined,
): Map<string, RegisteredTool> {
  if (script === undefined || !isRecording(script)) return tools;
  return new Map([...tools, ...recordedTools(script).map((tool) => [tool.spec.name, tool] as const)]);
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

/** What each provider without which it is not there needs. */
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
