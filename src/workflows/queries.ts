// The queries of a session: a table of getters. They read the state and change nothing.
import { setHandler, workflowInfo } from '@temporalio/workflow';
import type { QueryDefinition } from '@temporalio/workflow';
import { pageOfCheckpoint } from '../core/checkpoint/checkpoint-pages.ts';
import { checkpointOf, toQueryAnswer } from '../core/checkpoint/checkpoint.ts';
import type { Checkpoint } from '../core/model/session-input.ts';
import { queueNames } from '../core/session/inbox.ts';
import type { Session } from '../core/session/session.ts';
import { snapshotOf } from '../core/session/snapshot-of.ts';
import { pageOf, viewPageOf } from '../core/view/log.ts';
import * as api from './workflow-api.ts';

export function registerQueries(session: Session): void {
  const { inbox, events, approvals } = session;
  on(api.snapshotQuery, 'State, wait, cost, queues, usage and pending approvals.', () =>
    snapshotOf(session, workflowInfo().runId),
  );
  on(
    api.pendingApprovalsQuery,
    'Calls that wait for a person, with their whole arguments.',
    () => approvals.pending,
  );
  on(api.getEventsQuery, 'Events after a number: afterSeq, limit?.', (afterSeq, limit?) =>
    events.page(afterSeq, limit),
  );
  on(api.getMessagesQuery, 'Messages of the log after a number: afterSeq, limit?.', (afterSeq, limit?) =>
    pageOf(session.state, afterSeq + 1, limit),
  );
  on(api.getResultQuery, 'Result of the last run, or of the one named: runId?.', (runId?) => {
    const { lastResult } = session.state;
    return lastResult && (runId === undefined || lastResult.runId === runId) ? lastResult : null;
  });
  on(api.getReceiptQuery, 'State of a steering message or follow-up: id.', (id) => inbox.receipt(id) ?? null);
  on(api.hasQueuedMessagesQuery, 'Whether a steering message or follow-up waits.', () =>
    queueNames.some((queue) => inbox.waiting(queue) > 0),
  );
  on(api.checkpointQuery, 'The whole session as one document to continue from.', () =>
    toQueryAnswer(currentCheckpoint(session), session.state.log.records),
  );
  registerInternal(session);
}

function registerInternal(session: Session): void {
  on(api.getCheckpointPageQuery, 'Internal: a page of the checkpoint: offset.', (offset) => {
    const checkpoint = currentCheckpoint(session);
    return pageOfCheckpoint(checkpoint, `${checkpoint.created_at}/${session.events.lastSeq}`, offset);
  });
  on(api.getFrozenContextQuery, 'Internal: the frozen context of a run: digest.', (digest) => {
    const { context } = session.state;
    return context?.digest === digest ? context : null;
  });
  on(api.getViewQuery, 'Internal: a page of the view: epoch, fromSeq.', (_epoch, fromSeq) =>
    viewPageOf(session.state, fromSeq),
  );
}

function on<Answer, Args extends unknown[]>(
  query: QueryDefinition<Answer, Args>,
  description: string,
  answer: (...args: Args) => Answer,
): void {
  setHandler(query, answer, { description });
}

function currentCheckpoint(session: Session): Checkpoint {
  const { taskId, input, approvals } = session;
  const awaiting = approvals.pending.map(({ id }) => id);
  return checkpointOf(session.state, { taskId, input, now: session.now(), awaiting });
}
