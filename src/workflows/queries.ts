// What a session answers when asked: read from its state, changing nothing. Runs in the workflow; a query that throws
// would only reach its caller.
import { setHandler, workflowInfo } from '@temporalio/workflow';
import { toQueryAnswer } from '../core/checkpoint.ts';
import { queueNames } from '../core/inbox.ts';
import { snapshotOf } from '../core/snapshot-of.ts';
import { pageOf, viewPageOf } from '../core/transcript.ts';
import { checkpointPage, currentCheckpoint } from './checkpoints.ts';
import type { Session } from './session.ts';
import * as api from './workflow-api.ts';

export function registerQueries(session: Session): void {
  const { inbox, store, approvals } = session;
  setHandler(api.snapshotQuery, () =>
    snapshotOf(session.state, inbox, {
      workflowRunId: workflowInfo().runId,
      lastEventSeq: store.events.lastSeq,
      ...(session.waitingFor ? { waitingFor: session.waitingFor } : {}),
      ...(session.waitingReason === undefined ? {} : { waitingReason: session.waitingReason }),
      openMessage: store.openMessage,
      approvals: approvals.pending,
      continuedAsNew: session.handOvers,
      labels: session.input.labels ?? {},
    }),
  );
  setHandler(api.getEventsQuery, (afterSeq, limit) => store.events.page(afterSeq, limit));
  setHandler(api.getMessagesQuery, (afterSeq, limit) => pageOf(session.state, afterSeq + 1, limit));
  setHandler(api.getViewQuery, (_epoch, fromSeq) => viewPageOf(session.state, fromSeq));
  setHandler(api.getFrozenContextQuery, (digest) => {
    const { context } = session.state;
    return context?.digest === digest ? context : null;
  });
  setHandler(api.getResultQuery, (runId) => {
    const { lastResult } = session.state;
    return lastResult && (runId === undefined || lastResult.runId === runId) ? lastResult : null;
  });
  setHandler(api.getReceiptQuery, (id) => inbox.receipt(id) ?? null);
  setHandler(api.hasQueuedMessagesQuery, () => queueNames.some((queue) => inbox.waiting(queue) > 0));
  setHandler(api.checkpointQuery, () => toQueryAnswer(currentCheckpoint(session), session.state.log.records));
  setHandler(api.getCheckpointPageQuery, (offset) => checkpointPage(session, offset));
  setHandler(api.pendingApprovalsQuery, () => approvals.pending);
}
