// The activity assembleContext: what a run is frozen to. Spec, defaults and start input become one context with a
// digest; everything that differs between workers is settled here, once. Runs in Node.
import { ApplicationFailure } from '@temporalio/common';
import type { AssembleContextInput, BegunWith } from '../../core/model/activity-contracts.ts';
import type { HostToAsk } from '../../core/model/hosts.ts';
import type { Access, ContextWarning, FrozenContext, Machine } from '../../core/model/frozen-context.ts';
import { agentDefaults, defaultSettings, settingFields } from '../../core/model/agent-spec.ts';
import type { AgentSettings, AgentSpec } from '../../core/model/agent-spec.ts';
import { loopRules } from '../../core/state/loop-rules.ts';
import { estimatorVersion } from '../../core/view/estimate.ts';
import { problemOfFields } from '../../core/session/session-input.schema.ts';
import type { SessionInput } from '../../core/model/session-input.ts';
import { jsonBytes, maxPayloadBytes } from '../../core/base/sizes.ts';
import type { AgentMode, PolicyTier } from '../../core/model/tool-spec.ts';
import { rulesOfStart } from '../../core/tools/access.ts';
import { milderMode } from '../../core/tools/modes.ts';
import { skillsOfRun } from '../skills/freeze-skills.ts';
import { emptyShelf, type Shelf } from '../skills/skill-shelf.ts';
import type { WorkerSkills } from '../skills/worker-skills.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import type { RegisteredHook } from '../hooks/hook-definition.ts';
import { withHostTools } from '../hosts/host-tools.ts';
import { type Recall, recallForPrompt } from '../memory/recall.ts';
import { handBack } from './hand-back.ts';
import { createOwnWorkflow } from './own-workflow.ts';
import { problemOfHooks, resolveHooks } from '../hooks/resolve-hooks.ts';
import { criticOf, listAgents } from '../../core/agent/delegation/registry.ts';
import { withinParent } from '../../core/agent/delegation/within-parent.ts';
import { applyProfile } from '../../core/agent/profiles.ts';
import { defaultAgent, problemOfStart } from '../../core/agent/start.ts';
import { problemOfOutputSchema } from '../model/check-output.ts';
import { lookUpModel } from '../model/cost.ts';
import { freezeContext } from './frozen-contexts.ts';
import { type ModelDeps, otherModels, priceWarnings, queueOf, toModelRef } from './frozen-models.ts';
import { type SourceDigests, digestsUsed } from './frozen-sources.ts';
import { toToolSpecs } from './run-tools.ts';
import type { ToolGroupDeps } from '../tools/tool-groups.ts';
import { promptOf } from './prompt-parts.ts';
import type { PromptSources } from './prompt-parts.ts';
import { delegationSpecs } from '../tools/delegation-tools.ts';
import { missingPart } from './worker-parts.ts';

export type AssembleContextDeps = ToolGroupDeps &
  ModelDeps &
  Pick<PromptSources, 'readPromptFiles' | 'parts'> & {
    agents: ReadonlyMap<string, AgentSpec>;
    /** `<provider>:<model id>` for agents that name none. */
    defaultModel: string;
    /** The hosts of its configuration. */
    hosts?: readonly HostToAsk[] | undefined;
    /** The worker's own hooks, by name. */
    hooks?: ReadonlyMap<string, RegisteredHook>;
    artifacts: ArtifactStore;
    /** Names that the server has registered. */
    searchAttributes: readonly string[];
    /** The most that an agent may do without asking. Absent: no limit. */
    maxMode?: AgentMode | undefined;
    /** Whether payloads are encrypted before they reach the server. Default: they are not. */
    encrypted?: boolean | undefined;
    /** What this worker opens to its tools. */
    access?: Access | undefined;
    /** Where it runs. Absent: nothing is said of it. */
    machine?: Machine | undefined;
    sourceDigests?: SourceDigests | undefined;
    /** The skills of its configuration; absent: it has none. */
    skills?: WorkerSkills | undefined;
    /** Finds notes that fit a text; absent: this worker has no memory. */
    recall?: Recall | undefined;
  };

/**
 * Fails finally with type Input.Invalid, Input.ModeRefused, Input.UnknownHook (its parameters) or Input.TooLarge. An agent, tool, group,
 * hook or provider that this worker does not have may be another worker's: the task is handed back.
 */
