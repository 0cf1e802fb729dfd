// Whether a worker is there for a session. The server's list of pollers alone does not tell: a worker is on it for
// five minutes after its end. So the session is asked, and the list is read without the workers that have ended.
import { hostname } from 'node:os';
import { isAlive } from '../signs-of-life.ts';
import { ClientError } from './client-error.ts';

export type Liveness = {
  /**
   * `answers`: one has just answered. `none`: no worker is running. `silent`: one is listed and did not answer; it is
   * busy, or has died within the last minute on another machine.
   */
  worker: 'answers' | 'silent' | 'none';
  taskQueue: string;
};

/** A worker as the server lists it: its identity, and when it last polled (ms since the epoch). */
export type ListedWorker = { identity: string; polledAt: number };

/** The server ends a poll that finds no work after 60 s; a live worker polls again at once. */
const longestPollMs = 75_000;

/** True is certain, unless workers are in containers that share the name of this host and not its processes. */
export function hasEnded({ identity, polledAt }: ListedWorker, now: number): boolean {
  if (now - polledAt > longestPollMs) return true;
  const [, pid, host] = /^(\d+)@([^:]+)/.exec(identity) ?? [];
  return pid !== undefined && host === hostname() && !isAlive(Number(pid));
}

export type LivenessSources = {
  taskQueue: string;
  /** A worker that has been stopped, by its identity. */
  stopped?: string | undefined;
  listWorkers(): Promise<ListedWorker[]>;
  /** A query to the session. Without a deadline of its own it takes as long as any call may. */
  ask(deadlineMs?: number): Promise<unknown>;
};

/** Only asked in case the list is wrong. */
const doubtMs = 1_000;

/** Quick where no worker is listed or one answers; else as long as a call may take. */
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
    // a refusal is an answer, too
    if (error.code === 'Refused') return true;
    if (error.code === 'NoWorker' || error.code === 'WorkerBusy') return false;
    throw error;
  }
}
