// The deadline of a run: a durable timer that stops it (HOOK-13). Runs in the workflow; over a hand-over the rest of
// the time is waited for anew.
import { CancellationScope, sleep } from '@temporalio/workflow';
import type { AgentState } from '../core/model/agent-state.ts';

export class Deadline {
  #scope: CancellationScope | undefined;

  /** Begins to wait for the run in hand; without a deadline, or when it waits already, nothing happens. */
  watch(session: { state: AgentState; timeOut(runId: string): void }): void {
    const { run, context } = session.state;
    const deadlineMs = context?.settings.deadlineMs;
    if (!run || deadlineMs === undefined || this.#scope) return;
    const scope = new CancellationScope();
    this.#scope = scope;
    const leftMs = Math.max(1, run.startedAt + deadlineMs - Date.now());
    const expired = scope.run(() => sleep(leftMs, { summary: 'deadline of the run' }));
    expired.then(
      () => session.timeOut(run.runId),
      () => undefined,
    );
  }

  /** The run is over. */
  stop(): void {
    this.#scope?.cancel();
    this.#scope = undefined;
  }
}
