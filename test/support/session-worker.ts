// A worker of the session workflow with the real activities and the shipped options, from a model and tools as
// objects. Knows no test runner: also child processes and the recorder of histories use it.
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import { z } from 'zod';
import type { ArtifactStore } from '../../src/activities/storage/artifact-store.ts';
import { createBehindStore } from '../../src/activities/storage/behind-store.ts';
import { createDeltaBus, type DeltaBus } from '../../src/activities/base/delta-bus.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import type { RegisteredHook } from '../../src/activities/hooks/hook-definition.ts';
import { withHeartbeat } from '../../src/activities/base/heartbeat.ts';
import { createHostActivities } from '../../src/activities/host-activities.ts';
import { type ActivityDeps, createActivities, type WorkerActivities } from '../../src/activities/index.ts';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import { createClassifier } from '../../src/activities/policy/classifier.ts';
import type { PolicyTiers } from '../../src/activities/policy/policy-tiers.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { defineTool, type RegisteredTool } from '../../src/activities/tools/define-tool.ts';
import { dataConverterOf, type EncryptionKeys } from '../../src/codec/payload-codec.ts';
import type { AssembleContextInput } from '@holdfast/vocabulary/activity-contracts';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import { withPatience } from '../../src/core/agent/profiles.ts';
import { starterAgents } from '../../src/worker/agents.ts';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { hostQueue } from '../../src/core/tools/hosts.ts';
import { openTracing } from '../../src/worker/telemetry/tracing.ts';
import { readerSinks, tuneWorker } from '../../src/worker/worker-options.ts';
import {
  type BundleSetting,
  getWorkflowBundle,
  type WorkflowCode,
} from '../../src/worker/workflow-bundle.ts';
import { countWorker } from './suite/started.ts';

export type SessionWorkerOptions = {
  model: ModelProvider;
  /** Default: `echo`. */
  tools?: RegisteredTool[];
  policy?: PolicyRule[];
  policyTiers?: PolicyTiers;
  /** Beside `model`. */
  otherModels?: ModelProvider[];
  hooks?: RegisteredHook[];
  /** Of `tester`, over its few settings. */
  agent?: Partial<AgentSpec>;
  /** Beside `tester`, by name; each with all the tools, where it names none. */
  agents?: Record<string, Partial<AgentSpec>>;
  /** Default: `test-worker`. */
  identity?: string;
  /** Names of the hosts of its configuration. */
  hosts?: string[];
  /** What it opens to its tools; absent: nothing is compared. */
  access?: ActivityDeps['access'];
  /** Digests of the settings of its toolsets and MCP servers; absent: nothing is compared. */
  sourceDigests?: ActivityDeps['sourceDigests'];
  /** Tools outside the agent's own list, by group. */
  toolGroups?: Record<string, string[]>;
  skills?: ActivityDeps['skills'];
  /** What it remembers; absent: nothing. */
  memory?: ActivityDeps['memory'];
  projections?: ActivityDeps['projections'];
  /** Where its sessions deliver; default: nowhere. */
  destinations?: ActivityDeps['destinations'];
  /** Where watchers of this process see live pieces. Default: a bus that nobody watches. */
  deltaBus?: DeltaBus;
  searchAttributes?: string[];
  secrets?: string[];
  /** Of the payload codec; default: nothing is encrypted. */
  encryption?: EncryptionKeys | undefined;
  /** Prices and windows, by `provider:model`. */
  models?: ActivityDeps['models'];
  /** Task queues of model calls, by provider. */
  modelQueues?: Record<string, string>;
  /** Default: the file store of the bench. */
  artifacts?: ArtifactStore;
  /** Runs before bytes are stored: a place inside archiveSegment, saveResult and every tool. */
  beforePut?: (artifactId: string, sessionId: string) => Promise<void>;
  /** With Temporal's interceptors for OpenTelemetry; its spans go nowhere. */
  traced?: boolean;
  /** Errors and promises of workflow code have stacks. */
  stacks?: boolean;
  /** Of its identity. */
  workerId?: string;
  /** Runs before the context is assembled. */
  beforeContext?: () => Promise<void>;
  /** Tasks of workflows or of activities only; default: both. */
  serves?: 'workflows' | 'activities';
  /** Workflow code without the guard against steps ahead of the history. */
  unguarded?: boolean;
  worker?: Pick<
    WorkerOptions,
    'maxCachedWorkflows' | 'shutdownGraceTime' | 'maxTaskQueueActivitiesPerSecond'
  >;
};

type Place = { connection: NativeConnection; taskQueue: string; artifactsDir: string };

export type RunningWorker = { stop(): Promise<void> };

/** The agent of these sessions is `tester`, with all the tools; the built-in one is there too. */
export async function startSessionWorker(
  options: SessionWorkerOptions,
  { connection, taskQueue, artifactsDir }: Place,
): Promise<RunningWorker> {
  const { deltaBus = createDeltaBus() } = options;
  const { activities, close } = await openActivities({ ...options, deltaBus }, { taskQueue, artifactsDir });
  const { traced = false, stacks = false, encryption, serves } = options;
  // a port that nothing may listen on
  const tracing = traced ? await openTracing({ otlp: 'http://127.0.0.1:9' }, 'test-worker') : undefined;
  const worker = await Worker.create({
    ...tuneWorker(2_000, options.workerId),
    connection,
    taskQueue,
    namespace: 'default',
    ...options.worker,
    ...(tracing && { interceptors: { activity: tracing.activity } }),
    sinks: { ...tracing?.sinks, ...readerSinks(deltaBus) },
    ...(serves !== 'activities' && {
      workflowBundle: await bundleOf({ encrypted: encryption !== undefined, traced, stacks }, options),
    }),
    dataConverter: dataConverterOf('default', encryption),
    ...(serves !== 'workflows' && { activities }),
  });
  countWorker();
  const running = worker.run();
  const stop = async (): Promise<void> => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await running;
    await close();
    await tracing?.close();
  };
  return { stop };
}

