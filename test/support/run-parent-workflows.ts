// A worker with the workflows of parent-workflow.ts, which call and signal sessions; stopped when the test has finished.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { NativeConnection, Worker } from '@temporalio/worker';
import { onTestFinished } from 'vitest';

/** Returns its task queue. */
export async function runParentWorkflows(address: string): Promise<string> {
  const connection = await NativeConnection.connect({ address });
  const taskQueue = `parents-${randomUUID()}`;
  const workflowsPath = resolve(import.meta.dirname, 'parent-workflow.ts');
  const worker = await Worker.create({ connection, taskQueue, workflowsPath });
  const running = worker.run();
  onTestFinished(async () => {
    worker.shutdown();
    await running;
    await connection.close();
  });
  return taskQueue;
}
