// All activities of a worker: the single list of names that the workflow can schedule.
import { resolveNames } from '@holdfast/stored/session-names';
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import type { Activities } from '@holdfast/vocabulary/activity-table';
import type { SnapshotActivities } from '@holdfast/vocabulary/snapshot';
import { type Access, memoryFunction } from '@holdfast/vocabulary/frozen-context';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { createSavingActivities } from './context/save-session.ts';
import { createAlertActivities } from './alerts/alert-activities.ts';
import type { BehindStore } from './storage/behind-store.ts';
import { createDeliver } from './delivery/deliver.ts';
import type { Destinations } from './delivery/destinations.ts';
import { type AssembleContextDeps, createAssembleContext } from './assembly/assemble-context.ts';
import { createAskModel } from './model/ask-model.ts';
import { createAwaitWorker } from './assembly/await-worker.ts';
import { createCallModel } from './model/call-model.ts';
import { readSnapshot } from './context/read-snapshot.ts';
import { createBoardCall } from './tools/board-call.ts';
import type { OwnTaskBoards } from './tools/own-task-board.ts';
import type { DeltaBus } from './base/delta-bus.ts';
import { confirmed } from './base/confirm-start.ts';
import { createFrozenAccess } from './tools/frozen-access.ts';
import { createFrozenContexts } from './context/frozen-contexts.ts';
import { handBackUnknown } from './base/hand-back.ts';
import { withHeartbeat } from './base/heartbeat.ts';
import { listHostsTool } from './hosts/host-tools.ts';
import { hostsOf } from '../core/tools/hosts.ts';
import { createReadStored } from './storage/read-stored.ts';
import { createLoadCheckpoint } from './context/load-checkpoint.ts';
import type { OpenNotes } from './storage/note-store.ts';
import type { Memory } from './notes/memory.ts';
import { createMemoryActivities } from './notes/memory-activities.ts';
import { createKnownNotes, createRecall } from './notes/recall.ts';
import { createMessageCache } from './base/message-cache.ts';
import { createPrepareCalls } from './model/prepare-calls.ts';
import { delegationTools } from './tools/delegation-tools.ts';
import { createResolveToolGroups, loadToolsTool } from './tools/tool-groups.ts';
import type { RegisteredTool } from './tools/define-tool.ts';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import type { Projections } from './model/projections.ts';
import type { ModelHooks } from '@holdfast/providers/request-hooks';
import type { Redactor } from '@holdfast/redaction/redaction';
import { createToolActivities, type ToolActivity } from './tools/run-tool.ts';
import type { Classify } from './policy/classifier.ts';
import { createEvaluatePolicy } from './policy/evaluate-policy.ts';
import { createRunHook } from './hooks/run-hook.ts';
import { createCompleteReport } from './report/complete-report.ts';
import { createDescribeReport } from './report/describe-report.ts';
import { createWithModel } from './model/side-request.ts';
import { createSummarize } from './model/summarize.ts';
import { createTranscripts } from './context/transcript.ts';
import { createReadLog, createReadLogOf } from './context/answered-beside.ts';
import type { WorkerParts } from './context/worker-parts.ts';
import { createReadSkills } from './skills/read-skills.ts';
import type { SendDeps } from './model/send.ts';
import { createKeepRefused, loadImage } from './model/request-artifacts.ts';

