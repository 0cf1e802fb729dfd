// A task that was handed back, because its worker lacks a part, waits for a worker that has it: visibly, for as long as
// it takes, and without a further event (WORKER-01). Runs in the workflow.
import { scheduleActivity } from '@temporalio/workflow';
import type { WorkerNeed } from '../core/model/activity-contracts.ts';
import { workerLacks } from '../core/base/failures.ts';
import { lackOf } from './activity-failure.ts';
import { awaitWorkerOptions } from './activity-options.ts';
import type { Stoppable, Host } from './stopper.ts';

/** Work that can be handed back: done again once a fit worker is there. */
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
  /** What was missing where. */
  lack: string;
  need: WorkerNeed;
  /** `stops` of the stopper when the task was asked for. */
  begun: number;
  /** Absent: the session's own. */
  taskQueue?: string | undefined;
};

/** `done`: a fit worker is there, and the task can be scheduled anew; after a stop it never is. */
export async function awaitFitWorker(host: Host, handedBack: HandedBack): Promise<Stoppable<void>> {
  const { session, stopper } = host;
  const { lack, need, begun, taskQueue } = handedBack;
  // a stop may have come while the task was offered, or in the moment in which a fit worker was found
  const isStopped = () => stopper.stops !== begun || session.stop === 'abort';
  if (isStopped()) return { type: 'left_behind' };
  const wait = { lack };
  session.lacks.add(wait);
  session.announceOnce(
    workerLacks,
    `${lack} The session waits for a worker that has it, and then continues.`,
  );
  session.changed();
  const outcome = await stopper.run(() =>
    scheduleActivity<void>('awaitWorker', [need], awaitWorkerOptions(taskQueue)),
  );
  session.lacks.delete(wait);
  session.changed();
  return isStopped() ? { type: 'left_behind' } : outcome;
}
