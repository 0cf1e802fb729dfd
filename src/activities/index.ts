// All activities of a worker: the one list of the names that the workflow can schedule.
import type { Activities, ViewPosition } from '../core/model/activity-contracts.ts';
import type { LogRecord } from '../core/model/messages.ts';
import { type Access, memoryFunction } from '../core/model/frozen-context.ts';
import type { HostActivities } from '../core/model/hosts.ts';
import type { SnapshotActivities } from '../core/model/snapshot.ts';
import type { StoredReadActivities } from '../core/model/stored-reads.ts';
import type { PolicyRule } from '../core/model/tool-spec.ts';
import {
  createArchiveSegment,
  createSaveResult,
  createReadOutput,
  createSaveCheckpoint,
} from './storage/save-session.ts';
import type { ArtifactStore } from './storage/artifact-store.ts';
import { type AssembleContextDeps, createAssembleContext } from './context/assemble-context.ts';
import { createAskModel } from './model/ask-model.ts';
import { createAwaitWorker } from './context/await-worker.ts';
import { createCallModel } from './model/call-model.ts';
import { readSnapshot } from './read-snapshot.ts';
import { boardCall } from './board-call.ts';
import type { DeltaBus } from './delta-bus.ts';
import { confirmed } from './confirm-start.ts';
import { createFrozenAccess } from './context/frozen-access.ts';
import { createFrozenContexts } from './context/frozen-contexts.ts';
import { handBackUnknown } from './context/hand-back.ts';
import { withHeartbeat } from './heartbeat.ts';
import { createDescribeHost } from './hosts/describe-host.ts';
import { hostsToAsk, listHostsTool } from './hosts/host-tools.ts';
import { createInspectCalls } from './hosts/inspect-calls.ts';
import { createReadStored } from './storage/read-stored.ts';
import { createLoadCheckpoint } from './storage/load-checkpoint.ts';
import type { Memory } from './memory/memory.ts';
import { createMemoryActivities } from './memory/memory-activities.ts';
import { createRecall } from './memory/recall.ts';
import { createMessageCache } from './context/message-cache.ts';
import { createOwnWorkflow } from './context/own-workflow.ts';
import { createPrepareCalls } from './model/prepare-calls.ts';
import { delegationTools } from './tools/delegation-tools.ts';
import { createResolveToolGroups, loadToolsTool } from './tools/tool-groups.ts';
import type { RegisteredTool } from './tools/define-tool.ts';
import type { ModelProvider } from './model/providers/model-provider.ts';
import type { Projections } from './model/model-request.ts';
import type { ModelHooks } from './model/providers/request-hooks.ts';
import type { Redactor } from './redaction/redaction.ts';
import { createToolActivities, type ToolActivity } from './tools/run-tool.ts';
import type { Classify } from './policy/classifier.ts';
import { createEvaluatePolicy } from './policy/evaluate-policy.ts';
import { createRunHook } from './hooks/run-hook.ts';
import { createCompleteReport } from './report/complete-report.ts';
import { createDescribeReport } from './report/describe-report.ts';
import { createFindReflections } from './reflection/find-reflections.ts';
import { createWriteReflection } from './reflection/write-reflection.ts';
import { createSummarize } from './model/summarize.ts';
import { createTranscripts } from './context/transcript.ts';
import type { Transcripts } from './context/transcript.ts';
import { withAnsweredBeside } from './context/answered-beside.ts';
import type { WorkerParts } from './context/worker-parts.ts';
import { createReadSkills } from './skills/read-skills.ts';
import type { SendDeps } from './model/send.ts';
import { createKeepRefused, loadImage } from './model/request-artifacts.ts';

