// Checks that requests extend each other byte for byte, which vendors' prompt caches need. Real sessions and SDKs, with
// the scripted model's server in place of the vendors.
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { z } from 'zod';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import { createBehindStore } from '../../src/activities/storage/behind-store.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { createActivities } from '../../src/activities/index.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { callTool, say, scriptOf } from '../../src/testing.ts';
import { startScriptedModelServer } from '@holdfast/scripted-model/scripted-model-server';
import { tuneWorker } from '../../src/worker/worker-options.ts';
import { getWorkflowBundle } from '../../src/worker/workflow-bundle.ts';
import { toolName, toolText } from './content.ts';
import { type PrefixCount, countExtending } from './prefix-count.ts';
import { exactly, type Figure } from './figures.ts';
import { artifactFolder, type Bench } from './row.ts';
import { shutdownGraceMs } from './side.ts';
import { connectClient } from '../../src/config/temporal-connection.ts';
import { createVendorProvider } from '@holdfast/providers/vendors';

const prefixTurns = 50;
const models = ['openai-chat:gpt-5.1', 'anthropic:claude-sonnet-5-5'];

/** One session a vendor, of one epoch: nothing is condensed. */
export async function measurePrefix(bench: Bench): Promise<Figure[]> {
  const { share, requests } = await countPrefixes(await bench.address(), artifactFolder(bench));
  return [
    {
      name: 'prefix',
      what: 'requests that extend the one before, so that prompt caches hold',
      unit: '%',
      value: exactly(100 * share),
      detail: `of ${requests}, through both SDKs`,
    },
  ];
}

async function countPrefixes(address: string, artifactsDir: string): Promise<PrefixCount> {
  const bodies = new Map<string, string[]>();
  const steps = Array.from({ length: prefixTurns - 1 }, (_, part) => callTool(toolName, { part }));
  const server = await startScriptedModelServer({ script: scriptOf([...steps, say('Done.')]) });
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await connectClient({ address, namespace: 'default' });
  const client = new Client({ connection: clientConnection });
  const taskQueue = 'bench-prefix';
  try {
    const worker = await Worker.create({
      ...tuneWorker(shutdownGraceMs),
      connection,
      taskQueue,
      workflowBundle: await getWorkflowBundle(),
      activities: createActivities({
        ...(await activityDeps(artifactsDir, server.openAiBaseUrl, server.anthropicBaseUrl)),
        modelHooks: {
          onRequest: (body, { metadata: { sessionId } }) =>
            void bodies.set(sessionId, [...(bodies.get(sessionId) ?? []), JSON.stringify(body)]),
        },
      }),
    });
    await worker.runUntil(async () => {
      for (const model of models) await runSession(client, taskQueue, model);
    });
  } finally {
    await server.close();
    await connection.close();
    await clientConnection.close();
  }
  return countExtending([...bodies.values()]);
}

async function runSession(client: Client, taskQueue: string, model: string): Promise<void> {
  const input: SessionInput = { agent: 'bench', prompt: 'Read all parts.', model };
  const workflowId = `bench-prefix-${model.replace(':', '-')}`;
  await client.workflow.execute('agentSession', { taskQueue, workflowId, args: [input] });
}

async function activityDeps(artifactsDir: string, openAiBaseUrl: string, anthropicBaseUrl: string) {
  const tool = defineTool({
    name: toolName,
    description: 'Reads one part.',
    input: z.strictObject({ part: z.int() }),
    effect: 'read',
    run: ({ part }) => Promise.resolve({ text: toolText(part) }),
  });
  const chat = createVendorProvider('openai-chat', { baseUrl: openAiBaseUrl });
  // for relatives the mark of the cache is on the last block, and moves; their caches do not go by it
  const anthropic = createVendorProvider('anthropic', { baseUrl: anthropicBaseUrl, dialect: 'anthropic' });
  return {
    agents: new Map([
      [
        'bench',
        {
          instructions: 'You measure.',
          tools: [toolName],
          loop: { maxTurns: 0 },
          model: { contextWindow: 0 },
        },
      ],
    ]),
    tools: new Map([[toolName, tool]]),
    providers: new Map([chat, anthropic].map((provider) => [provider.name, provider])),
    artifacts: createBehindStore(await createFileArtifactStore(artifactsDir)),
    deltaBus: createDeltaBus(),
    searchAttributes: [],
    defaultModel: 'openai-chat:none',
    identity: 'bench',
    dir: '/',
    models: {},
    policy: [],
    redactor: createRedactor([]),
  };
}
