// The bare workflow with its worker, whose options are those of a Holdfast worker.
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { bundlerOptions } from '../src/worker/workflow-bundle.ts';
import { tuneWorker } from '../src/worker/worker-options.ts';
import { createBareActivities } from './bare-activities.ts';
import type { Pace } from './pace.ts';
import type { BareInput } from './bare-workflow.ts';
import { graceMs, runSide, type Side, type StartOptions } from './side.ts';

export type SideSetting = {
  connection: NativeConnection;
  client: Client;
  pace: Pace;
  taskQueue: string;
  artifactsDir: string;
  /** Instead of the side's own bundle. */
  bundlePath?: string;
};

export async function createBareSide(setting: SideSetting): Promise<Side> {
  const { connection, client, pace, taskQueue, bundlePath } = setting;
  const turnsOf = new Map<string, number>();
  const workflowsPath = join(import.meta.dirname, 'bare-workflow.ts');
  const worker = await Worker.create({
    ...tuneWorker(graceMs),
    connection,
    taskQueue,
    ...(bundlePath === undefined
      ? { workflowsPath, bundlerOptions }
      : { workflowBundle: { codePath: bundlePath } }),
    activities: createBareActivities(pace, turnsOf),
  });
  const toInput = (sessionId: string, { turns, stay = false }: StartOptions): BareInput => {
    turnsOf.set(sessionId, turns);
    return { sessionId, stay };
  };
  return runSide({ name: 'bare', client, worker, taskQueue, workflowType: 'bareAgent', toInput });
}