export type ActivityDeps = Omit<AssembleContextDeps, 'parts'> & {
  /** Names this worker to people. */
  identity: string;
  /** Holdfast's own folder, for notes of agents; absolute. */
  dir: string;
  providers: ReadonlyMap<string, ModelProvider>;
  /** Advice on a missing provider, by its name. */
  providerAdvice?: ReadonlyMap<string, string>;
  policy: PolicyRule[];
  /** This worker's tools by name, made so that they reach only what lies in `frozen` as well. */
  toolsWithin?: (frozen: Access) => ReadonlyMap<string, RegisteredTool>;
  artifacts: ArtifactStore;
  /** The most that is kept of one output. */
  maxOutputBytes?: number | undefined;
  redactor: Redactor;
  deltaBus: DeltaBus;
  /** The provider's key, read anew for every attempt; empty or absent leaves the configured one. */
  resolveApiKey?: (provider: string) => Promise<string | undefined>;
  /** Around every HTTP request of a model call. */
  modelHooks?: ModelHooks;
  projections?: Projections;
  /** Absent: nothing is remembered. */
  memory?: Memory | undefined;
  /** Where people see a session in the Temporal UI; absent: no address of it is known. */
  uiAddressOf?: ((sessionId: string) => string) | undefined;
  /** The classifier tier of the policy. */
  classify?: Classify | undefined;
};

export type WorkerActivities = Activities &
  StoredReadActivities &
  SnapshotActivities &
  Record<`tool.${string}` | `reconcile.${string}`, ToolActivity> & {
    /** Takes what has no activity of its own here. */
    default(): Promise<never>;
  };

export function createActivities(deps: ActivityDeps): WorkerActivities {
  const { artifacts, tools, policy, maxMode, redactor, deltaBus, access, identity } = deps;
  const cache = createMessageCache();
  const transcripts = createTranscripts({ cache, artifacts });
  const skillTools = deps.skills?.tools ?? [];
  const callable = new Map([
    ...tools,
    ...[loadToolsTool, listHostsTool, ...skillTools, ...delegationTools].map(
      (tool) => [tool.spec.name, tool] as const,
    ),
  ]);
  const prepare = createPrepareCalls({ tools: callable, policy, maxMode, redactor });
  const parts = partsOf(deps, [...callable.keys()]);
  const contexts = createFrozenContexts(parts);
  const named = [...deps.agents.values()].flatMap(({ reflectionDir }) => reflectionDir || []);
  const places = { root: deps.dir, named };
  const frozenAccess = createFrozenAccess({ ...deps, contexts });
  const assembleContext = createAssembleContext({
    ...{ ...deps, parts },
    recall: deps.memory && createRecall(deps.memory, redactor),
  });
  const send: SendDeps = {
    providers: deps.providers,
    keepRefused: createKeepRefused({ artifacts, redactor }),
    redactor,
    ...(deps.modelHooks ? { hooks: deps.modelHooks } : {}),
    loadImage: (sessionId, image) => loadImage(artifacts, sessionId, image),
    ...(deps.resolveApiKey ? { resolveApiKey: deps.resolveApiKey } : {}),
  };
  return {
    ...createToolActivities({
      tools: new Map([...tools, ...skillTools.map((tool) => [tool.spec.name, tool] as const)]),
      ...{ policy, artifacts, redactor, cache, bus: deltaBus },
      maxOutputBytes: deps.maxOutputBytes,
      frozenAccess,
      readLog: readLogOf(transcripts),
    }),
    assembleContext: withHeartbeat(askingHosts(assembleContext, deps.hosts)),
    awaitWorker: createAwaitWorker({ contexts, parts, tools, frozenAccess, assembleContext }),
    default: () => Promise.reject(handBackUnknown(identity)),
    callModel: createCallModel({
      ...{ ...send, ...deps.projections, transcripts, cache, deltaBus, artifacts, contexts, access },
      prepareCalls: prepare,
    }),
    runHook: createRunHook({ hooks: deps.hooks ?? new Map(), transcripts, redactor, contexts }),
    evaluatePolicy: createEvaluatePolicy({
      ...send,
      maxMode: deps.maxMode,
      tools: callable,
      policy,
      contexts,
      classify: deps.classify,
    }),
    summarize: createSummarize({ ...send, transcripts, contexts }),
    askModel: createAskModel({ ...send, transcripts, contexts }),
    ...createMemoryActivities({ artifacts, redactor, contexts, identity, memory: deps.memory }),
    resolveToolGroups: withHeartbeat(createResolveToolGroups({ ...deps, contexts })),
    describeReport: withHeartbeat(createDescribeReport({ artifacts })),
    writeReflection: withHeartbeat(createWriteReflection({ places, redactor })),
    findReflections: withHeartbeat(createFindReflections({ places, redactor })),
    boardCall: withHeartbeat(confirmed(boardCall)),
    readSkills: withHeartbeat(createReadSkills({ artifacts, skills: deps.skills, contexts })),
    archiveSegment: withHeartbeat(createArchiveSegment({ artifacts, transcripts })),
    readOutput: withHeartbeat(createReadOutput({ transcripts })),
    completeReport: withHeartbeat(
      createCompleteReport({
        ...{ artifacts, transcripts, redactor, tools: callable },
        uiAddressOf: deps.uiAddressOf,
      }),
    ),
    saveResult: withHeartbeat(createSaveResult({ artifacts, transcripts })),
    saveCheckpoint: withHeartbeat(createSaveCheckpoint({ artifacts, transcripts })),
    readSnapshot: withHeartbeat(readSnapshot),
    readStored: withHeartbeat(createReadStored({ artifacts })),
    loadCheckpoint: withHeartbeat(
      createLoadCheckpoint({ artifacts, searchAttributes: deps.searchAttributes, agents: deps.agents }),
    ),
  };
}

