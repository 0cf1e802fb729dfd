// Child sessions as child workflows of the same type: a link and a line in the UI, cancelled with the work that wants them.
// Runs in the workflow.
import {
  CancelledFailure,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  executeChild,
  ParentClosePolicy,
  TerminatedFailure,
} from '@temporalio/workflow';
import { messageOf } from '../core/base/message-of.ts';
import type { ChildEffects, ChildOutcome, ChildRequest } from '../core/loop/effects.ts';
import type { SessionResult } from '../core/model/run-result.ts';
import { agentSessionType } from './workflow-api.ts';
import type { Stoppable, Stopper } from './stopper.ts';

/**
 * A child has a grace of its own for what is in flight, and its children have theirs; then it stores its result. Only a child
 * that nobody serves any more takes longer, and its parent continues without it.
 */
const graceMs = 120_000;

export function createChildSessions(stopper: Stopper): ChildEffects {
  return {
    run: (request, take) =>
      stopper.runAndRead(
        () => start(request),
        (end) => take(toOutcome(end)),
        graceMs,
      ),
  };
}

function start({ id, name, input }: ChildRequest): Promise<SessionResult> {
  return executeChild<(given: typeof input) => Promise<SessionResult>>(agentSessionType, {
    // the name alone: a task holds words of people and models, and makes the label of the timeline too long
    ...{ workflowId: id, args: [input], staticSummary: name },
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