export type ActivityDeps = Omit<AssembleContextDeps, 'parts'> & {
  identity: string;
  /** Holdfast's own folder, for notes of agents; absolute. */
  dir: string;
  providers: ReadonlyMap<string, ModelProvider>;
  /** The remedy for a missing provider, by its name. */
  providerAdvice?: ReadonlyMap<string, string>;
  policy: PolicyRule[];
  /** This worker's tools by name, limited to `frozen`. */
  toolsWithin?: (frozen: Access) => ReadonlyMap<string, RegisteredTool>;
  artifacts: BehindStore;
  /** Limit of one stored output, in bytes. */
  maxOutputBytes?: number | undefined;
  redactor: Redactor;
  deltaBus: DeltaBus;
  /** The provider's key, read again for every attempt; empty or absent leaves the configured one. */
  resolveApiKey?: (provider: string) => Promise<string | undefined>;
  /** Called around every HTTP request of a model call. */
  modelHooks?: ModelHooks;
  projections?: Projections;
  /** Absent if memory is off. */
  memory?: Memory | undefined;
  /** Absent if the config has no notes. */
  openNotes?: OpenNotes | undefined;
  /** Address of a session in the Temporal UI; absent if the UI's address is unknown. */
  uiAddressOf?: ((sessionId: string) => string) | undefined;
  classify?: Classify | undefined;
  /** The places that get messages of sessions, by name. */
  destinations?: Destinations;
  /** Trackers of the configuration, by the names of their boards. */
  taskBoards?: OwnTaskBoards;
};

export type WorkerActivities = Activities &
  SnapshotActivities &
  Record<`tool.${string}` | `reconcile.${string}`, ToolActivity> & {
    /** Receives tasks of activities that are not registered here. */
    default(): Promise<never>;
  };

export function createActivities(deps: ActivityDeps): WorkerActivities {
  const shared = toShared(deps);
  return {
    ...toolActivities(deps, shared),
    ...beginningActivities(deps, shared),
    ...modelActivities(deps, shared),
    ...memoryActivities(deps, shared),
    ...storedActivities(shared),
    ...reportActivities(deps, shared),
    ...createAlertActivities(deps),
    deliver: withHeartbeat(createDeliver({ destinations: new Map(), ...deps })),
    boardCall: withHeartbeat(confirmed(createBoardCall(deps.taskBoards))),
    default: () => Promise.reject(handBackUnknown(deps.identity)),
  };
}

type Shared = ReturnType<typeof toShared>;

/** Dependencies that several activities share. */
function toShared(deps: ActivityDeps) {
  const { artifacts, tools, redactor, identity, policy, agents, toolGroups, maxMode } = deps;
  const cache = createMessageCache();
  const skillTools = deps.skills?.tools ?? [];
  const others = [loadToolsTool, listHostsTool, ...skillTools, ...delegationTools];
  const callable = new Map([...tools, ...others.map((tool) => [tool.spec.name, tool] as const)]);
  const parts = partsOf(deps, [...callable.keys()]);
  const contexts = createFrozenContexts(parts);
  const send: SendDeps = {
    providers: deps.providers,
    keepRefused: createKeepRefused({ artifacts, redactor }),
    redactor,
    ...defined({ hooks: deps.modelHooks, resolveApiKey: deps.resolveApiKey }),
    around: { artifacts, redactor, notes: deps.openNotes, hooks: deps.hooks ?? new Map() },
    loadImage: (sessionId, image) => loadImage(artifacts, sessionId, image),
  };
  return {
    identity,
    artifacts,
    redactor,
    cache,
    skillTools,
    callable,
    prepareCalls: createPrepareCalls({ agents, toolGroups, maxMode, tools: callable, policy, redactor }),
    parts,
    contexts,
    send,
    transcripts: createTranscripts({ cache, artifacts }),
    frozenAccess: createFrozenAccess({ ...deps, contexts }),
    recall: deps.memory && createRecall(deps.memory, redactor),
  };
}

function toolActivities(deps: ActivityDeps, { skillTools, transcripts, ...shared }: Shared) {
  return createToolActivities({
    ...shared,
    tools: new Map([...deps.tools, ...skillTools.map((tool) => [tool.spec.name, tool] as const)]),
    bus: deps.deltaBus,
    maxOutputBytes: deps.maxOutputBytes,
    readLog: createReadLog(transcripts),
  });
}