export function createAssembleContext(
  deps: AssembleContextDeps,
): (input: AssembleContextInput) => Promise<FrozenContext> {
  const { encrypted = false } = deps;
  return async function assembleContext({
    sessionId,
    input,
    loadedGroups = [],
    loadedSkills = [],
    begun,
    hosts,
    plan,
  }) {
    const agent = input.agent ?? defaultAgent;
    // those of a run that has begun are fixed, as its prompt is
    const shelf = begun?.prompt ? undefined : ((await deps.skills?.read()) ?? emptyShelf);
    const spec = assertStart(begun ? { ...deps, maxMode: 'act' } : deps, input, shelf);
    const profiled = applyProfile(spec, input.profile);
    // a list in the start input replaces the agent's
    const { hooks, options } = resolveHooks({ ...profiled, ...input }, deps.hooks ?? new Map());
    const configured = { ...profiled, ...options, condense: { ...profiled.condense, ...options.condense } };
    const model = toModelRef(input.model ?? spec.model ?? deps.defaultModel);
    const facts = lookUpModel(model, deps.models);
    const { modes, prompt: _, sourceDigests: begunDigests, ...place } = begun ?? ownPlace(deps);
    const own = toSettings(configured, input, facts.contextWindow, deps.maxMode);
    const settings = { ...(input.parent ? withinParent(own, input.parent) : own), ...modes };
    const depth = input.parent?.depth ?? 0;
    const agents = listAgents(settings, { self: agent, depth }, deps.agents);
    const critic = depth === 0 ? criticOf(settings, agent, deps.agents) : undefined;
    const sourceDigests = { ...digestsUsed(settings, deps), ...begunDigests };
    const {
      skills,
      readSkills,
      warnings: ofSkills,
    } = await skillsOfRun(deps, { sessionId, settings, loaded: loadedSkills, shelf, begun: begun?.skills });
    if (skills.length > 0 && !deps.skills) throw lacks(deps, 'has no skills: this run began with some.');
    const ownTools = toToolSpecs(deps, settings, {
      ...{ loadedGroups, hasSkills: skills.length > 0, ofDelegation: delegationSpecs(depth, agents) },
    });
    const atHosts: Partial<Pick<FrozenContext, 'tools' | 'hosts' | 'warnings'>> =
      hosts === undefined ? {} : withHostTools(ownTools, hosts, settings);
    const { tools = ownTools, warnings = [] } = atHosts;
    const run = { agent, spec: { ...profiled, ...input }, input, settings, tools, agents, plan };
    const { notes, warnings: ofMemory } = await recallForPrompt(
      begun?.prompt ? undefined : deps.recall,
      settings,
      createOwnWorkflow,
    );
    const models = {
      model,
      ...(facts.prices ? { prices: facts.prices } : {}),
      ...otherModels(deps, spec, input),
    };
    const frozen = {
      agent,
      ...(spec.description === undefined ? {} : { description: spec.description }),
      ...(await promptOf(run, { ...deps, readSkills, ...(notes ? { notes } : {}) }, begun)),
      tools,
      ...models,
      ...tiersOf(deps, rulesOfStart(input)),
      ...queueOf(deps, model),
      ...rulesOfStart(input),
      // the prompt has the text; a second copy of it would be paid for in every history
      settings: { ...settings, instructions: '' },
      searchAttributes: [...deps.searchAttributes],
      warnings: [
        ...warnings,
        ...ofSkills,
        ...ofMemory,
        ...priceWarnings(settings.budget ?? {}, models),
        ...(settings.offTheRecord && !encrypted ? [otrNotEncrypted] : []),
      ],
      ...(atHosts.hosts ? { hosts: atHosts.hosts } : {}),
      ...(agents.length === 0 ? {} : { agents }),
      ...(critic ? { critic } : {}),
      ...(encrypted ? { encrypted } : {}),
      estimator: estimatorVersion,
      rules: loopRules,
      ...(hooks.length === 0 ? {} : { hooks }),
      ...place,
      ...(skills.length === 0 ? {} : { skills: [...skills] }),
      ...(Object.keys(sourceDigests).length === 0 ? {} : { sourceDigests }),
    };
    const context = freezeContext(frozen);
    const missing = deps.parts && missingPart(context, deps.parts);
    if (missing !== undefined) throw lacks(deps, missing);
    return withinSize(context);
  };
}

const otrNotEncrypted: ContextWarning = {
  code: 'otr_history_not_encrypted',
  message:
    'The session is off the record, but its history on the Temporal server is not encrypted: messages and tool outputs ' +
    'can be read there. Give client and worker an encryption key to change that.',
};