/** What a worker of a host has in place of the activities of sessions: the tools of its machine. */
export type HostWorkerActivities = HostActivities &
  Record<`tool.${string}` | `reconcile.${string}`, ToolActivity> & { default(): Promise<never> };

export function createHostActivities(
  { artifacts, maxOutputBytes, tools, policy, redactor, deltaBus, identity }: ActivityDeps,
  host: string,
): HostWorkerActivities {
  const cache = createMessageCache();
  const transcripts = createTranscripts({ cache, artifacts });
  const contexts = createFrozenContexts();
  return {
    ...createToolActivities({
      ...{ tools, policy, artifacts, maxOutputBytes, redactor, cache, host, bus: deltaBus },
      // its folders and hosts are its own: nothing is compared with those of the session's workers
      frozenAccess: createFrozenAccess({ contexts, identity }),
      readLog: readLogOf(transcripts),
    }),
    describeHost: createDescribeHost({ tools, policy }),
    inspectCalls: withHeartbeat(createInspectCalls({ host, tools, policy, contexts, redactor })),
    default: () => Promise.reject(handBackUnknown(identity)),
  };
}

/** What a tool reads of the session so far. */
function readLogOf(
  transcripts: Transcripts,
): (sessionId: string, view: ViewPosition) => Promise<LogRecord[]> {
  return async (sessionId, { toSeq }) => {
    const workflow = createOwnWorkflow();
    return withAnsweredBeside(await transcripts.readLog(sessionId, { toSeq }, workflow), workflow);
  };
}

/** In place of a context whose agent works on hosts that were not asked yet: those hosts. */
function askingHosts(
  assembleContext: ReturnType<typeof createAssembleContext>,
  hosts: ActivityDeps['hosts'],
): Activities['assembleContext'] {
  return async (input) => {
    const context = await assembleContext(input);
    const askHosts = input.hosts === undefined ? hostsToAsk(hosts, context.settings) : [];
    return askHosts.length === 0 ? context : { askHosts };
  };
}

function partsOf(deps: ActivityDeps, tools: string[]): WorkerParts {
  const {
    identity,
    toolGroups = {},
    hooks,
    providers,
    providerAdvice,
    projections,
    modelHooks,
    classify,
    memory,
  } = deps;
  return {
    ...{ identity, tools: new Set(tools), toolGroups: new Set(Object.keys(toolGroups)) },
    ...{ hooks: new Set(hooks?.keys()), providers: new Set(providers.keys()) },
    functions: new Set([
      ...Object.keys({ ...projections, ...modelHooks }),
      ...(classify ? ['policyClassifier'] : []),
      ...(memory ? [memoryFunction] : []),
    ]),
    ...(providerAdvice ? { providerAdvice } : {}),
  };
}
