// One tool call as an activity of its own type, and the text for the model if there is no result: based on the known
// effect, never a guess. Runs in the workflow.
import { ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { Take, ToolCallOutcome, ToolCallRequest, Unanswered } from '../../core/loop/effects.ts';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { causeOf, isWorkerLost, lackOf } from '../activity-failure.ts';
import { abortedText, unknownOutcome } from '../../core/state/own-answers.ts';
import { handedBackOptions, hostStartTimeout, scheduleTool, toolOptions } from '../activity-options.ts';
import { type HandedBack, awaitFitWorker } from './fit-worker.ts';
import { describeHostFailure } from './host-calls.ts';
import { type Stoppable, type Host, failedWith } from './stopper.ts';

export function runToolActivity<T>(
  host: Host,
  request: ToolCallRequest,
  take: Take<ToolCallOutcome, T>,
  again: ActivityOptions = {},
): Promise<T> {
  const { session, stopper } = host;
  const { spec, effect, input, summary, host: onHost } = request;
  const patience = onHost === undefined ? undefined : hostStartTimeout;
  const options = { ...toolOptions({ ...spec, effect }, session.settings, summary, patience), ...again };
  const begun = stopper.stops;
  return stopper.runAndRead(
    () => scheduleTool(`tool.${spec.name}`, input, options),
    (end) => {
      const lack = end.type === 'failed' ? lackOf(end.error) : undefined;
      const isLost = end.type === 'failed' && stopper.stops === begun && isReconcilable(request, end.error);
      if (lack === undefined && isLost) return reconcile(host, request, end, take);
      // a host has no other worker to wait for
      if (lack === undefined || onHost !== undefined) return take(toOutcome(host, request, end));
      const need = { tool: spec.name, contextDigest: input.contextDigest };
      return runOnFitWorker(host, request, { lack, need, begun, taskQueue: spec.taskQueue }, take);
    },
  );
}

function toOutcome(
  { session }: Host,
  { spec, effect, host: onHost }: ToolCallRequest,
  end: Stoppable<ToolCallResult>,
): ToolCallOutcome {
  if (end.type === 'left_behind') return { type: 'no_answer', text: abortedText(effect), outcome: 'unknown' };
  if (end.type === 'failed') {
    const unanswered =
      (onHost === undefined ? undefined : describeHostFailure(end.error, effect, onHost)) ??
      describeToolFailure(end.error, effect, spec.taskQueue, {
        beats: onHost !== undefined || spec.taskQueue === undefined,
      });
    return { type: 'no_answer', ...unanswered };
  }
  const { notice, unclaimed, ...answer } = end.value;
  if (notice !== undefined) session.announceOnce('Worker.Differs', notice);
  if (unclaimed !== undefined) session.announceOnce('Call.Unclaimed', unclaimed);
  return { type: 'answered', answer };
}

/** The call has not begun, so even a `once` call can be scheduled again. */
async function runOnFitWorker<T>(
  host: Host,
  request: ToolCallRequest,
  handedBack: HandedBack,
  take: Take<ToolCallOutcome, T>,
): Promise<T> {
  const waited = await awaitFitWorker(host, handedBack);
  if (waited.type === 'done') return runToolActivity(host, request, take, handedBackOptions);
  return take(failedWith(waited) ? toOutcome(host, request, waited) : { type: 'stopped' });
}

/**
 * Lets the tool find out if its lost call happened. Another activity type than the tool's: a worker whose tool has no
 * `reconcile` hands it back and never runs the body again.
 */
function reconcile<T>(
  host: Host,
  request: ToolCallRequest,
  lost: Stoppable<ToolCallResult>,
  take: Take<ToolCallOutcome, T>,
): Promise<T> {
  const { spec, input, summary } = request;
  const options = toolOptions({ ...spec, effect: 'read' }, host.session.settings, `reconcile ${summary}`);
  return host.stopper.runAndRead(
    () => scheduleTool(`reconcile.${spec.name}`, input, options),
    // without an answer, only the loss is known
    (found) => take(toOutcome(host, request, found.type === 'failed' ? lost : found)),
  );
}

/** True for a call that may have taken effect, of a tool that can find out. */
export function isReconcilable({ spec, effect }: ToolCallRequest, error: unknown): boolean {
  return effect === 'once' && spec.reconciles === true && !isCancellation(error) && !isNotBegun(error);
}

function isNotBegun(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START';
}

const notBegun = 'Not run: its worker was lost before the call began. Nothing was changed.';

/**
 * True if the lost attempt had sent a heartbeat. A changing body begins only after the server has taken a heartbeat
 * (activities/base/confirm-start), so without one nothing began.
 */
function hasBeaten(cause: unknown): boolean {
  if (cause instanceof TimeoutFailure) return cause.lastHeartbeatDetails !== undefined;
  // the worker died: worker/take-over recorded the heartbeat in the details
  return !(cause instanceof ApplicationFailure && isWorkerLost(cause)) || cause.details?.[0] !== false;
}

/**
 * Text of the error result for a failed tool activity, and the outcome of the call. `beats`: its worker is known to
 * send a heartbeat before a changing body begins, which a worker of another program need not do.
 */
export function describeToolFailure(
  error: unknown,
  effect: ToolEffect,
  taskQueue: string | undefined,
  { beats = false } = {},
): Unanswered {
  if (isCancellation(error)) return { text: abortedText(effect), outcome: 'unknown' };
  const cause = causeOf(error);
  if (isNotBegun(error)) {
    const text = `Not run: no worker polls the queue ${taskQueue ?? ''} of this tool. Nothing was changed.`;
    return { text, outcome: 'not_run' };
  }
  if (effect === 'once' && beats && !hasBeaten(cause)) return { text: notBegun, outcome: 'not_run' };
  const lost =
    cause instanceof TimeoutFailure ||
    isWorkerLost(cause) ||
    (cause instanceof ApplicationFailure && cause.type === 'WorkerShutdown');
  if (lost) {
    const again = 'The tool lost its worker on every attempt, and gave no result.';
    return { text: effect === 'once' ? unknownOutcome : again, outcome: 'unknown' };
  }
  const reason = cause instanceof Error ? cause.message : 'no reason given';
  const [unknown, hint] =
    effect === 'read'
      ? ['The tool failed', '']
      : ['Outcome unknown: the tool failed', ' It may have taken effect: verify before you repeat it.'];
  const text = `${unknown}: ${reason}${reason.endsWith('.') ? '' : '.'}${hint}`;
  return { text, outcome: effect === 'read' ? 'failed' : 'unknown' };
}
