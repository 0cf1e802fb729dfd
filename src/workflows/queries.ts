// What a session answers when asked: read from its state, changing nothing. Runs in the workflow; a query that throws
// would only reach its caller.
import type { QueryDefinition } from '@temporalio/workflow';
import { setHandler, workflowInfo } from '@temporalio/workflow';
import { toQueryAnswer } from '../core/checkpoint/checkpoint.ts';
import { queueNames } from '../core/session/inbox.ts';
import { snapshotOf } from '../core/session/snapshot-of.ts';
import type { Snapshot } from '../core/model/snapshot.ts';
import { pageOf, viewPageOf } from '../core/view/log.ts';
import { checkpointPage, currentCheckpoint } from './checkpoints.ts';
import type { Session } from './session.ts';
import * as api from './workflow-api.ts';

export function registerQueries(session: Session): void {
  const { inbox, store, approvals } = session;
  on(api.snapshotQuery, 'State, wait, cost, queues, usage and pending approvals.', () =>
    takeSnapshot(session),
  );
  on(
    api.pendingApprovalsQuery,
    'Calls that wait for a person, with their whole arguments.',
    () => approvals.pending,
  );
  on(api.getEventsQuery, 'Events after a number: afterSeq, limit?.', (afterSeq, limit?) =>
    store.events.page(afterSeq, limit),
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
  on(api.checkpointQuery, 'The whole session as one document to go on from.', () =>
    toQueryAnswer(currentCheckpoint(session), session.state.log.records),
  );
  registerInternal(session);
}

function registerInternal(session: Session): void {
  on(
    api.getCheckpointPageQuery,
    'Internal, for clients and workers: a page of the checkpoint: offset.',
    (offset) => checkpointPage(session, offset),
  );
  on(
    api.getFrozenContextQuery,
    'Internal, for clients and workers: the frozen context of a run: digest.',
    (digest) => {
      const { context } = session.state;
      return context?.digest === digest ? context : null;
    },
  );
  on(api.getViewQuery, 'Internal, for workers: a page of the view: epoch, fromSeq.', (epoch, fromSeq) =>
    viewPageOf(session.state, epoch, fromSeq),
  );
}

function on<Answer, Args extends unknown[]>(
  query: QueryDefinition<Answer, Args>,
  description: string,
  answer: (...args: Args) => Answer,
): void {
  setHandler(query, answer, { description });
}

function takeSnapshot(session: Session): Snapshot {
  return snapshotOf(session.state, session.inbox, {
    workflowRunId: workflowInfo().runId,
    lastEventSeq: session.store.events.lastSeq,
    ...(session.waitingFor ? { waitingFor: session.waitingFor } : {}),
    ...(session.waitingReason === undefined ? {} : { waitingReason: session.waitingReason }),
    openMessage: session.store.openMessage,
    approvals: session.approvals.pending,
    continuedAsNew: session.handOvers,
    labels: session.input.labels ?? {},
  });
}
