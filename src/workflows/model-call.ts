// One model call: an activity that a stop reaches, and what its outcome is to the loop. Runs in the workflow.
import { isCancellation, scheduleActivity } from '@temporalio/workflow';
import type { CallModelInput } from '../core/model/activity-contracts.ts';
import type { CallModelResult } from '../core/model/call-results.ts';
import type { FrozenContext } from '../core/model/frozen-context.ts';
import { recoveryOf } from '../core/base/failures.ts';
import type { ModelOutcome, Take } from '../core/loop/effects.ts';
import { failureOf, lackOf, ledgerOf, paidBy } from './activity-failure.ts';
import { callModelOptions } from './activity-options.ts';
import { awaitFitWorker } from './fit-worker.ts';
import type { Session } from '../core/session/session.ts';
import type { Stoppable, Host } from './stopper.ts';
import { modelSummary } from './visibility.ts';

export function callModel<T>(host: Host, input: CallModelInput, take: Take<ModelOutcome, T>): Promise<T> {
  const { session, stopper } = host;
  const options = {
    ...callModelOptions(session.settings, modelSummary(session)),
    ...modelQueue(session.state.context),
  };
  const begun = stopper.stops;
  return stopper.runAndRead(
    () => scheduleActivity<CallModelResult>('callModel', [{ ...input, ...continued(session) }], options),
    (end) => {
      const lack = end.type === 'failed' ? lackOf(end.error) : undefined;
      if (end.type !== 'failed' || lack === undefined) return take(toOutcome(host, end));
      return callOnFitWorker(host, input, { lack, error: end.error, begun }, take);
    },
  );
}

/** Once, in the first turn after a hand-over: afterwards the worker knows it, or has paged it. */
function continued({ turns, continuedFrom }: Session): { continuedFrom?: string } {
  return turns === 0 && continuedFrom !== undefined ? { continuedFrom } : {};
}

function toOutcome({ session }: Host, end: Stoppable<CallModelResult>): ModelOutcome {
  if (end.type === 'left_behind') return { type: 'stopped' };
  if (end.type === 'failed') return isCancellation(end.error) ? { type: 'stopped' } : toFailed(end.error);
  const { value } = end;
  if (value.notice !== undefined) session.announceOnce('Worker.Differs', value.notice);
  return value.interrupted ? { type: 'stopped', result: value } : { type: 'reply', result: value };
}

function toFailed(error: unknown): ModelOutcome {
  const { failure, type } = failureOf(error);
  const paid = paidBy(error);
  return { type: 'failed', failure, recovery: recoveryOf(type), ...(paid ? { paid } : {}) };
}

/** What its attempts have used up stays used up. */
async function callOnFitWorker<T>(
  host: Host,
  input: CallModelInput,
  { lack, error, begun }: { lack: string; error: unknown; begun: number },
  take: Take<ModelOutcome, T>,
): Promise<T> {
  const need = { contextDigest: input.contextDigest };
  const taskQueue = host.session.state.context?.modelTaskQueue;
  const waited = await awaitFitWorker(host, { lack, need, begun, taskQueue });
  if (waited.type !== 'done') return take(toOutcome(host, waited));
  const ledger = ledgerOf(error);
  return callModel(host, { ...input, ...(ledger ? { ledger } : {}) }, take);
}

/** A queue of its own is how a provider's rate is limited over all workers. */
function modelQueue(context: FrozenContext | undefined): { taskQueue?: string } {
  return context?.modelTaskQueue === undefined ? {} : { taskQueue: context.modelTaskQueue };
}
