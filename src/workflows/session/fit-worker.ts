// A task that was handed back, because its worker lacks a part, waits for a worker with that part: visibly, without a
// limit, and without a further event (WORKER-01). Runs in the workflow.
import type { WorkerNeed } from '@holdfast/vocabulary/activity-contracts';
import { workerLacks } from '@holdfast/base/failures';
import { lackOf } from '../activity-failure.ts';
import { schedule } from '../activity-options.ts';
import type { Stoppable, Host } from './stopper.ts';

/** Repeats work that was handed back, once a fit worker is there. */
export async function runOnFitWorker<T>(
  host: Host,
  need: WorkerNeed,
  work: () => Promise<T>,
): Promise<Stoppable<T>> {
  const begun = host.stopper.stops;
  for (;;) {
    const outcome = await host.stopper.run(work);
    const lack = outcome.type === 'failed' ? lackOf(outcome.error) : undefined;
    if (lack === undefined) return outcome;
    const waited = await awaitFitWorker(host, { lack, need, begun });
    if (waited.type !== 'done') return waited;
  }
}

export type HandedBack = {
  /** The missing part, in words. */
  lack: string;
  need: WorkerNeed;
  /** `stops` of the stopper when the task was requested. */
  begun: number;
  /** Absent: the session's own task queue. */
  taskQueue?: string | undefined;
};

/** `done`: a fit worker is there, and the task can be scheduled again. After a stop the wait never ends this way. */
export async function awaitFitWorker(host: Host, handedBack: HandedBack): Promise<Stoppable<void>> {
  const { session, stopper } = host;
  const { lack, need, begun, taskQueue } = handedBack;
  // a stop may have come while the task was offered, or when a fit worker was found
  const isStopped = () => stopper.stops !== begun || session.stop === 'abort';
  if (isStopped()) return { type: 'left_behind' };
  const wait = { lack };
  session.lacks.add(wait);
  session.announceOnce(
    workerLacks,
    `${lack} The session waits for a worker that has it, and then continues.`,
  );
  session.changed();
  const outcome = await stopper.run(() => schedule('awaitWorker', need, { taskQueue }));
  session.lacks.delete(wait);
  session.changed();
  return isStopped() ? { type: 'left_behind' } : outcome;
}
