// Updates of a session: requests whose sender needs an answer. Validators are synchronous and without effect, so that
// a refused one leaves nothing in history (LOOP-19); handlers only record. Runs in the workflow.
import { ApplicationFailure, setHandler } from '@temporalio/workflow';
import type { Budget } from '../core/model/agent-spec.ts';
import { parseApproval } from '../core/session/approval-answer.ts';
import { continuationOf } from '../core/state/continuation.ts';
import type { Continuation } from '../core/state/continuation.ts';
import { budgetOf } from '../core/state/limits.ts';
import type { UserMessage } from '../core/model/messages.ts';
import { parsePrompt } from '../core/session/prompt.ts';
import type { PromptInput } from '../core/model/session-input.ts';
import { parseBudget } from '../core/session/session-settings.ts';
import type { NamedAnswer } from '../core/model/snapshot.ts';
import type { Session } from './session.ts';
import * as api from './workflow-api.ts';

export function registerUpdates(session: Session): void {
  const { inbox } = session;
  setHandler(api.promptUpdate, (input) => acceptPrompt(session, input), {
    validator: (input) => refusePrompt(session, input),
    description: 'Starts a run when idle; answers with its id at once.',
  });
  setHandler(api.resolveApprovalUpdate, (...sent) => resolveApproval(session, sent), {
    validator: (...sent) => void readApproval(session, sent),
    description: 'Answers a pending approval: {id, approve, actor, reason?, argsDigest?}.',
  });
  setHandler(api.continueUpdate, (input?: unknown) => acceptContinue(session, input), {
    validator: (input?: unknown) => void refuseContinue(session, input),
    description: 'Goes on without a new task when idle: {continueText?}; answers with the run id at once.',
  });
  setHandler(api.extendBudgetUpdate, (by) => extendBudget(session, by), {
    validator: (by) => void readBudget(by),
    description: 'Adds to the budget of the work in hand: {turns?, wallMs?, tokens?, costUsd?, toolCalls?}.',
  });
  setHandler(api.condenseUpdate, () => acceptCondense(session), {
    validator: () => refuseCondense(session),
    description:
      'Folds the older part of the view into a summary when idle; see condense_end for what came of it.',
  });
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
  refuseWhileBusy(session);
  const parsed = parsePrompt(input);
  if (!parsed.ok) throw refusal(parsed.code, parsed.reason);
}

function refuseWhileBusy(session: Session): void {
  if (session.busy) throw refusal('RunInProgress', 'a run is in progress: steer it, or wait for its end');
  if (session.inbox.closing || session.closing) throw refusal('SessionClosing', 'the session is closing');
}

function acceptContinue(session: Session, input: unknown): { runId: string } {
  const runId = `run-${session.state.runs + 1}`;
  session.inbox.putContinue(refuseContinue(session, input), runId);
  session.onChange();
  return { runId };
}

/** What to go on with; throws the refusal where there is nothing, or where it makes no sense now. */
function refuseContinue(session: Session, input: unknown): Continuation {
  refuseWhileBusy(session);
  const text = readContinueText(input);
  const { inbox, state } = session;
  if (inbox.reset)
    throw refusal('NothingToContinue', 'the view is about to begin anew: send a prompt instead');
  const waiting = { steering: inbox.waiting('steering'), followUp: inbox.waiting('followUp') };
  const continuation = continuationOf(state, waiting, text);
  if (continuation) return continuation;
  throw refusal('NothingToContinue', 'the last run was answered and no message waits: send a prompt instead');
}

function readContinueText(input: unknown): UserMessage | undefined {
  const text =
    typeof input === 'object' && input !== null && 'continueText' in input ? input.continueText : undefined;
  if (text === undefined) return undefined;
  const parsed = parsePrompt(text);
  if (!parsed.ok) throw refusal(parsed.code, parsed.reason);
  return parsed.value.find((message) => message.role === 'user');
}

function acceptCondense(session: Session): { accepted: true } {
  session.store.record({ type: 'condense_requested' });
  return { accepted: true };
}

function refuseCondense(session: Session): void {
  refuseWhileBusy(session);
  const { context, condenseRequested } = session.state;
  if (condenseRequested)
    throw refusal('CondenseRunning', 'a condense is asked for already: wait for its end');
  if (!context) throw refusal('NothingToCondense', 'there was no run yet: send a prompt first');
}

function extendBudget(session: Session, by: unknown): { budget: Budget } {
  session.store.record({ type: 'budget_extended', by: readBudget(by) });
  return { budget: budgetOf(session.state) };
}

function readBudget(by: unknown): Budget {
  const parsed = parseBudget(by);
  if (parsed.ok) return parsed.value;
  throw refusal(parsed.code, parsed.reason);
}

function resolveApproval(session: Session, sent: readonly unknown[]): { approved: boolean } {
  const answer = readApproval(session, sent);
  session.approvals.answer(answer);
  session.onChange();
  return { approved: answer.approve };
}

/** Throws the refusal of an answer that is none, or that no call waits for. */
function readApproval({ approvals }: Session, [first, rest]: readonly unknown[]): NamedAnswer {
  const parsed = parseApproval(first, rest);
  if (!parsed.ok) throw refusal(parsed.code, parsed.reason);
  const reason = approvals.refusal(parsed.value);
  if (reason !== undefined) throw refusal('NotPending', reason);
  return parsed.value;
}

function refusal(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}
