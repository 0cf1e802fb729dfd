// Tells if a worker is running for a session. The server's list of pollers is not enough, because it has a worker for
// five minutes after its end: so the session is asked, and ended workers are removed from the list. Runs in the
// caller's process.
import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';
import { isAlive } from '../common/signs-of-life.ts';
import { ClientError, unansweredCodes } from './client-error.ts';

export type Liveness = {
  /**
   * `answers`: a worker has just answered. `none`: no worker is running. `silent`: one is listed and did not answer; it
   * is busy, or died within the last minute on another machine.
   */
  worker: 'answers' | 'silent' | 'none';
  taskQueue: string;
};

/** A worker as the server lists it: its identity, and the time of its last poll (ms since the epoch). */
export type ListedWorker = { identity: string; polledAt: number };

type QueueService = Pick<Client['workflowService'], 'describeTaskQueue'>;

/** Workers that the server lists for a queue of workflows, or of activities: a worker of a host polls only those. */
export async function listPollers(
  service: QueueService,
  queue: { namespace: string; taskQueue: string; of?: keyof typeof queueTypes },
): Promise<ListedWorker[]> {
  const { namespace, taskQueue, of = 'workflows' } = queue;
  const request = { namespace, taskQueue: { name: taskQueue }, taskQueueType: queueTypes[of] };
  const { pollers } = await service.describeTaskQueue(request);
  return (pollers ?? []).map(({ identity, lastAccessTime }) => ({
    identity: identity ?? '',
    polledAt: Number(lastAccessTime?.seconds ?? 0) * 1_000,
  }));
}

/** Kinds of a task queue, on the wire. */
const queueTypes = { workflows: 1, activities: 2 };

/** The server ends a poll that finds no work after 60 s; a live worker polls again at once. */
const longestPollMs = 75_000;

/** True is certain, unless workers run in containers that share this host's name and not its processes. */
export function hasEnded({ identity, polledAt }: ListedWorker, now: number): boolean {
  if (now - polledAt > longestPollMs) return true;
  const [, pid, host] = /^(\d+)@([^:]+)/.exec(identity) ?? [];
  return pid !== undefined && host === hostname() && !isAlive(Number(pid));
}

export type LivenessSources = {
  taskQueue: string;
  /** Identity of a worker that was stopped. */
  stopped?: string | undefined;
  listWorkers(): Promise<ListedWorker[]>;
  /** Queries the session. Default deadline: that of any call. */
  ask(deadlineMs?: number): Promise<unknown>;
};

/** Short, because the query only guards against a wrong list. */
const doubtMs = 1_000;

/** Fast if no worker is listed or one answers; else as slow as any call. */
export async function findLiveness(sources: LivenessSources): Promise<Liveness> {
  const { taskQueue, stopped } = sources;
  const list = async (): Promise<ListedWorker[]> =>
    (await sources.listWorkers()).filter(({ identity }) => identity !== stopped);
  const isGone = (worker: ListedWorker): boolean => hasEnded(worker, Date.now());
  const listed = await list();
  if (listed.length === 0) return { worker: 'none', taskQueue };
  if (await isAnswered(sources, listed.every(isGone) ? doubtMs : undefined))
    return { worker: 'answers', taskQueue };
  return { worker: (await list()).every(isGone) ? 'none' : 'silent', taskQueue };
}

async function isAnswered({ ask }: LivenessSources, deadlineMs?: number): Promise<boolean> {
  try {
    await ask(deadlineMs);
    return true;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    // a refusal is also an answer
    if (error.code === 'Refused') return true;
    if (unansweredCodes.has(error.code)) return false;
    throw error;
  }
}
