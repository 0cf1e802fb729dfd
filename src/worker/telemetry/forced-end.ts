// A worker that was told to end and had work that did not. The SDK ends it by force, and then its own cleaning up fails
// ("should have been disposed first", "Worker still in use") and hides that.
import type { Worker } from '@temporalio/worker';

/** The work that was left counts as lost; nothing is to be reported. */
export class ForcedEndError extends Error {}

// by name: every command knows this file, and few need the SDK's worker
const names = ['IllegalStateError', 'GracefulShutdownPeriodExpiredError'];

const toldAt = new WeakMap<Worker, number>();

export function noteForcedEnd(worker: Worker): void {
  toldAt.set(worker, performance.now());
}

/** The error of a worker that has failed, in our words if it is that of a forced end. */
export function toForcedEnd(worker: Worker, error: unknown): unknown {
  const { shutdownForceTimeMs: longestMs } = worker.options;
  const told = toldAt.get(worker);
  const isOfEnd = error instanceof Error && names.includes(error.name);
  if (!isOfEnd || told === undefined || longestMs === undefined) return error;
  if (performance.now() - told < longestMs) return error;
  return new ForcedEndError(
    `The worker was told to end, and was ended by force after ${Math.round(longestMs / 1_000)} s, because some of its work ` +
      'did not end. Its calls count as lost, and its sessions continue on the next worker.',
    { cause: error },
  );
}
