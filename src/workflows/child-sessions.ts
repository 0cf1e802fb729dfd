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
import { cutToJsonBytes } from '../core/base/cut-text.ts';
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

/** Of a static summary, encoded; encryption adds to it. */
const summaryBytes = 320;

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

function start({ id, input, summary }: ChildRequest): Promise<SessionResult> {
  return executeChild<(given: typeof input) => Promise<SessionResult>>(agentSessionType, {
    ...{ workflowId: id, args: [input], staticSummary: cutToJsonBytes(summary, summaryBytes) },
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