/** The start of a run, and the parts that it loads later. */
function beginningActivities(deps: ActivityDeps, shared: Shared) {
  const { parts, redactor, contexts, artifacts, transcripts, send, recall } = shared;
  const assembleContext = createAssembleContext({ ...deps, parts, recall });
  const { searchAttributes, agents, hooks = new Map() } = deps;
  return {
    assembleContext: withHeartbeat(askingHosts(assembleContext, deps.hosts)),
    awaitWorker: createAwaitWorker({ ...shared, tools: deps.tools, assembleContext }),
    resolveToolGroups: withHeartbeat(createResolveToolGroups({ ...deps, contexts })),
    readSkills: withHeartbeat(createReadSkills({ artifacts, skills: deps.skills, contexts })),
    loadCheckpoint: withHeartbeat(createLoadCheckpoint({ artifacts, searchAttributes, agents })),
    runHook: createRunHook({
      hooks,
      transcripts,
      redactor,
      contexts,
      artifacts,
      notes: deps.openNotes,
      withModel: createWithModel(send),
    }),
  };
}

function modelActivities(deps: ActivityDeps, shared: Shared) {
  const { send, contexts, callable, recall, prepareCalls } = shared;
  const { policy, access, deltaBus, classify, agents, toolGroups, maxMode } = deps;
  const now = { agents, toolGroups, maxMode };
  const knownNotes = recall && createKnownNotes(recall);
  return {
    callModel: createCallModel({ ...send, ...deps.projections, ...shared, deltaBus, access, prepareCalls }),
    evaluatePolicy: createEvaluatePolicy({ ...send, ...now, tools: callable, policy, contexts, classify }),
    summarize: createSummarize({ ...send, ...shared }),
    askModel: createAskModel({ ...send, ...shared, knownNotes }),
  };
}

function memoryActivities({ memory, dir, agents, deletedAgents = new Map() }: ActivityDeps, shared: Shared) {
  const places = {
    root: dir,
    // asked for each note: agents change while a worker runs
    get named() {
      const all = [...deletedAgents.values(), ...agents.values()];
      return all.flatMap(({ delegation }) => delegation?.reflectionDir || []);
    },
  };
  return createMemoryActivities({ ...shared, memory, places });
}

function storedActivities({ artifacts, transcripts }: Shared) {
  const saving = createSavingActivities(artifacts, transcripts);
  return {
    archiveSegment: withHeartbeat(flushed(artifacts, saving.archiveSegment)),
    readOutput: withHeartbeat(saving.readOutput),
    saveResult: withHeartbeat(flushed(artifacts, saving.saveResult)),
    saveCheckpoint: withHeartbeat(flushed(artifacts, saving.saveCheckpoint)),
    readSnapshot: withHeartbeat(readSnapshot),
    readStored: withHeartbeat(
      createReadStored({ artifacts: resolveNames(artifacts), readLog: createReadLogOf(transcripts) }),
    ),
  };
}

/** Ends the open writes of the session first: what the body stores is then the newest of it. */
function flushed<Input extends { sessionId: string; storedAs?: string }, Output>(
  artifacts: BehindStore,
  body: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    await artifacts.flush(input.storedAs ?? input.sessionId);
    return body(input);
  };
}

function reportActivities(
  { uiAddressOf }: ActivityDeps,
  { artifacts, transcripts, redactor, callable, prepareCalls }: Shared,
) {
  const deps = { artifacts, transcripts, redactor, tools: callable, prepareCalls, uiAddressOf };
  return {
    completeReport: withHeartbeat(flushed(artifacts, createCompleteReport(deps))),
    describeReport: withHeartbeat(createDescribeReport(deps)),
  };
}

/** Returns the hosts to ask instead of a context, while the agent has hosts that were not asked yet. */
function askingHosts(
  assembleContext: ReturnType<typeof createAssembleContext>,
  hosts: ActivityDeps['hosts'],
): Activities['assembleContext'] {
  return async (input) => {
    const context = await assembleContext(input);
    const askHosts = input.hosts === undefined ? hostsOf(hosts ?? [], context.settings.hosts) : [];
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
    identity,
    tools: new Set(tools),
    toolGroups: new Set(Object.keys(toolGroups)),
    hooks: new Set(hooks?.keys()),
    providers: new Set(providers.keys()),
    functions: new Set(
      present([
        ...Object.keys({ ...projections, ...modelHooks }),
        classify && 'policyClassifier',
        memory && memoryFunction,
      ]),
    ),
    ...defined({ providerAdvice }),
  };
}
