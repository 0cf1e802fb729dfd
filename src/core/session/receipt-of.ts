// The receipt of a message as its sender reads it: while it waits, with the run that reads it. Pure.
import { defined } from '../base/defined.ts';
import type { QueueName } from '../model/events.ts';
import type { Receipt } from '../model/snapshot.ts';
import { budgetOf, spentBudget, turnLimitReached } from '../state/limits.ts';
import type { Session } from './session.ts';

export function receiptOf(session: Session, id: string): Receipt | null {
  const receipt = session.inbox.receipt(id);
  if (receipt?.state !== 'queued') return receipt ?? null;
  const readIn = readBy(session, receipt.queue);
  if (readIn === undefined) return { ...receipt, readIn: session.closing ? 'no_run' : 'next_run' };
  // an interrupting message ends the wait
  const after = session.state.run && !session.stop ? session.waitingFor : undefined;
  return { ...receipt, readIn, ...defined({ after }) };
}

/** Undefined if a limit that is known now, or an end, comes before the run would take it. */
function readBy(session: Session, queue: QueueName): 'run' | 'run_if_answered' | undefined {
  const { state, settings, inbox, stop, openMessage } = session;
  const { run } = state;
  if (!run) return session.busy || (inbox.hasIdleMessage && !session.closing) ? 'run' : undefined;
  if (run.end || run.completion || stop === 'abort') return undefined;
  // a request on its way does not have the message, unless the message has stopped it
  const isAsked = openMessage !== undefined && stop === undefined && session.operatorReason === undefined;
  if (run.final)
    return queue === 'steering' && !isAsked && run.responses === run.final.responses ? 'run' : undefined;
  const next = isAsked ? { ...run, cursor: 'answered' as const, responses: run.responses + 1 } : run;
  if (spentBudget(next, budgetOf(state), session.now()) !== undefined) return undefined;
  const { onLimit, maxTurns } = settings.loop;
  if (!turnLimitReached(next, maxTurns)) return 'run';
  if (queue === 'steering') return onLimit === 'error' ? undefined : 'run';
  // after the last turn's calls comes at most one request, which follow-ups do not reach
  if (isAsked) return 'run_if_answered';
  return run.wantsReply ? undefined : 'run';
}
