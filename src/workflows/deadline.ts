// The deadline of a run as a durable timer (HOOK-13). Runs in the workflow; after a hand-over a new timer waits for the
// rest of the time.
import { CancellationScope, sleep } from '@temporalio/workflow';
import { type RunDeadline, type Session, isSameDeadline } from '../core/session/session.ts';

export class Deadline {
  #timer: (RunDeadline & { scope: CancellationScope }) | undefined;

  /** Called after every change. The timer starts with the run's first turn; for deadlineAt, with the run. */
  follow(session: Session): void {
    const { deadline } = session;
    if (isSameDeadline(this.#timer, deadline)) return;
    this.#timer?.scope.cancel();
    this.#timer = undefined;
    if (!deadline) return;
    const { runId, at } = deadline;
    const scope = new CancellationScope();
    this.#timer = { ...deadline, scope };
    const leftMs = Math.max(1, at - session.now());
    const expired = scope.run(() => sleep(leftMs, { summary: 'deadline of the run' }));
    expired.then(
      () => session.timeOut(runId),
      () => undefined,
    );
  }
}
