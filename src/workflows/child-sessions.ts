// Child sessions as child workflows of the same type: with a link and a line in the UI, cancelled together with the
// work that started them. Runs in the workflow.
import {
  CancelledFailure,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  executeChild,
  ParentClosePolicy,
  TerminatedFailure,
} from '@temporalio/workflow';
import { messageOf } from '../core/base/message-of.ts';
import type { ChildOutcome, ChildRequest, Take } from '../core/loop/effects.ts';
import type { SessionResult } from '../core/model/run-result.ts';
import { agentSessionType } from './workflow-api.ts';
import type { Stoppable, Stopper } from './stopper.ts';

/**
 * Time for a child to stop its own calls and children, and to store its result. Only a child without a worker takes
 * longer; its parent then continues without it.
 */
const graceMs = 120_000;

export function runChild<T>(
  stopper: Stopper,
  request: ChildRequest,
  take: Take<ChildOutcome, T>,
): Promise<T> {
  return stopper.runAndRead(
    () => start(request),
    (end) => take(toOutcome(end)),
    graceMs,
  );
}

function start({ id, name, input }: ChildRequest): Promise<SessionResult> {
  return executeChild<(given: typeof input) => Promise<SessionResult>>(agentSessionType, {
    // only the name: a task has words of people and models, and is too long for the timeline's label
    workflowId: id,
    args: [input],
    staticSummary: name,
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
}

function toOutcome(end: Stoppable<SessionResult>): ChildOutcome {
  if (end.type === 'done') return { type: 'ended', result: end.value };
  if (end.type === 'left_behind') return { type: 'stopped' };
  const cause = end.error instanceof ChildWorkflowFailure ? end.error.cause : end.error;
  if (cause instanceof CancelledFailure) return { type: 'stopped' };
  return { type: 'failed', message: cause instanceof TerminatedFailure ? 'terminated' : messageOf(cause) };
}