async function bundleOf(setting: BundleSetting, { unguarded }: SessionWorkerOptions): Promise<WorkflowCode> {
  const { code } = await getWorkflowBundle(setting);
  if (!unguarded) return { code };
  const changed = code.replace(/throw new Error\([\w.]*outOfStep\)/, 'void 0');
  if (changed === code) throw new Error('The guard is not in the bundle as it was.');
  return { code: changed };
}

/** The activities of such a worker, for one that is there already. */
export async function openActivities(
  options: SessionWorkerOptions,
  { taskQueue, artifactsDir }: Omit<Place, 'connection'>,
): Promise<{ activities: WorkerActivities; close(): Promise<void> }> {
  const hosts = options.hosts?.map((name) => ({ name, taskQueue: hostQueue(taskQueue, name) }));
  const deps = await toDeps(options, artifactsDir);
  const activities = createActivities({ ...deps, hosts });
  const assembleContext = withHeartbeat(async (input: AssembleContextInput) => {
    await options.beforeContext?.();
    return activities.assembleContext(input);
  });
  return { activities: { ...activities, assembleContext }, close: () => deps.artifacts.close() };
}

/** A worker of one host, whose tools are those of the options. */
export async function startHostWorker(
  host: string,
  options: Omit<SessionWorkerOptions, 'model'>,
  { connection, taskQueue, artifactsDir }: Place,
): Promise<RunningWorker> {
  const model = { name: 'none', call: () => Promise.reject(new Error('A host has no model.')) };
  const deps = await toDeps({ model, ...options }, artifactsDir);
  const worker = await Worker.create({
    ...tuneWorker(2_000, options.workerId),
    connection,
    taskQueue: hostQueue(taskQueue, host),
    namespace: 'default',
    activities: createHostActivities(deps, host),
  });
  countWorker();
  const running = worker.run();
  return {
    stop: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
      await deps.artifacts.close();
    },
  };
}

const shownAttributes = ['AgentStatus', 'AgentName', 'Model', 'WaitingFor', 'Turns', 'CostUsd', 'Outcome'];

export async function toDeps(options: SessionWorkerOptions, artifactsDir: string): Promise<ActivityDeps> {
  const tools = options.tools ?? [echoTool()];
  const names = tools.map(({ spec }) => spec.name);
  const { investigator } = withPatience(await starterAgents(new Map(names.map((name) => [name, true]))));
  const artifacts = options.artifacts ?? (await createFileArtifactStore(artifactsDir));
  return {
    agents: new Map([
      [
        'tester',
        {
          instructions: 'You are a test.',
          tools: names,
          ...mergeOptions({ loop: { maxTurns: 0 } }, options.agent ?? {}),
        },
      ],
      // the agents that it delegates to are not here
      ...(investigator
        ? [['investigator', { ...investigator, delegation: { agents: [] } }] satisfies [string, AgentSpec]]
        : []),
      ...Object.entries(options.agents ?? {}).map(([name, spec]): [string, AgentSpec] => [
        name,
        { instructions: `You are ${name}.`, tools: names, ...spec },
      ]),
    ]),
    tools: new Map(tools.map((tool) => [tool.spec.name, tool])),
    ...(options.toolGroups ? { toolGroups: options.toolGroups } : {}),
    ...(options.skills ? { skills: options.skills } : {}),
    identity: options.identity ?? 'test-worker',
    dir: artifactsDir,
    defaultModel: 'scripted:test',
    models: options.models ?? {},
    ...(options.modelQueues ? { modelQueues: options.modelQueues } : {}),
    artifacts: createBehindStore(options.beforePut ? withHook(artifacts, options.beforePut) : artifacts),
    searchAttributes: options.searchAttributes ?? shownAttributes,
    providers: new Map([options.model, ...(options.otherModels ?? [])].map((each) => [each.name, each])),
    policyTiers: options.policyTiers,
    classify: options.policyTiers?.classifier && createClassifier(options.policyTiers.classifier),
    policy: options.policy ?? [],
    hooks: new Map(options.hooks?.map((hook) => [hook.name, hook])),
    ...(options.access ? { access: options.access } : {}),
    sourceDigests: options.sourceDigests,
    memory: options.memory,
    ...(options.destinations ? { destinations: options.destinations } : {}),
    ...(options.projections ? { projections: options.projections } : {}),
    redactor: createRedactor(options.secrets ?? []),
    deltaBus: options.deltaBus ?? createDeltaBus(),
  };
}

function withHook(store: ArtifactStore, hook: NonNullable<SessionWorkerOptions['beforePut']>): ArtifactStore {
  return {
    ...store,
    put: async (sessionId, artifactId, bytes) => {
      await hook(artifactId, sessionId);
      return store.put(sessionId, artifactId, bytes);
    },
  };
}

/** A `read` tool that gives back its text, repeated. */
/** Texts in `shown` have an output of their own, which a report may quote: what only repeats an argument is no evidence. */
export function echoTool(shown: Readonly<Record<string, string>> = {}): RegisteredTool {
  return defineTool({
    name: 'echo',
    description: 'Gives back a text.',
    input: z.strictObject({ text: z.string(), times: z.int().default(1) }),
    effect: 'read',
    summaryArguments: ['text'],
    run: async ({ text, times }) => ({ text: (shown[text] ?? text).repeat(times) }),
  });
}
