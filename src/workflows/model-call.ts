// One model call: an activity that a stop reaches, and what its outcome is to the loop. Runs in the workflow.
import { isCancellation, scheduleActivity } from '@temporalio/workflow';
import type { CallModelInput, CallModelResult, FrozenContext } from '../core/activity-contracts.ts';
import { recoveryOf } from '../core/failures.ts';
import type { ModelOutcome } from '../core/ports.ts';
import { failureOf, paidBy } from './activity-failure.ts';
import { callModelOptions } from './activity-options.ts';
import type { Session } from './session.ts';
import type { Stoppable } from './stopper.ts';
import { modelSummary } from './visibility.ts';

export function callModel(session: Session, input: CallModelInput): Promise<ModelOutcome> {
  session.deadline.watch(session);
  const options = {
    ...callModelOptions(session.settings, modelSummary(session)),
    ...modelQueue(session.state.context),
  };
  return session.stopper.runAndRead(
    () => scheduleActivity<CallModelResult>('callModel', [{ ...input, ...continued(session) }], options),
    toOutcome,
  );
}

/** Once, in the first turn after a hand-over: afterwards the worker knows it, or has paged it. */
function continued({ turns, continuedFrom }: Session): { continuedFrom?: string } {
  return turns === 0 && continuedFrom !== undefined ? { continuedFrom } : {};
}

function toOutcome(outcome: Stoppable<CallModelResult>): ModelOutcome {
  if (outcome.type === 'left_behind') return { type: 'stopped' };
  if (outcome.type === 'failed') {
    if (isCancellation(outcome.error)) return { type: 'stopped' };
    const { failure, type } = failureOf(outcome.error);
    const paid = paidBy(outcome.error);
    return { type: 'failed', failure, recovery: recoveryOf(type), ...(paid ? { paid } : {}) };
  }
  return outcome.value.interrupted
    ? { type: 'stopped', result: outcome.value }
    : { type: 'reply', result: outcome.value };
}

/** A queue of its own is how a provider's rate is limited over all workers. */
function modelQueue(context: FrozenContext | undefined): { taskQueue?: string } {
  return context?.modelTaskQueue === undefined ? {} : { taskQueue: context.modelTaskQueue };
}
