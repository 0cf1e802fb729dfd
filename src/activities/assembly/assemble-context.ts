// The activity assembleContext freezes a run: spec, defaults and start input become one context with a digest. Everything
// that differs between workers is settled here, once. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { ApplicationFailure } from '@temporalio/common';
import type { AssembleContextInput, BegunWith } from '@holdfast/vocabulary/activity-contracts';
import type { HostToAsk } from '@holdfast/vocabulary/hosts';
import type { Access, ContextWarning, FrozenContext, Machine } from '@holdfast/vocabulary/frozen-context';
import {
  defaultSettings,
  type AgentOptionValues,
  type AgentSettings,
  type AgentSpec,
} from '@holdfast/vocabulary/agent-spec';
import { mergeOptions, modelOptions, toSettings } from '@holdfast/vocabulary/merge-options';
import { estimatorVersion } from '@holdfast/view/estimate';
import { viewReducers } from '@holdfast/view/reducers/table';
import { problemOfFields } from '../../core/session/session-input.schema.ts';
import { type SessionInput, defaultAgent } from '@holdfast/vocabulary/session-input';
import { fieldsOf } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import type { AgentMode, PolicyTier } from '@holdfast/vocabulary/tool-spec';
import { rulesOfStart } from '../../core/tools/access.ts';
import { heldBy } from '../../core/tools/limits-now.ts';
import { milderMode } from '../../core/tools/modes.ts';
import { skillsOfRun } from '../skills/freeze-skills.ts';
import { emptyShelf, type Shelf } from '../skills/skill-shelf.ts';
import { type AgentsOfRunDeps, createAgentsOfRun } from './agents-of-run.ts';
import type { WorkerSkills } from './worker-skills.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import type { RegisteredHook } from '../hooks/hook-definition.ts';
import { withHostTools } from '../hosts/host-tools.ts';
import { type Recall, recallForPrompt } from '../notes/recall.ts';
import { handBack } from '../base/hand-back.ts';
import { createOwnWorkflow } from '../base/own-workflow.ts';
import { problemOfHooks, resolveHooks } from '../hooks/resolve-hooks.ts';
import { criticOf, listAgents } from '../../core/agent/delegation/registry.ts';
import { withinParent } from '../../core/agent/delegation/within-parent.ts';
import { applyProfile } from '../../core/agent/profiles.ts';
import { problemOfStart } from '../../core/agent/start.ts';
import { problemOfOutputSchema } from '../model/check-output.ts';
import { lookUpModel } from '../model/cost.ts';
import { freezeContext } from '../context/frozen-contexts.ts';
import { type ModelDeps, otherModels, priceWarnings, toModelRef } from './frozen-models.ts';
import { type SourceDigests, digestsUsed } from '../tools/frozen-access.ts';
import { type ToolGroupDeps, toToolSpecs } from '../tools/tool-groups.ts';
import { type PromptSources, promptOf } from './prompt-parts.ts';
import { delegationSpecs } from '../tools/delegation-tools.ts';
import { missingPart } from '../context/worker-parts.ts';
import { takeName } from '../storage/take-name.ts';

export type AssembleContextDeps = ToolGroupDeps &
  ModelDeps &
  AgentsOfRunDeps &
  Pick<PromptSources, 'readPromptFiles' | 'parts'> & {
    /** `<provider>:<model id>` for agents that name none. */
    defaultModel: string;
    hosts?: readonly HostToAsk[] | undefined;
    hooks?: ReadonlyMap<string, RegisteredHook>;
    artifacts: ArtifactStore;
    /** Attributes registered on the server. */
    searchAttributes: readonly string[];
    /** The highest mode that an agent may run in without asking. Absent: no limit. */
    maxMode?: AgentMode | undefined;
    /** True if payloads are encrypted before they reach the server. Default: false. */
    encrypted?: boolean | undefined;
    /** The access that this worker gives its tools. */
    access?: Access | undefined;
    /** The worker's machine, for the prompt. Absent: the prompt has none. */
    machine?: Machine | undefined;
    sourceDigests?: SourceDigests | undefined;
    /** The skills of the worker's configuration; absent without any. */
    skills?: WorkerSkills | undefined;
    /** Finds notes that fit a text; absent if memory is off. */
    recall?: Recall | undefined;
  };

/**
 * Fails finally with type Input.Invalid, Input.ModeRefused, Input.UnknownHook (its parameters) or Input.TooLarge. Hands
 * the task back for an agent, tool, group, hook, view reducer or provider that only another worker may have.
 */
