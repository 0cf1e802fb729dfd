// Stops work in flight: cancels it, gives its body a grace period to return what it has, and continues without it if it
// does not answer. Runs in the workflow.
import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import { isWorkerLost } from '../activity-failure.ts';
import type { Session } from '../../core/session/session.ts';

/** Grace for a body to return what it has (TOOL-18). */
export const graceMs = 3_000;
/** Listeners accumulate on a scope; it is replaced after this many calls. */
const callsPerScope = 50;

export type Stoppable<T> =
  | { type: 'done'; value: T }
  | { type: 'failed'; error: unknown }
  /** It did not answer the stop in time; a later answer is ignored. */
  | { type: 'left_behind' };

type Shared = { scope: CallScope; calls: number };

/** The SDK's own method wraps the work in two more promises, for a timeout that is not used here. */
class CallScope extends CancellationScope {
  protected override runInContext<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }
}

/**
 * All calls share one scope, and no call waits for anything that outlives it: the SDK keeps a stack of several KB for
 * every promise that never settles. A scope or a race per call would leave such promises behind in an idle session.
 */
export class Stopper {
  readonly #stops = new Set<() => void>();
  #shared: Shared | undefined;
  #graceEnds = 0;
  /** Number of stops so far: a caller compares it to see if its request is still wanted. */
  stops = 0;

  /** Cancels everything in flight. What starts later is not affected. */
  stopAll(): void {
    this.stops += 1;
    this.#graceEnds = Date.now() + graceMs;
    this.#giveUpScope();
    for (const stop of this.#stops) stop();
  }

  run<T>(work: () => Promise<T>): Promise<Stoppable<T>> {
    return this.runAndRead(work, (end) => end);
  }

  /**
   * `read` converts the outcome here, because every further promise costs in the sandbox. `grace` is the time in ms in
   * which stopped work may end by itself.
   */
  runAndRead<T, Result>(
    work: () => Promise<T>,
    read: (end: Stoppable<T>) => Result | Promise<Result>,
    grace = graceMs,
  ): Promise<Result> {
    const caller = CancellationScope.current();
    const scope = this.#takeScope();
    return new Promise((resolve, reject) => {
      let outcome: Stoppable<T> | undefined;
      const stop = (): void => {
        this.#stops.delete(stop);
        // in the caller's scope: a stop may come from one that is cancelled itself
        resolve(caller.run(() => afterGrace(() => outcome, grace).then(read)));
      };
      const end = (ended: Stoppable<T>): void => {
        outcome = ended;
        // after a stop the grace decides: its timer ends before the loop continues
        if (this.#stops.delete(stop)) settle(ended);
      };
      const settle = (ended: Stoppable<T>): void => {
        try {
          resolve(read(ended));
        } catch (error) {
          reject(error);
        }
      };
      this.#stops.add(stop);
      // both outcomes attached at once: a late rejection would fail the workflow task
      scope.run(work).then(
        (value) => end({ type: 'done', value }),
        (error: unknown) => end({ type: 'failed', error }),
      );
    });
  }

  /** Runs work that is needed even after a stop: it has the rest of the grace period, and is then cancelled. */
  async runOut<T>(work: () => Promise<T>): Promise<Stoppable<T>> {
    const left = this.#graceEnds - Date.now();
    if (left <= 0) return { type: 'left_behind' };
    const scope = new CancellationScope();
    let outcome: Stoppable<T> | undefined;
    scope.run(work).then(
      (value) => (outcome = { type: 'done', value }),
      (error: unknown) => (outcome = { type: 'failed', error }),
    );
    await condition(() => outcome !== undefined, left, { summary: 'rest of the grace for a stopped call' });
    if (outcome) return outcome;
    scope.cancel();
    return { type: 'left_behind' };
  }

  #takeScope(): CallScope {
    // nothing is in flight on the scope, so dropping it cancels nothing
    if (this.#stops.size === 0 && (this.#shared?.calls ?? 0) >= callsPerScope) this.#giveUpScope();
    this.#shared ??= { scope: new CallScope(), calls: 0 };
    this.#shared.calls += 1;
    return this.#shared.scope;
  }

  #giveUpScope(): void {
    this.#shared?.scope.cancel();
    this.#shared = undefined;
  }
}

async function afterGrace<T>(outcome: () => Stoppable<T> | undefined, grace: number): Promise<Stoppable<T>> {
  // the cancellations are sent before the timer starts
  await Promise.resolve();
  await condition(() => outcome() !== undefined, grace, { summary: 'grace for a stopped call' });
  const ended = outcome();
  // its worker died, so that nothing could answer the stop
  const answered = ended && !(ended.type === 'failed' && isWorkerLost(ended.error));
  return answered ? ended : { type: 'left_behind' };
}

/** Shared by the effects of one execution. */
export type Host = { session: Session; stopper: Stopper };

/** Undefined if a stop ended it, or it answered a cancellation. */
export function failedWith(
  outcome: Exclude<Stoppable<unknown>, { type: 'done' }>,
): { error: unknown } | undefined {
  return outcome.type === 'left_behind' || isCancellation(outcome.error) ? undefined : outcome;
}
