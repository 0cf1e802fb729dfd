// Texts about a host that does not answer. Runs in the workflow.
import { TimeoutFailure } from '@temporalio/workflow';
import type { Unanswered } from '../../core/loop/effects.ts';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { noWorker, notServed } from '../../core/tools/host-answers.ts';
import { messageOf } from '@holdfast/base/message-of';
import { causeOf, lackOf } from '../activity-failure.ts';

/** A clause for the end of a sentence, without a full stop. */
export function whyMissing(error: unknown): string {
  const cause = causeOf(error);
  if (!(cause instanceof TimeoutFailure)) return messageOf(cause).replace(/\.$/, '');
  return cause.timeoutType === 'SCHEDULE_TO_START' ? noWorker : 'its worker gave no answer in time';
}

/** The answer to a call that its host did not run; undefined if it is an ordinary loss of a worker. */
export function describeHostFailure(
  error: unknown,
  effect: ToolEffect,
  host: string,
): Unanswered | undefined {
  const lack = lackOf(error);
  if (lack !== undefined) return { text: notServed(host, lack.replace(/\.$/, '')), outcome: 'not_run' };
  const cause = causeOf(error);
  if (!(cause instanceof TimeoutFailure) || cause.timeoutType !== 'SCHEDULE_TO_START') return undefined;
  // the failure of the previous attempt: the body may have begun in it
  if (!cause.failure?.cause) return { text: notServed(host), outcome: 'not_run' };
  const hint = effect === 'read' ? '' : ' It may have taken effect: verify before you repeat it.';
  const text = `The worker of host ${host} was lost while the tool ran, and none serves it now: no result.${hint}`;
  return { text, outcome: 'unknown' };
}
