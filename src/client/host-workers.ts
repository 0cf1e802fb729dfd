// Finds the hosts with a worker, by the server's list of pollers of their task queues. Asks no worker. Runs in the
// caller's process.
import type { Connection } from '@temporalio/client';
import { hasEnded } from './liveness.ts';

/** TASK_QUEUE_TYPE_ACTIVITY: a worker of a host polls only this type. */
const activityQueue = 2;

/** Identities of the workers that poll this queue, without those that have ended. */
export async function workersOf(
  connection: Connection,
  namespace: string,
  taskQueue: string,
  now = Date.now(),
): Promise<string[]> {
  const { pollers } = await connection.withDeadline(Date.now() + 5_000, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: activityQueue,
    }),
  );
  return (pollers ?? []).flatMap(({ identity, lastAccessTime }) => {
    const polledAt = Number(lastAccessTime?.seconds ?? 0) * 1_000;
    return identity && !hasEnded({ identity, polledAt }, now) ? [identity] : [];
  });
}
