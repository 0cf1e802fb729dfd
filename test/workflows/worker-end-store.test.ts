// The end of a worker while an output is being stored behind its result.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { resolveConfig } from '../../src/config/config.ts';
import { createMemoryArtifactStore } from '../../src/in-process/memory-artifact-store.ts';
import { scriptOf } from '../../src/testing/scripted-model.ts';
import { createHoldfastWorker } from '../../src/worker.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { functionModel } from '../support/function-model.ts';
import { lookTool } from '../support/plain-tool.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { untilStopped } from '../support/until-stopped.ts';
import { workerLog } from '../support/worker-log.ts';

test('[TOOL-27b] a worker that is shut down ends when the outputs that it has returned are stored', async () => {
  installRuntime(workerLog());
  const address = inject('temporalAddress');
  const cwd = await temporaryFolder();
  const inner = createMemoryArtifactStore();
  const gate = Promise.withResolvers<void>();
  const artifacts = {
    ...inner,
    put: async (...args: Parameters<typeof inner.put>) => {
      if (args[1].startsWith('tool-')) await gate.promise;
      await inner.put(...args);
    },
  };
  const taskQueue = `end-${randomUUID()}`;
  const config = resolveConfig({
    cwd,
    environment: { HOLDFAST_TASK_QUEUE: taskQueue, TEMPORAL_ADDRESS: address },
    file: {
      path: join(cwd, 'holdfast.config.ts'),
      config: {
        artifacts,
        tools: [lookTool],
        agents: { tester: { instructions: 'Look.', tools: ['look'] } },
      },
    },
  });
  // the session stores nothing itself: its model answers no more
  const model = functionModel(({ number, options: { signal } }) =>
    number === 1 ? { calls: [{ tool: 'look' }] } : untilStopped(signal),
  );
  const play = { script: scriptOf([]), call: model.call };
  const worker = await createHoldfastWorker({ config, play, shutdownGraceMs: 100 });
  let isEnded = false;
  const ended = worker.run().finally(() => (isEnded = true));
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  const client = createClient({ connection, namespace: 'default', taskQueue });
  const session = await client.start({ agent: 'tester', prompt: 'Go.' });
  await until('the result is in history', async () => {
    for await (const record of session.messages())
      if ('role' in record && record.role === 'tool_result') return true;
    return false;
  });
  worker.shutdown();
  // longer than all that it waits for besides
  await setTimeout(1_500);
  expect(isEnded).toBe(false);
  gate.resolve();
  await ended;
  expect(await inner.get(session.sessionId, 'tool-call_1_1')).toBeDefined();
});
