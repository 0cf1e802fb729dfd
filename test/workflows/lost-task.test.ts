// The SDK has lost a task: its worker ends, and the next one goes on.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { resolveConfig } from '../../src/config/config.ts';
import { ScriptedModel, callTool, say } from '../../src/testing.ts';
import { createHoldfastWorker } from '../../src/worker.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { fakeTool, temporaryFolder } from '../support/tool-calls.ts';
import { workerLog } from '../support/worker-log.ts';

test('[WORKER-11] [FAULT-109] a worker whose SDK says that it has lost a task ends with the reason, although a call never ends; the session goes on at the next one', async () => {
  installRuntime(workerLog());
  const begun = Promise.withResolvers<void>();
  let calls = 0;
  const hang = fakeTool(
    () => {
      begun.resolve();
      calls += 1;
      return calls === 1 ? new Promise<never>(() => undefined) : { text: 'seen' };
    },
    { name: 'look' },
  );
  const address = inject('temporalAddress');
  const taskQueue = `lost-${randomUUID()}`;
  const cwd = await temporaryFolder();
  const config = resolveConfig({
    cwd,
    environment: { HOLDFAST_TASK_QUEUE: taskQueue, TEMPORAL_ADDRESS: address },
    file: {
      path: join(cwd, 'holdfast.config.ts'),
      config: { tools: [hang], agents: { tester: { instructions: 'Look.', tools: ['look'] } } },
    },
  });
  const play = new ScriptedModel([callTool('look'), say('done')]);
  const startWorker = async () => {
    const worker = await createHoldfastWorker({ config, play, shutdownGraceMs: 1_000 });
    return { worker, ended: worker.run() };
  };
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  const client = createClient({ connection, namespace: 'default', taskQueue });
  const session = await client.start({ agent: 'tester', prompt: 'Go.' });

  const first = await startWorker();
  await begun.promise;
  Runtime.instance().logger.error('Extra buffered run should not have produced an activation');
  await expect(first.ended).rejects.toThrow(/has lost a task of a session.*This worker ends/);

  const next = await startWorker();
  expect(await session.result()).toMatchObject({ status: 'completed', answer: 'done' });
  expect(calls).toBe(2);
  next.worker.shutdown();
  await next.ended;
});
