// The bare workflow with its worker, which has the options of a Holdfast worker.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, type NativeConnection, Worker } from '@temporalio/worker';
import { bundlerOptions, toBuildId, withoutStacks } from '../../src/worker/workflow-bundle.ts';
import { tuneWorker } from '../../src/worker/worker-options.ts';
import { createBareActivities } from './bare-activities.ts';
import type { Pace } from './pace.ts';
import type { BareInput } from './bare-workflow.ts';
import { shutdownGraceMs, runSide, type Side, type SideStart } from './side.ts';

export type SideSetting = {
  connection: NativeConnection;
  client: Client;
  pace: Pace;
  taskQueue: string;
  artifactsDir: string;
  /** Replaces the side's own bundle. */
  bundlePath?: string;
};

const workflowsPath = join(import.meta.dirname, 'bare-workflow.ts');

const logger = new DefaultLogger('WARN');
/** Cached, because rows open their sides anew and each bundle costs a webpack run. */
const bundles = new Map<string, ReturnType<typeof bundleWorkflowCode>>();

/** Has the options of our bundle, or with `isPlain` the SDK's. */
export async function bareCode(path: string, isPlain = false) {
  const options = isPlain ? {} : bundlerOptions;
  const key = `${isPlain} ${path}`;
  const bundle = bundles.get(key) ?? bundleWorkflowCode({ workflowsPath: path, logger, ...options });
  bundles.set(key, bundle);
  const { code } = await bundle;
  return isPlain ? { workflowBundle: { code } } : withId(withoutStacks(code));
}

function withId(code: string) {
  return { workflowBundle: { code }, buildId: toBuildId({ code }) };
}

export async function createBareSide(name: 'bare' | 'written', setting: SideSetting): Promise<Side> {
  const { connection, client, pace, taskQueue, bundlePath } = setting;
  const turnsOf = new Map<string, number>();
  const worker = await Worker.create({
    ...tuneWorker(shutdownGraceMs),
    connection,
    taskQueue,
    ...(bundlePath === undefined
      ? await bareCode(workflowsPath, name === 'written')
      : withId(await readFile(bundlePath, 'utf8'))),
    activities: createBareActivities(pace, turnsOf),
  });
  const toInput = (sessionId: string, { turns, stay = false }: SideStart): BareInput => {
    turnsOf.set(sessionId, turns);
    return { sessionId, stay };
  };
  return runSide({ name, client, worker, taskQueue, workflowType: 'bareAgent', toInput });
}
