// The deadline of a run as a durable timer (HOOK-13). Runs in the workflow; after a hand-over the rest of the time is
// waited for anew.
import { CancellationScope, sleep } from '@temporalio/workflow';
import type { Session } from '../core/session/session.ts';

export class Deadline {
  #timer: { runId: string; scope: CancellationScope } | undefined;

  /** Called after every change: the timer begins with the run's first turn and is gone when the run ends. */
  follow(session: Session): void {
    const { deadline } = session;
    if (this.#timer?.runId === deadline?.runId) return;
    this.#timer?.scope.cancel();
    this.#timer = undefined;
    if (!deadline) return;
    const { runId, at } = deadline;
    const scope = new CancellationScope();
    this.#timer = { runId, scope };
    const leftMs = Math.max(1, at - session.now());
    const expired = scope.run(() => sleep(leftMs, { summary: 'deadline of the run' }));
    expired.then(
      () => session.timeOut(runId),
      () => undefined,
    );
  }
}
