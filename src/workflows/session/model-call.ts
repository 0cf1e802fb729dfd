// One model call: an activity that a stop reaches, and its outcome for the loop. Runs in the workflow.
import { defined } from '@holdfast/base/defined';
import { isCancellation } from '@temporalio/workflow';
import type { CallModelInput } from '@holdfast/vocabulary/activity-contracts';
import type { CallModelResult } from '@holdfast/vocabulary/call-results';
import type { ModelOutcome, Take } from '../../core/loop/effects.ts';
import { lackOf, ledgerOf, toModelFailed } from '../activity-failure.ts';
import { schedule } from '../activity-options.ts';
import { awaitFitWorker } from './fit-worker.ts';
import type { Stoppable, Host } from './stopper.ts';
import { modelSummary } from './visibility.ts';

export function callModel<T>(host: Host, input: CallModelInput, take: Take<ModelOutcome, T>): Promise<T> {
  const { session, stopper } = host;
  // a queue of its own limits a provider's rate over all workers
  const taskQueue = session.state.context?.modelTaskQueue;
  const summary = modelSummary(session);
  // sent once, in the first turn after a hand-over: afterwards the worker knows it, or has paged it
  const continuedFrom = session.turns === 0 ? session.continuedFrom : undefined;
  const sent = { ...input, ...defined({ continuedFrom }) };
  const begun = stopper.stops;
  return stopper.runAndRead(
    () => schedule('callModel', sent, { session, taskQueue, summary }),
    (end) => {
      const lack = end.type === 'failed' ? lackOf(end.error) : undefined;
      if (end.type !== 'failed' || lack === undefined) return take(toOutcome(host, end));
      return callOnFitWorker(host, input, { lack, error: end.error, begun }, take);
    },
  );
}

function toOutcome({ session }: Host, end: Stoppable<CallModelResult>): ModelOutcome {
  if (end.type === 'left_behind') return { type: 'stopped' };
  if (end.type === 'failed')
    return isCancellation(end.error) ? { type: 'stopped' } : toModelFailed(end.error);
  const { value } = end;
  if (value.notice !== undefined) session.announceOnce('Worker.Differs', value.notice);
  return value.interrupted ? { type: 'stopped', result: value } : { type: 'reply', result: value };
}

/** The usage of the earlier attempts still counts. */
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
  return callModel(host, { ...input, ...defined({ ledger }) }, take);
}
