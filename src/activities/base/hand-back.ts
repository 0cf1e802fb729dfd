// Hands a task that this worker cannot do back to its queue, where another worker may take it. Runs in activities, before
// anything of the task has begun. The workflow waits if no worker can (workflows/session/fit-worker.ts).
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ModelLedger } from '@holdfast/vocabulary/activity-contracts';
import { defined } from '@holdfast/base/defined';
import { workerLacks } from '@holdfast/base/failures';

/** Times a task is offered again before its session visibly waits for a worker. */
const offers = 5;
/** Long enough for another worker to be free, short enough not to be noticed. */
const nextOffer = '200ms';
/** Quick offers of a task that waits: beside a fit worker, the unfit one may get the task many times in a row. */
const quickOffers = 25;

/** Temporal repeats these by itself, for as long as their options say. */
const repeated = ['awaitSessionEnd', 'awaitWorker', 'deliver'];

/** Returns the failure to throw. `what` names the missing part and the remedy. */
export function handBack(identity: string, what: string): ApplicationFailure {
  const { activityType, attempt, taskQueue } = Context.current().info;
  const waits = repeated.includes(activityType);
  return ApplicationFailure.create({
    type: workerLacks,
    message: `Worker ${identity} on task queue ${taskQueue} ${what}`,
    category: ApplicationFailureCategory.BENIGN,
    nonRetryable: !waits && attempt >= offers,
    ...defined({ nextRetryDelay: waits && attempt > quickOffers ? undefined : nextOffer }),
  });
}

/** For a task whose activity is not registered here. */
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

/** Adds the usage of a model call so far, which the workflow gives to the next attempt. */
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
