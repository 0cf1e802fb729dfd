// What the model reads when a tool's activity gave no result: by what is known of the effect, never a guess.
import { ApplicationFailure, TimeoutFailure, isCancellation } from '@temporalio/workflow';
import { abortedText } from '../core/state/reduce-tools.ts';
import type { ToolEffect } from '../core/model/tool-spec.ts';
import { causeOf, isWorkerLost } from './activity-failure.ts';

const unknownOutcome =
  'Outcome unknown: the worker was lost while this tool ran, so it may have taken effect or not. ' +
  'Verify with a read before you repeat it.';

/** Text of the error result for a failed tool activity. */
export function describeToolFailure(
  error: unknown,
  effect: ToolEffect,
  taskQueue: string | undefined,
): string {
  if (isCancellation(error)) return abortedText(effect);
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START') {
    return `Not run: no worker polls the queue ${taskQueue ?? ''} of this tool. Nothing was changed.`;
  }
  const lost =
    cause instanceof TimeoutFailure ||
    isWorkerLost(cause) ||
    (cause instanceof ApplicationFailure && cause.type === 'WorkerShutdown');
  if (lost)
    return effect === 'once'
      ? unknownOutcome
      : 'The tool lost its worker on every attempt, and gave no result.';
  const reason = cause instanceof Error ? cause.message : 'no reason given';
  const [unknown, hint] =
    effect === 'read'
      ? ['The tool failed', '']
      : ['Outcome unknown: the tool failed', ' It may have taken effect: verify before you repeat it.'];
  return `${unknown}: ${reason}${reason.endsWith('.') ? '' : '.'}${hint}`;
}
