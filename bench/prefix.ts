// Do requests extend each other byte for byte? What vendors' prompt caches live on. Real sessions, real SDKs, and
// the scripted model's server in the place of the vendors.
import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { z } from 'zod';
import { createDeltaBus } from '../src/activities/delta-bus.ts';
import { createFileArtifactStore } from '../src/activities/storage/file-artifact-store.ts';
import { createActivities } from '../src/activities/index.ts';
import { createRedactor } from '../src/activities/redaction/redaction.ts';
import { defineTool } from '../src/activities/tools/define-tool.ts';
import type { SessionInput } from '../src/core/model/session-input.ts';
import { callTool, say, scriptOf } from '../src/testing.ts';
import { startScriptedModelServer } from '../src/scripted/scripted-model-server.ts';
import { tuneWorker } from '../src/worker/worker-options.ts';
import { getWorkflowBundle } from '../src/worker/workflow-bundle.ts';
import { toolName, toolText } from './content.ts';
import { type PrefixCount, countExtending } from './prefix-count.ts';
import { graceMs } from './side.ts';
import { createVendorProvider } from '../src/activities/model/providers/vendors.ts';

const prefixTurns = 50;
const models = ['openai-chat:gpt-5.1', 'anthropic:claude-sonnet-5-5'];

type Setting = { address: string; client: Client; artifactsDir: string; say(line: string): void };

/** One session a vendor, one epoch each: nothing is condensed. */
export async function measurePrefix(setting: Setting): Promise<PrefixCount> {
  const bodies = new Map<string, string[]>();
  const steps = Array.from({ length: prefixTurns - 1 }, (_, part) => callTool(toolName, { part }));
  const server = await startScriptedModelServer({ script: scriptOf([...steps, say('Done.')]) });
  const connection = await NativeConnection.connect({ address: setting.address });
  const taskQueue = 'bench-prefix';
  try {
    const worker = await Worker.create({
      ...{ ...tuneWorker(graceMs), connection, taskQueue },
      workflowBundle: await getWorkflowBundle(),
      activities: createActivities({
        ...(await activityDeps(setting.artifactsDir, server.openAiBaseUrl, server.anthropicBaseUrl)),
        modelHooks: {
          onRequest: (body, { metadata: { sessionId } }) =>
            void bodies.set(sessionId, [...(bodies.get(sessionId) ?? []), JSON.stringify(body)]),
        },
      }),
    });
    await worker.runUntil(async () => {
      for (const model of models) await runSession(setting.client, taskQueue, model);
    });
  } finally {
    await server.close();
    await connection.close();
  }
  const count = countExtending([...bodies.values()]);
  setting.say(`prefix: ${count.extending} of ${count.requests} requests extend the one before`);
  return count;
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
  const anthropic = createVendorProvider('anthropic', { baseUrl: anthropicBaseUrl });
  return {
    agents: new Map([
      ['bench', { instructions: 'You measure.', tools: [toolName], maxTurns: 0, contextWindow: 0 }],
    ]),
    tools: new Map([[toolName, tool]]),
    providers: new Map([chat, anthropic].map((provider) => [provider.name, provider])),
    artifacts: await createFileArtifactStore(artifactsDir),
    deltaBus: createDeltaBus(),
    searchAttributes: [],
    ...{ defaultModel: 'openai-chat:none', identity: 'bench', dir: '/' },
    models: {},
    policy: [],
    redactor: createRedactor([]),
  };
}
