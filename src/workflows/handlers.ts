// What reaches a running session: signals and updates that only put things into the inbox, queries that only
// read. Synchronous, and none of them throws: a throw in a handler would block the workflow.
import { ApplicationFailure, setHandler, workflowInfo } from '@temporalio/workflow';
import type { QueueName } from '../core/events.ts';
import type { PromptInput } from '../core/session-input.ts';
import { viewHead } from '../core/condense.ts';
import { parsePrompt, parseQueued } from '../core/prompt.ts';
import { checkpointOf, snapshotOf } from '../core/snapshot-of.ts';
import type { ApprovalAnswer } from '../core/snapshot.ts';
import { pageOf } from '../core/transcript.ts';
import * as api from './workflow-api.ts';
import type { Session } from './session.ts';

/** Signals and updates. Before the first await: some may be there already, and are handled here and now. */
export function registerMessages(session: Session): void {
  registerSignals(session);
  registerUpdates(session);
}

function registerSignals(session: Session): void {
  const { inbox } = session;
  const signal = (work: () => void): void => {
    inbox.signals++;
    work();
    session.onChange();
  };
  setHandler(api.steerSignal, (payload) => signal(() => enqueue(session, 'steering', payload)), {
    description: 'A message for the running agent: {id, message, mode?}.',
  });
  setHandler(api.followUpSignal, (payload) => signal(() => enqueue(session, 'followUp', payload)), {
    description: 'A message for when the agent is done: {id, message}.',
  });
  setHandler(api.abortSignal, () => signal(() => session.abort()), { description: 'Ends the current run.' });
  setHandler(api.resumeSignal, () => signal(() => void (inbox.resume = true)), {
    description: 'Repeats the model call that waits for an operator.',
  });
  setHandler(api.clearQueuesSignal, () => signal(() => inbox.clear()), {
    description: 'Drops queued steering and follow-ups.',
  });
  setHandler(api.shutdownSignal, () => signal(() => void (inbox.closing = true)), {
    description: 'No new prompt; the current run finishes; the session completes.',
  });
}

function enqueue(session: Session, queue: QueueName, payload: unknown): void {
  const parsed = parseQueued(payload, queue === 'steering' ? 'steer' : 'follow_up');
  if (!parsed.ok) return ignore(session, queue, parsed.code, parsed.reason);
  const { id, message, mode } = parsed.value;
  if (!session.inbox.hasRoom(message)) {
    return ignore(session, queue, 'QueueFull', `${id} found too many messages waiting; send it again later`);
  }
  const accepted = session.inbox.put(queue, id, message, !session.busy);
  if (accepted && mode === 'interrupt') session.interrupt();
}

function ignore(session: Session, queue: QueueName, code: string, reason: string): void {
  const message = `A ${queue} message was ignored: ${reason}.`;
  session.store.announce({ type: 'warning', code: `Message.${code}`, message });
}

function registerUpdates(session: Session): void {
  const { inbox, approvals } = session;
  setHandler(api.promptUpdate, (input) => acceptPrompt(session, input), {
    validator: (input) => refusePrompt(session, input),
    description: 'Starts a run when idle; answers with its id at once.',
  });
  setHandler(
    api.resolveApprovalUpdate,
    (id: string, answer: ApprovalAnswer) => {
      approvals.answer(String(id), answer);
      session.onChange();
      return { approved: answer.approve };
    },
    {
      validator: (id: string, answer: ApprovalAnswer) => refuseApproval(session, id, answer),
      description: 'Answers a pending approval: id, {approve, reason?, actor}.',
    },
  );
  setHandler(api.cancelQueuedUpdate, (id: string) => ({ removed: inbox.cancel(String(id)) }), {
    description: 'Removes a queued message by its id.',
  });
}

function acceptPrompt(session: Session, input: PromptInput): { runId: string } {
  const parsed = parsePrompt(input);
  if (parsed.ok) session.inbox.putPrompt(parsed.value);
  return { runId: `run-${session.state.runs + 1}` };
}

/** Synchronous and without effect: a refused prompt leaves no event in history (LOOP-19). */
function refusePrompt(session: Session, input: unknown): void {
  if (session.busy) throw refusal('RunInProgress', 'a run is in progress: steer it, or wait for its end');
  if (session.inbox.closing || session.closing) throw refusal('SessionClosing', 'the session is closing');
  const parsed = parsePrompt(input);
  if (!parsed.ok) throw refusal(parsed.code, parsed.reason);
}

function refuseApproval(session: Session, id: unknown, answer: unknown): void {
  const valid =
    typeof answer === 'object' &&
    answer !== null &&
    'approve' in answer &&
    typeof answer.approve === 'boolean' &&
    'actor' in answer &&
    isShortText(answer.actor, 200) &&
    (!('reason' in answer) || answer.reason === undefined || isShortText(answer.reason, 4_000));
  if (!valid) {
    throw refusal(
      'InvalidAnswer',
      'expected {approve: true or false, actor: "who", reason?}, the actor at most 200 characters, the reason 4,000',
    );
  }
  const reason = session.approvals.refusal(String(id));
  if (reason !== undefined) throw refusal('NotPending', reason);
}

function isShortText(value: unknown, limit: number): boolean {
  return typeof value === 'string' && value.length <= limit;
}

function refusal(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}

export function registerQueries(session: Session): void {
  const { inbox, store, approvals } = session;
  setHandler(api.snapshotQuery, () =>
    snapshotOf(session.state, inbox, {
      workflowRunId: workflowInfo().runId,
      lastEventSeq: store.events.lastSeq,
      ...(session.waitingFor ? { waitingFor: session.waitingFor } : {}),
      ...(session.operatorReason === undefined ? {} : { waitingReason: session.operatorReason }),
      streaming: session.streaming,
      approvals: approvals.pending,
      continuedAsNew: session.handOvers,
      labels: session.input.labels ?? {},
    }),
  );
  setHandler(api.getEventsQuery, (afterSeq, limit) => store.events.page(afterSeq, limit));
  setHandler(api.getMessagesQuery, (afterSeq, limit) => pageOf(session.state, afterSeq + 1, limit));
  setHandler(api.getViewQuery, (_epoch, fromSeq) => ({
    ...pageOf(session.state, fromSeq),
    head: viewHead(session.state),
  }));
  setHandler(api.getFrozenContextQuery, (digest) => {
    const { context } = session.state;
    return context?.digest === digest ? context : null;
  });
  setHandler(api.getResultQuery, (runId) => {
    const { lastResult } = session.state;
    return lastResult && (runId === undefined || lastResult.runId === runId) ? lastResult : null;
  });
  setHandler(api.getReceiptQuery, (id) => inbox.receipt(id) ?? null);
  setHandler(api.checkpointQuery, () =>
    checkpointOf(session.state, session.input.taskId ?? session.id, Date.now()),
  );
  setHandler(api.pendingApprovalsQuery, () => approvals.pending);
}