export function createAssembleContext(
  worker: AssembleContextDeps,
): (input: AssembleContextInput) => Promise<FrozenContext> {
  const { encrypted = false } = worker;
  const agentsOfRun = createAgentsOfRun(worker);
  return async function assembleContext(start) {
    const { input, loadedGroups = [], loadedSkills = [], begun, hosts, plan } = start;
    const agent = input.agent ?? defaultAgent;
    const deps = { ...worker, agents: await agentsOfRun(start) };
    // a run that has begun keeps its skills, as it keeps its prompt
    const shelf = begun?.prompt ? undefined : ((await deps.skills?.read()) ?? emptyShelf);
    const spec = assertStart(begun ? { ...deps, maxMode: 'act' } : deps, input, shelf);
    const profiled = applyProfile(spec, input.profile);
    const asked = mergeOptions(profiled, input);
    const { hooks, options } = resolveHooks(asked.hooks ?? [], deps.hooks ?? new Map());
    const named = modelOptions(asked);
    const model = toModelRef(named.name ?? deps.defaultModel);
    const facts = lookUpModel(model, deps.models);
    const { modes, prompt: _, sourceDigests: begunDigests, ...place } = begun ?? ownPlace(deps);
    const own = settingsOf([profiled, options, input], {
      mode: milderMode(defaultSettings.mode, deps.maxMode ?? 'act'),
      model: defined({ contextWindow: facts.contextWindow }),
      // a delegating agent needs to know that the work is not done, not a guess
      loop: defined({ onLimit: input.parent && 'error' }),
    });
    const settings = { ...(input.parent ? withinParent(own, input.parent) : own), ...modes };
    const sessionId = await takeName(deps.artifacts, start, !settings.offTheRecord);
    const depth = input.parent?.depth ?? 0;
    const agents = listAgents(settings.delegation, { self: agent, depth }, deps.agents);
    const critic = depth === 0 ? criticOf(settings.delegation, agent, deps.agents) : undefined;
    const sourceDigests = { ...digestsUsed(settings, deps), ...begunDigests };
    const {
      skills,
      readSkills,
      warnings: ofSkills,
    } = await skillsOfRun(deps, { sessionId, settings, loaded: loadedSkills, shelf, begun: begun?.skills });
    if (skills.length > 0 && !deps.skills) throw lacks(deps, 'has no skills: this run began with some.');
    const ownTools = toToolSpecs(deps, settings, {
      loadedGroups,
      hasSkills: skills.length > 0,
      ofDelegation: delegationSpecs(depth, agents),
    });
    const atHosts: Partial<Pick<FrozenContext, 'tools' | 'hosts' | 'warnings'>> =
      hosts === undefined ? {} : withHostTools(ownTools, hosts, settings);
    const { tools = ownTools, warnings = [] } = atHosts;
    const run = { agent, spec: asked, input, settings, tools, agents, plan };
    const { notes, warnings: ofMemory } = await recallForPrompt(
      begun?.prompt ? undefined : deps.recall,
      settings,
      createOwnWorkflow,
    );
    const models = { model, ...defined({ prices: facts.prices }), ...otherModels(deps, named) };
    const frozen = {
      agent,
      ...defined({ description: spec.description }),
      ...(await promptOf(run, { ...deps, readSkills, ...defined({ notes }) }, begun)),
      tools,
      ...models,
      ...tiersOf(deps, rulesOfStart(input)),
      // the main model decides: a fallback of another provider runs on the same queue
      ...defined({ modelTaskQueue: deps.modelQueues?.[model.provider] }),
      ...rulesOfStart(input),
      // the prompt has the text; every history would pay for a second copy
      settings: { ...settings, instructions: '' },
      searchAttributes: [...deps.searchAttributes],
      warnings: present([
        ...warnings,
        ...ofSkills,
        ...ofMemory,
        ...priceWarnings(settings.budget, models),
        settings.offTheRecord && !encrypted && otrNotEncrypted,
      ]),
      estimator: estimatorVersion,
      ...heldBy(agent, spec, own, { ...deps, above: input.parent?.within.modeOf }),
      ...place,
      ...defined({
        hosts: atHosts.hosts,
        window: input.window,
        top: depth === 0 ? undefined : topOf(sessionId, depth),
        above: input.parent?.within.agents,
        agents: unlessEmpty(agents),
        critic,
        encrypted: encrypted || undefined,
        hooks: unlessEmpty(hooks),
        skills: unlessEmpty([...skills]),
        sourceDigests: unlessEmpty(sourceDigests),
      }),
    };
    const context = freezeContext(frozen);
    const missing = deps.parts && missingPart(context, deps.parts);
    if (missing !== undefined) throw lacks(deps, missing);
    return withinSize(sessionId === start.sessionId ? context : { ...context, storedAs: sessionId });
  };
}

