// The bare workflow with its worker.
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createBareActivities } from './bare-activities.ts';
import type { Pace } from './pace.ts';
import { type Side, runSide } from './side.ts';

export type SideSetting = {
  connection: NativeConnection;
  client: Client;
  pace: Pace;
  taskQueue: string;
  /** The same for both sides: what src/worker.ts ships. */
  workerOptions: Partial<WorkerOptions>;
};

export async function createBareSide(setting: SideSetting): Promise<Side> {
  const { connection, client, pace, taskQueue, workerOptions } = setting;
  const worker = await Worker.create({
    ...workerOptions,
    connection,
    taskQueue,
    workflowsPath: join(import.meta.dirname, 'bare-workflow.ts'),
    activities: createBareActivities(pace),
  });
  const toInput = (sessionId: string, options: object) => ({ sessionId, ...options });
  return runSide({ name: 'bare', client, worker, taskQueue, workflowType: 'bareAgent', toInput });
}
