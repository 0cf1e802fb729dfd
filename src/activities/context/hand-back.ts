// A task that this worker cannot do goes back to its queue, where another worker may take it. Runs in activities,
// before anything of the task has begun; the workflow waits where no worker can (workflows/fit-worker).
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ModelLedger } from '../../core/model/activity-contracts.ts';
import { workerLacks } from '../../core/base/failures.ts';

/** So often a task is offered around before its session waits visibly for a worker. */
const offers = 5;
/** Long enough for another worker to be free, short enough not to be noticed. */
const nextOffer = '200ms';
/** Beside a fit worker the unfit one may meet the task many times in a row; later on nobody is expected at once. */
const quickOffers = 25;

/** The failure to throw: `what` names the missing part, and what to do about it. */
export function handBack(identity: string, what: string): ApplicationFailure {
  const { activityType, attempt, taskQueue } = Context.current().info;
  // the wait itself is Temporal's to repeat, for as long as it takes
  const waits = activityType === 'awaitWorker';
  return ApplicationFailure.create({
    type: workerLacks,
    message: `Worker ${identity} on task queue ${taskQueue} ${what}`,
    category: ApplicationFailureCategory.BENIGN,
    nonRetryable: !waits && attempt >= offers,
    ...(waits && attempt > quickOffers ? {} : { nextRetryDelay: nextOffer }),
  });
}

/** Of a task that nothing here is registered for. */
export function handBackUnknown(identity: string): ApplicationFailure {
  const { activityType } = Context.current().info;
  const [, tool] = /^tool\.(.*)/.exec(activityType) ?? [];
  return handBack(
    identity,
    tool === undefined ? `has no activity "${activityType}".` : `has no tool "${tool}".`,
  );
}

export function isHandBack(error: unknown): error is ApplicationFailure {
  return error instanceof ApplicationFailure && error.type === workerLacks;
}

/** With what a model call has used up so far: the workflow gives it to the next one. */
export function handedBack(failure: ApplicationFailure, ledger: ModelLedger): ApplicationFailure {
  const { message, type, nonRetryable, nextRetryDelay, category } = failure;
  return new ApplicationFailure(
    message,
    type,
    nonRetryable,
    [{ ledger }],
    undefined,
    nextRetryDelay,
    category,
  );
}
