// What a session waits for outside of its calls: work, an operator, a person's approval.
import type { Failure } from '../base/failures.ts';
import type { BatchCall } from '../model/agent-state.ts';
import type { ApprovalAnswer } from '../model/snapshot.ts';
import { approvalRequested, approvalResolved } from '../session/approvals.ts';
import type { Session } from '../session/session.ts';
import type { Effects, Stopped } from './effects.ts';

/** Idle: returns when there is something to do. After idleTimeoutMs the session closes. */
export async function waitForWork(session: Session, effects: Effects): Promise<void> {
  const { inbox, input } = session;
  const hasWork = () =>
    inbox.hasPrompt ||
    inbox.hasIdleMessage ||
    inbox.reset ||
    session.state.condenseRequested === true ||
    session.closing ||
    effects.isHandOverDue();
  if (!(await effects.until(hasWork, input.idleTimeoutMs, 'idle timeout'))) inbox.closing = true;
}

/** `resume` when an operator has fixed the failure. A stop may still come before the caller continues, which looks again. */
export async function waitForOperator(
  session: Session,
  effects: Effects,
  { code, message }: Failure,
): Promise<'resume' | 'stopped'> {
  const { inbox } = session;
  inbox.resume = false;
  session.operatorReason = message;
  session.announce({ type: 'warning', code, message });
  await effects.until(() => inbox.resume || session.stop !== undefined);
  session.operatorReason = undefined;
  session.changed();
  return inbox.resume ? 'resume' : 'stopped';
}

export type ApprovalDecision =
  | { type: 'approved'; actor: string }
  | { type: 'denied'; reason: string }
  | Stopped;

/** Waits for an answer, the deadline or a stop. Silence denies. */
export async function askApproval(
  session: Session,
  effects: Effects,
  entry: BatchCall,
): Promise<ApprovalDecision> {
  const { settings, approvals } = session;
  const { approvalTimeoutMs: timeoutMs, approvalsPerHour: limit } = settings;
  const asked = approvals.ask(entry, session.state.run?.turn ?? 0, settings, session.now());
  if (!asked) return { type: 'denied', reason: `more than ${limit} approvals were asked for in an hour` };
  const { id, summary } = asked.pending;
  session.announce(approvalRequested(asked.pending));
  await effects.until(
    () => asked.answer !== undefined || session.stop !== undefined,
    timeoutMs,
    `approval: ${summary}`,
  );
  const answer = asked.answer ?? silence(session.stop !== undefined, timeoutMs);
  approvals.settle(asked, answer);
  session.announce(approvalResolved(id, answer));
  if (!asked.answer && session.stop !== undefined) return { type: 'stopped' };
  return answer.approve
    ? { type: 'approved', actor: answer.actor }
    : { type: 'denied', reason: answer.reason ?? `by ${answer.actor}` };
}

function silence(stopped: boolean, timeoutMs: number): ApprovalAnswer {
  return stopped
    ? { approve: false, actor: 'stop', reason: 'the run was stopped' }
    : { approve: false, actor: 'timer', reason: `no answer in ${Math.round(timeoutMs / 1000)} s` };
}
