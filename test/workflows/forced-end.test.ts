// A worker that is told to end, and whose work does not end: the process must say that, not what the SDK stumbles over.
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect, onTestFinished, test } from 'vitest';
import { endWorker, runWatched } from '../../src/worker/telemetry/watch-worker.ts';
import { exitCodeOfError } from '../../src/cli/error-code.ts';
import { tuneWorker } from '../../src/worker/worker-options.ts';
import { getWorkflowBundle } from '../../src/worker/workflow-bundle.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { openActivities } from '../support/session-worker.ts';

test('[FAULT-117c] work that never ends, with a session in the cache: the worker ends by force, and says so with a code', async () => {
  const begun = Promise.withResolvers<void>();
  const model = functionModel(() => ({ text: 'done' }));
  const bench = await createSessionBench({ model, workerless: true });
  const { address, taskQueue, artifactsDir } = bench;
  const connection = await NativeConnection.connect({ address });
  onTestFinished(() => connection.close());
  const beforeContext = () => {
    begun.resolve();
    return new Promise<void>(() => undefined);
  };
  const { activities, close } = await openActivities({ model, beforeContext }, { taskQueue, artifactsDir });
  onTestFinished(close);
  const worker = await Worker.create({
    ...tuneWorker(100),
    shutdownForceTime: 1_000,
    connection,
    taskQueue,
    namespace: 'default',
    workflowBundle: {
      code: (await getWorkflowBundle({ encrypted: false, traced: false, stacks: false })).code,
    },
    activities,
  });
  const ended = runWatched(worker, {
    config: Object({ telemetry: {} }),
    connection,
    identity: 'test-worker',
    namespace: 'default',
    hasSessions: false,
  }).catch((error: unknown) => error);
  const handle = await bench.start({ prompt: 'Go.' });
  await begun.promise;
  endWorker(worker);
  const error = await ended;
  expect(error).toMatchObject({
    message: expect.stringMatching(/^The worker was told to end, and was ended by force/),
  });
  expect(exitCodeOfError(error)).toBe(6);
  await handle.terminate();
});
