// A real worker on the suite's Temporal server, with the real activities and a scripted model. One task queue per
// bench; everything it starts it stops.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { inject, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createActivities } from '../../src/activities/index.ts';
import type { ActivityDeps } from '../../src/activities/index.ts';
import { createDeltaBus } from '../../src/activities/delta-bus.ts';
import { createFileArtifactStore } from '../../src/activities/file-artifact-store.ts';
import type { ModelProvider } from '../../src/activities/providers/model-provider.ts';
import { createRedactor } from '../../src/activities/redaction.ts';
import { defineTool, registerTool } from '../../src/activities/tools/tool-handler.ts';
import type { RegisteredTool } from '../../src/activities/tools/tool-handler.ts';
import type { PolicyRule } from '../../src/core/tool-policy.ts';
import type { SessionInput } from '../../src/core/session-input.ts';
import type { agentSession } from '../../src/workflows/agent-session.ts';
import { getWorkflowBundle } from '../../src/worker/workflow-bundle.ts';
import { temporaryFolder } from './tool-calls.ts';

export type BenchOptions = {
  model: ModelProvider;
  tools?: RegisteredTool[];
  policy?: PolicyRule[];
  /** Default: the bench's own folder. */
  artifactsDir?: string;
  searchAttributes?: string[];
};

export type SessionHandle = WorkflowHandle<typeof agentSession>;
export type SessionBench = {
  client: Client;
  taskQueue: string;
  artifactsDir: string;
  start(input: SessionInput): Promise<SessionHandle>;
  /** Another worker on the same queue; stopped with the bench. */
  addWorker(): Promise<Worker>;
};

const shownAttributes = ['AgentStatus', 'AgentName', 'Model', 'WaitingFor', 'Turns', 'CostUsd'];

export async function createSessionBench(options: BenchOptions): Promise<SessionBench> {
  const address = inject('temporalAddress');
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  const client = new Client({ connection });
  const taskQueue = `test-${randomUUID()}`;
  const artifactsDir = options.artifactsDir ?? (await temporaryFolder());
  const stops: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const stop of stops.reverse()) await stop();
    await native.close();
    await connection.close();
  });
  const addWorker = async (): Promise<Worker> => {
    const worker = await Worker.create({
      ...{ connection: native, taskQueue, namespace: 'default' },
      workflowBundle: await getWorkflowBundle(),
      activities: createActivities(await toDeps(options, artifactsDir)),
      maxHeartbeatThrottleInterval: '1s',
      defaultHeartbeatThrottleInterval: '1s',
      stickyQueueScheduleToStartTimeout: '2s',
    });
    const running = worker.run();
    stops.push(async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    });
    return worker;
  };
  await addWorker();
  const start = (input: SessionInput) =>
    client.workflow.start<typeof agentSession>('agentSession', {
      taskQueue,
      workflowId: `session-${randomUUID()}`,
      args: [{ agent: 'tester', ...input }],
    });
  return { client, taskQueue, artifactsDir, start, addWorker };
}

async function toDeps(options: BenchOptions, artifactsDir: string): Promise<ActivityDeps> {
  const tools = options.tools ?? [echoTool()];
  return {
    agents: new Map([
      ['tester', { instructions: 'You are a test.', tools: tools.map(({ spec }) => spec.name), maxTurns: 0 }],
    ]),
    tools: new Map(tools.map((tool) => [tool.spec.name, tool])),
    defaultModel: 'scripted:test',
    models: {},
    artifacts: await createFileArtifactStore(artifactsDir),
    searchAttributes: options.searchAttributes ?? shownAttributes,
    checkInput: () => undefined,
    providers: new Map([[options.model.name, options.model]]),
    policy: options.policy ?? [],
    redactor: createRedactor([]),
    deltaBus: createDeltaBus(),
  };
}

/** A `read` tool that gives back its text, repeated. */
export function echoTool(): RegisteredTool {
  const echo = defineTool({
    name: 'echo',
    description: 'Gives back a text.',
    input: z.strictObject({ text: z.string(), times: z.int().default(1) }),
    effect: 'read',
    summaryArguments: ['text'],
  });
  return registerTool(echo, async ({ text, times }) => ({ text: text.repeat(times) }));
}
