// The receipt of a message as its sender reads it: while it waits, with the run that reads it. Pure.
import type { QueueName } from '../model/events.ts';
import type { Receipt } from '../model/snapshot.ts';
import { budgetOf, spentBudget, turnLimitReached } from '../state/limits.ts';
import type { Session } from './session.ts';

export function receiptOf(session: Session, id: string): Receipt | null {
  const receipt = session.inbox.receipt(id);
  if (receipt?.state !== 'queued') return receipt ?? null;
  if (isForRun(session, receipt.queue)) return { ...receipt, readIn: 'run' };
  return { ...receipt, readIn: session.closing ? 'no_run' : 'next_run' };
}

/** False if a limit that is known now, or an end, comes before the run would take it. */
function isForRun(session: Session, queue: QueueName): boolean {
  const { state, settings, inbox, stop, openMessage } = session;
  const { run } = state;
  if (!run) return session.busy || (inbox.hasIdleMessage && !session.closing);
  if (run.end || run.completion || stop === 'abort') return false;
  // a request on its way does not have the message, unless the message has stopped it
  const isAsked = openMessage !== undefined && stop === undefined && session.operatorReason === undefined;
  if (run.final) return queue === 'steering' && !isAsked && run.responses === run.final.responses;
  const next = isAsked ? { ...run, cursor: 'answered' as const, responses: run.responses + 1 } : run;
  if (spentBudget(next, budgetOf(state), session.now()) !== undefined) return false;
  const { onLimit, maxTurns } = settings.loop;
  // after the last turn's calls comes at most one request, which follow-ups do not reach
  if (queue === 'followUp') return !run.wantsReply || !turnLimitReached(run, maxTurns);
  return onLimit !== 'error' || !turnLimitReached(next, maxTurns);
}
