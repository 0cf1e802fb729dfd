// Holdfast sessions as they ship, with a model that answers at once and one tool that returns 4 KB.
import { z } from 'zod';
import { Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import { type BehindStore, createBehindStore } from '../../src/activities/storage/behind-store.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { createActivities } from '../../src/activities/index.ts';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import { createRedactor } from '@holdfast/redaction/redaction';
import { defineTool, type RegisteredTool } from '../../src/activities/tools/define-tool.ts';
import { searchAttributeTypes } from '@holdfast/vocabulary/outer-names';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { type CallMetrics, createCallMetrics } from '../../src/worker/telemetry/metrics.ts';
import { observeActivities } from '../../src/worker/telemetry/observe-activities.ts';
import { tuneWorker } from '../../src/worker/worker-options.ts';
import { getWorkflowBundle, toBuildId } from '../../src/worker/workflow-bundle.ts';
import type { SideSetting } from './bare-side.ts';
import { replyOf, summaryReply, toolName, toolText, withInputTokens } from './content.ts';
import type { Pace } from './pace.ts';
import { shutdownGraceMs, runSide, type Side, type SideStart } from './side.ts';

export const agent = 'bench';

type OurSetting = SideSetting & {
  /** Default: files in the folder of the setting. */
  artifacts?: BehindStore | undefined;
  /** Overrides our worker's options. */
  worker?: Partial<WorkerOptions> | undefined;
};

export async function createOurSide(setting: OurSetting): Promise<Side> {
  const { client, pace, taskQueue } = setting;
  const options = new Map<string, SideStart>();
  const worker = await createOurWorker(setting, createModel(pace, options), {});
  const toInput = (sessionId: string, start: SideStart): SessionInput => {
    options.set(sessionId, start);
    const { stay = false, contextWindow = 0 } = start;
    return {
      agent,
      prompt: 'Read all parts.',
      loop: { maxTurns: 0 },
      model: { contextWindow },
      condense: { maxPerRun: 0 },
      keepAlive: stay,
    };
  };
  return runSide({ name: 'ours', client, worker, taskQueue, workflowType: 'agentSession', toInput });
}

/** A worker with the agent `bench`, its tool, and the additional `agents` and `tools`. */
export async function createOurWorker(
  setting: Omit<OurSetting, 'client' | 'pace'>,
  model: ModelProvider,
  agents: Record<string, AgentSpec>,
  tools: RegisteredTool[] = [],
): Promise<Worker> {
  const { connection, taskQueue, artifactsDir, bundlePath, worker } = setting;
  const { artifacts = createBehindStore(await createFileArtifactStore(artifactsDir)) } = setting;
  const workflowBundle = bundlePath === undefined ? await getWorkflowBundle() : { codePath: bundlePath };
  return Worker.create({
    ...tuneWorker(shutdownGraceMs),
    connection,
    taskQueue,
    workflowBundle,
    ...('code' in workflowBundle ? { buildId: toBuildId(workflowBundle) } : {}),
    activities: createActivities({
      agents: new Map([
        [agent, { instructions: 'You measure.', tools: [toolName] }],
        ...Object.entries(agents),
      ]),
      tools: new Map([createTool(), ...tools].map((tool) => [tool.spec.name, tool])),
      providers: new Map([[model.name, model]]),
      artifacts,
      deltaBus: createDeltaBus(),
      searchAttributes: Object.keys(searchAttributeTypes),
      defaultModel: 'bench:zero-latency',
      identity: 'bench',
      dir: '/',
      models: {},
      policy: [],
      redactor: createRedactor([]),
    }),
    interceptors: { activity: [observeActivities(createSilentMetrics(taskQueue))] },
    ...worker,
  });
}

/** The metrics of a worker without an exporter. */
export function createSilentMetrics(taskQueue: string): CallMetrics {
  const meter = Runtime.instance().metricMeter;
  return createCallMetrics({ meter, tags: { task_queue: taskQueue }, effectOf: () => 'read' });
}

/** Answers at once. The turn comes from the request, so that a retry gets the same answer. */
function createModel(pace: Pace, options: ReadonlyMap<string, SideStart>): ModelProvider {
  return {
    name: 'bench',
    async call({ messages, metadata: { sessionId, turn, purpose } }) {
      if (purpose === 'condense') return { message: summaryReply };
      await pace.reach(sessionId, turn);
      const { turns, contextWindow } = options.get(sessionId) ?? { turns: 0 };
      const reply = replyOf(turn, turns);
      return { message: contextWindow === undefined ? reply : withInputTokens(reply, messages.length) };
    },
  };
}

function createTool() {
  return defineTool({
    name: toolName,
    description: 'Reads one part.',
    input: z.strictObject({ part: z.int() }),
    effect: 'read',
    summaryArguments: ['part'],
    run: ({ part }) => Promise.resolve({ text: toolText(part) }),
  });
}