/** The agent's spec. Throws where the start names what is not here: another worker may have it. */
function assertStart(deps: AssembleContextDeps, input: SessionInput, shelf: Shelf | undefined): AgentSpec {
  const { agents, tools, toolGroups = {}, hooks = new Map(), defaultModel: model, maxMode, parts } = deps;
  // it may come from any language
  const invalid = problemOfFields(input);
  if (invalid !== undefined) throw final('Input.Invalid', invalid);
  const problem = problemOfStart(input, {
    ...{ agents, model, maxMode, tools: new Set(tools.keys()), toolGroups: new Set(Object.keys(toolGroups)) },
    hosts: new Set(deps.hosts?.map(({ name }) => name)),
    ...(shelf ? { skills: new Set(shelf.skills.map(({ name }) => name)) } : {}),
    ...(parts ? { providers: parts.providers, missing: parts.providerAdvice ?? new Map() } : {}),
    problemOfHooks: (named) => problemOfHooks(named, hooks),
  });
  const spec = agents.get(input.agent ?? defaultAgent);
  if (!problem && spec) return withCheckedSchema(spec, input);
  const message = problem?.message ?? '';
  if (problem?.final) throw final(problem.final, message);
  throw lacks(deps, `cannot begin this run. ${message}`);
}

/** Before the first model call is paid for: no answer could be checked by a schema that is none. */
function withCheckedSchema(spec: AgentSpec, input: SessionInput): AgentSpec {
  const { outputSchema } = { ...spec, ...input };
  const problem = outputSchema && problemOfOutputSchema(outputSchema);
  if (problem !== undefined) throw final('Input.Invalid', problem);
  return spec;
}

function ownPlace({ access, machine, parts, artifacts }: AssembleContextDeps): BegunWith {
  return {
    ...(access ? { access } : {}),
    ...(machine ? { machine } : {}),
    functions: [...(parts?.functions ?? [])].sort(),
    artifactStore: artifacts.id,
  };
}

function toSettings(
  spec: AgentSpec,
  input: SessionInput,
  contextWindow: number | undefined,
  maxMode: AgentMode = 'act',
): AgentSettings {
  const mode = milderMode(defaultSettings.mode, maxMode);
  const known = contextWindow === undefined ? {} : { contextWindow };
  const overrides = Object.fromEntries(
    Object.entries(input).filter(([field]) => settingFields.includes(field)),
  );
  const own = Object.fromEntries(Object.entries(spec).filter(([field]) => settingFields.includes(field)));
  const condense = { ...agentDefaults.condense, ...spec.condense, ...input.condense };
  const queues = { ...agentDefaults.queues, ...spec.queues, ...input.queues };
  // who delegates wants to know that the work is not done, not a guess
  const onLimit = input.parent ? 'error' : defaultSettings.onLimit;
  const settings = { ...defaultSettings, mode, onLimit, ...known, ...own, ...overrides, condense, queues };
  return { ...settings, maxResponseTokens: responseTokens(settings) };
}

/** At most a quarter of a window that is known: a reply as long as the window leaves no room for a request. */
function responseTokens({ maxResponseTokens, contextWindow }: AgentSettings): number {
  return contextWindow === 0 ? maxResponseTokens : Math.min(maxResponseTokens, Math.ceil(contextWindow / 4));
}

/** Rules over what was read can only be asked once it was read. */
function tiersOf(
  { policyTiers = {}, access }: AssembleContextDeps,
  { startPolicy = [] }: Pick<FrozenContext, 'startPolicy'>,
): Pick<FrozenContext, 'tiers'> {
  const { classifier, model, calls = 'changes' } = policyTiers;
  const overTags = [...(access?.policy ?? []), ...startPolicy].some(({ tag }) => tag !== undefined);
  const tiers: PolicyTier[] = [
    ...(overTags ? (['rules'] as const) : []),
    ...(classifier ? (['classifier'] as const) : []),
    ...(model === undefined ? [] : (['model'] as const)),
  ];
  return tiers.length === 0 ? {} : { tiers: { tiers, calls } };
}

function withinSize(context: FrozenContext): FrozenContext {
  const size = jsonBytes(context);
  if (size <= maxPayloadBytes) return context;
  const message = `System prompt and tool definitions are ${size} bytes: expected at most ${maxPayloadBytes}. Give the agent fewer tools, shorter instructions or shorter prompt files.`;
  throw final('Input.TooLarge', message);
}

function final(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}

function lacks({ parts }: AssembleContextDeps, what: string): ApplicationFailure {
  return handBack(parts?.identity ?? '', what);
}
