// One worker and one connection for all sessions of a test process that differ only in their activities: model, tools, policy, agents,
// hooks. A session's activities are looked up by its id. A test starts a tenth of a second sooner, and the server has fewer queues.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { inject } from 'vitest';
import type { WorkerActivities } from '../../src/activities/index.ts';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import { readerSinks, tuneWorker } from '../../src/worker/worker-options.ts';
import { getWorkflowBundle } from '../../src/worker/workflow-bundle.ts';
import { countWorker } from './suite/started.ts';

type Shared = { connection: Connection; client: Client; taskQueue: string };
export type Tenancy = Shared & {
  /** Before the session starts. A session that others start belongs to the test that runs. */
  owns(sessionId: string): void;
  /** Ends the sessions that still run. */
  leave(): Promise<void>;
};

/** For calls that a test leaves. */
const graceMs = 2_000;

/** The benches that are open, with their calls in progress. */
const tenants = new Map<WorkerActivities, Set<Promise<unknown>>>();
const owners = new Map<string, WorkerActivities>();
let shared: Promise<Shared> | undefined;

export async function joinSharedWorker(
  open: (taskQueue: string) => Promise<{ activities: WorkerActivities; close(): Promise<void> }>,
): Promise<Tenancy> {
  shared ??= startSharedWorker();
  const { connection, client, taskQueue } = await shared;
  const { activities, close } = await open(taskQueue);
  const calls = new Set<Promise<unknown>>();
  tenants.set(activities, calls);
  return {
    connection,
    client,
    taskQueue,
    owns: (sessionId) => void owners.set(sessionId, activities),
    leave: async () => {
      const owned = [...owners].flatMap(([id, owner]) => (owner === activities ? [id] : []));
      await Promise.all(owned.map((id) => endSession(client, id)));
      tenants.delete(activities);
      // a cancelled call ends at its next heartbeat; one that ignores it is left behind
      await Promise.race([Promise.allSettled(calls), pause(graceMs, undefined, { ref: false })]);
      await close();
    },
  };
}

/** It ends with the process: nothing waits for it. */
async function startSharedWorker(): Promise<Shared> {
  const address = inject('temporalAddress');
  const taskQueue = `test-${randomUUID()}`;
  const [connection, native, workflowBundle] = await Promise.all([
    Connection.connect({ address }),
    NativeConnection.connect({ address }),
    getWorkflowBundle(),
  ]);
  const worker = await Worker.create({
    ...tuneWorker(graceMs),
    connection: native,
    taskQueue,
    namespace: 'default',
    workflowBundle,
    activities: { default: runActivity },
    sinks: readerSinks(createDeltaBus()),
  });
  // a test that watches or changes requests would do so for those that follow
  Object.freeze(connection.workflowService);
  countWorker();
  worker.run().catch((error: unknown) => {
    console.error('The shared worker of this test process has failed.', error);
    process.exitCode = 1;
  });
  return { connection, client: new Client({ connection }), taskQueue };
}

async function runActivity(...args: unknown[]): Promise<unknown> {
  const { activityType, workflowExecution } = Context.current().info;
  const activities = ownerOf(workflowExecution?.workflowId ?? '');
  const activity: unknown = Reflect.get(activities, activityType) ?? activities.default;
  if (typeof activity !== 'function') throw new TypeError(`No activity ${activityType}.`);
  const calls = tenants.get(activities);
  const call: Promise<unknown> = Reflect.apply(activity, undefined, args);
  calls?.add(call);
  try {
    return await call;
  } finally {
    calls?.delete(call);
  }
}

/** Ids of subagents and of their like begin with that of their session. */
function ownerOf(workflowId: string): WorkerActivities {
  const [root = ''] = workflowId.split('/');
  const [only, ...others] = tenants.keys();
  const owner = owners.get(root) ?? (others.length === 0 ? only : undefined);
  if (owner === undefined || !tenants.has(owner)) {
    const why = `${tenants.size} benches are open; expected the one that started it`;
    throw ApplicationFailure.nonRetryable(`No bench has the session ${workflowId}: ${why}.`, 'Test.NoBench');
  }
  owners.set(root, owner);
  return owner;
}

async function endSession(client: Client, id: string): Promise<void> {
  try {
    await client.workflow.getHandle(id).terminate('its test has ended');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
