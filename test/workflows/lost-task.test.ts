// The SDK has lost a task: its worker ends, and the next one goes on.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { resolveConfig } from '../../src/config/config.ts';
import { ScriptedModel, say } from '../../src/testing.ts';
import { createHoldfastWorker } from '../../src/worker.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { workerLog } from '../support/worker-log.ts';

test('[FAULT-109] a worker whose SDK says that it has lost a task ends with the reason, at no other error line; the next one goes on', async () => {
  installRuntime(workerLog());
  const cwd = await temporaryFolder();
  const address = inject('temporalAddress');
  const taskQueue = `lost-${randomUUID()}`;
  const environment = { HOLDFAST_TASK_QUEUE: taskQueue, TEMPORAL_ADDRESS: address };
  const agents = { tester: { instructions: 'Answer.', tools: [] } };
  const file = { path: join(cwd, 'holdfast.config.ts'), config: { agents } };
  const config = resolveConfig({ cwd, environment, file });
  const play = new ScriptedModel([say('first'), say('second')]);
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  const client = createClient({ connection, namespace: 'default', taskQueue });
  const session = await client.start({ agent: 'tester', prompt: 'Go.', keepAlive: true });

  const start = async () => {
    const worker = await createHoldfastWorker({ config, play, shutdownGraceMs: 1_000 });
    return { worker, ended: worker.run() };
  };
  const first = await start();
  const failure = expect(first.ended).rejects.toThrow(/has lost a task of a session.*This worker ends/);
  const { logger } = Runtime.instance();
  logger.error('Error while auto-completing workflow task', { sdkComponent: 'core' });
  expect(await session.result({ runId: 'run-1' })).toMatchObject({ answer: 'first' });
  logger.error('Extra buffered run should not have produced an activation', { sdkComponent: 'core' });
  await failure;

  const next = await start();
  await session.followUp('And now?');
  expect(await session.result({ runId: 'run-2' })).toMatchObject({ answer: 'second' });
  await session.shutdown();
  next.worker.shutdown();
  await next.ended;
});
