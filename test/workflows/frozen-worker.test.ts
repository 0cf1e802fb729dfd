// A worker that is frozen while it polls, and wakes up when its calls were given up: real processes, stopped by SIGSTOP.
import { once } from 'node:events';
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect, onTestFinished, test } from 'vitest';
import { getWorkflowBundle } from '../../src/worker/workflow-bundle.ts';
import { tuneWorker } from '../../src/worker/worker-options.ts';
import { functionModel } from '../support/function-model.ts';
import { resultTexts } from '../support/result-texts.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench } from '../support/session-bench.ts';
import { plainTool } from '../support/plain-tool.ts';
import { startSessionWorker } from '../support/session-worker.ts';
import { openLedger, startChild } from '../support/worker-processes.ts';

const never = (): Promise<never> => Promise.reject(new Error('This worker polls another queue.'));

/** The workflows of the bench, and none of its activities. */
async function runWorkflows({ address, taskQueue }: SessionBench): Promise<void> {
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    ...tuneWorker(0),
    connection,
    taskQueue,
    namespace: 'default',
    workflowBundle: await getWorkflowBundle({ encrypted: false }),
  });
  const running = worker.run();
  onTestFinished(async () => {
    worker.shutdown();
    await running;
    await connection.close();
  });
}

/** Asks `decide`, and prepares its calls; it gets none of them. */
async function runModels(
  { address, taskQueue, artifactsDir }: SessionBench,
  decide: Parameters<typeof functionModel>[0],
): Promise<void> {
  const connection = await NativeConnection.connect({ address });
  const { stop } = await startSessionWorker(
    {
      policy: [{ tool: '*', decision: 'allow' }],
      tools: [plainTool('change', 'once', never)],
      model: functionModel(decide),
    },
    { connection, taskQueue: `${taskQueue}-models`, artifactsDir },
  );
  onTestFinished(async () => {
    await stop();
    await connection.close();
  });
}

/**
 * A session whose calls are given to a worker that is frozen by then, and wakes up when the model has read of their loss. One
 * more call is made of it then: what the model read of the lost ones, and what began in all.
 */
async function wokenUp(count: number): Promise<{ read: string[]; begun: string[] }> {
  const bench = await createSessionBench({ model: functionModel(() => ({ text: '' })), workerless: true });
  const { ledger, begun } = await openLedger();
  const startFrozen = () => startChild('frozen-worker-child.ts', bench, [ledger]);
  await runWorkflows(bench);
  const frozen = startFrozen();
  const called = Promise.withResolvers<void>();
  const drained = Promise.withResolvers<void>();
  let read: string[] = [];
  await runModels(bench, async ({ number, request }) => {
    // the context came from it, so it polls
    if (number === 1) frozen.kill('SIGSTOP');
    if (number === 1) return { calls: Array.from({ length: count }, () => ({ tool: 'change' })) };
    if (number === 2) {
      read = resultTexts(request.messages);
      frozen.kill('SIGCONT');
      return { calls: [{ tool: 'change' }] };
    }
    called.resolve();
    await drained.promise;
    return { text: 'Done.' };
  });
  const handle = await bench.start({ prompt: 'Go.', loop: { heartbeatTimeoutMs: 2_000 } });
  await called.promise;
  const ended = once(frozen, 'exit');
  frozen.kill('SIGTERM');
  await ended;
  startFrozen();
  drained.resolve();
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'Done.' });
  return { read, begun: begun() };
}

test('[FAULT-100] [WORKER-04afh] a worker that wakes up with calls that were given up begins none of them, and the model reads that they were not begun', async () => {
  const { read, begun } = await wokenUp(4);
  expect(begun).toEqual(['change']);
  expect(new Set(read)).toEqual(new Set([expect.stringMatching(/^Not run: .* Nothing was changed\.$/)]));
  expect(read).toHaveLength(4);
});