const otrNotEncrypted: ContextWarning = {
  code: 'otr_history_not_encrypted',
  message:
    'The session is off the record, but its history on the Temporal server is not encrypted: messages and tool outputs ' +
    'can be read there. Give client and worker an encryption key to change that.',
};

/** A subagent's id is that of its parent, a slash, and its name, which has none. */
function topOf(sessionId: string, depth: number): string {
  return sessionId.split('/').slice(0, -depth).join('/');
}

/** The agent's spec. Throws if the start names a part that this worker lacks; another may have it. */
function assertStart(deps: AssembleContextDeps, input: SessionInput, shelf: Shelf | undefined): AgentSpec {
  const { agents, tools, toolGroups = {}, hooks = new Map(), defaultModel: model, maxMode, parts } = deps;
  const reducer = newerReducer(input);
  if (reducer !== undefined) throw lacks(deps, `has no view reducer ${JSON.stringify(reducer)}.`);
  // it may come from any language
  const invalid = problemOfFields(input);
  if (invalid !== undefined) throw final('Input.Invalid', invalid);
  const problem = problemOfStart(input, {
    agents,
    model,
    maxMode,
    tools: new Set(tools.keys()),
    toolGroups: new Set(Object.keys(toolGroups)),
    hosts: new Set(deps.hosts?.map(({ name }) => name)),
    ...defined({
      skills: shelf && new Set(shelf.skills.map(({ name }) => name)),
      providers: parts?.providers,
      missing: parts && (parts.providerAdvice ?? new Map()),
    }),
    problemOfHooks: (named) => problemOfHooks(named, hooks),
  });
  const spec = agents.get(input.agent ?? defaultAgent);
  if (!problem && spec) return withCheckedSchema(spec, input);
  const message = problem?.message ?? '';
  if (problem?.final) throw final(problem.final, message);
  throw lacks(deps, `cannot begin this run. ${message}`);
}

/** A view reducer that only a worker of another version may have. The input is not checked yet. */
function newerReducer({ condense }: SessionInput): string | undefined {
  const reducers: readonly unknown[] = Array.isArray(condense?.reducers) ? condense.reducers : [];
  return reducers
    .map((each) => fieldsOf(each)['name'])
    .filter((name) => typeof name === 'string')
    .find((name) => !Object.hasOwn(viewReducers, name));
}

/** Checked before the first model call is paid for: an invalid schema could check no answer. */
function withCheckedSchema(spec: AgentSpec, input: SessionInput): AgentSpec {
  const { outputSchema } = { ...spec, ...input };
  const problem = outputSchema && problemOfOutputSchema(outputSchema);
  if (problem !== undefined) throw final('Input.Invalid', problem);
  return spec;
}

function ownPlace({ access, machine, parts, artifacts }: AssembleContextDeps): BegunWith {
  return {
    // a copy: the worker's own changes with its agents
    ...defined({ access: access && { ...access }, machine }),
    functions: [...(parts?.functions ?? [])].sort(),
    artifactStore: artifacts.id,
  };
}

/** Merges options, each over the one before it, from the worker's to those of the start. */
function settingsOf(options: readonly AgentOptionValues[], known: AgentOptionValues): AgentSettings {
  const settings = toSettings(options.reduce(mergeOptions, known));
  return { ...settings, model: { ...settings.model, maxResponseTokens: responseTokens(settings.model) } };
}

/** At most a quarter of a known window: a reply as long as the window leaves no room for a request. */
function responseTokens({ maxResponseTokens, contextWindow }: AgentSettings['model']): number {
  return contextWindow === 0 ? maxResponseTokens : Math.min(maxResponseTokens, Math.ceil(contextWindow / 4));
}

/** Rules about material that was read can only be asked after reading. */
function tiersOf(
  { policyTiers = {}, access }: AssembleContextDeps,
  { startPolicy = [] }: Pick<FrozenContext, 'startPolicy'>,
): Pick<FrozenContext, 'tiers'> {
  const { classifier, model, calls = 'changes' } = policyTiers;
  const overTags = [...(access?.policy ?? []), ...startPolicy].some(({ tag }) => tag !== undefined);
  const tiers: PolicyTier[] = present([
    overTags && 'rules',
    classifier && 'classifier',
    model !== undefined && 'model',
  ]);
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
