// Stops what is in flight: cancels it, gives its body a grace to return what it has, and goes on without it when
// it does not answer. Runs in the workflow.
import { CancellationScope, Trigger, condition } from '@temporalio/workflow';

/** For a body to return what it has (TOOL-18). */
const graceMs = 3_000;

export type Stoppable<T> =
  | { type: 'done'; value: T }
  | { type: 'failed'; error: unknown }
  /** It did not answer the stop in time; whatever comes later is ignored. */
  | { type: 'left_behind' };

export class Stopper {
  readonly #active = new Set<() => void>();

  /** Cancels everything in flight. What starts later is not affected. */
  stopAll(): void {
    for (const stop of this.#active) stop();
  }

  async run<T>(work: () => Promise<T>): Promise<Stoppable<T>> {
    const scope = new CancellationScope();
    const stopped = new Trigger<'stopped'>();
    let outcome: Stoppable<T> | undefined;
    // both outcomes attached at once: a late rejection would fail the workflow task
    const settled = scope.run(work).then(
      (value) => (outcome = { type: 'done' as const, value }),
      (error: unknown) => (outcome = { type: 'failed' as const, error }),
    );
    const stop = (): void => {
      scope.cancel();
      stopped.resolve('stopped');
    };
    this.#active.add(stop);
    try {
      const first = await Promise.race([settled, stopped]);
      if (first !== 'stopped') return first;
      await condition(() => outcome !== undefined, graceMs, { summary: 'grace for a stopped call' });
      return outcome ?? { type: 'left_behind' };
    } finally {
      this.#active.delete(stop);
    }
  }
}
