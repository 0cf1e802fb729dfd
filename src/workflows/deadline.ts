// The deadline of a run: a durable timer that stops it (HOOK-13). Runs in the workflow; after a hand-over the rest of the
// time is waited for anew.
import { CancellationScope, sleep } from '@temporalio/workflow';
import type { Session } from '../core/session/session.ts';

export class Deadline {
  #timer: { runId: string; scope: CancellationScope } | undefined;

  /** Called after every change: the timer begins with the run's context and goes with the run. */
  follow(session: Session): void {
    const { run, context } = session.state;
    if (this.#timer && this.#timer.runId !== run?.runId) this.#stop();
    // before its context is assembled, the context in the state is of the run before
    const deadlineMs = run && run.turn > 0 ? context?.settings.deadlineMs : undefined;
    if (!run || deadlineMs === undefined || this.#timer) return;
    const scope = new CancellationScope();
    this.#timer = { runId: run.runId, scope };
    const leftMs = Math.max(1, run.startedAt + deadlineMs - session.now());
    const expired = scope.run(() => sleep(leftMs, { summary: 'deadline of the run' }));
    expired.then(
      () => session.timeOut(run.runId),
      () => undefined,
    );
  }

  #stop(): void {
    this.#timer?.scope.cancel();
    this.#timer = undefined;
  }
}
