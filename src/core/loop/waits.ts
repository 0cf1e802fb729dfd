// The waits of a session outside of its calls: for work, an operator, a person's approval or answer.
import { defined } from '../base/defined.ts';
import { describeMoment } from '../base/words.ts';
import { cutText } from '../base/cut-text.ts';
import { toReadable } from '../base/visible.ts';
import type { Failure } from '../base/failures.ts';
import type { BatchCall } from '../model/agent-state.ts';
import type { ApprovalAnswer, PendingQuestion, QuestionAnswer } from '../model/snapshot.ts';
import { approvalRequested, approvalResolved } from '../session/approvals.ts';
import { questionAnswered, questionAsked } from '../session/questions.ts';
import type { Session } from '../session/session.ts';
import type { Decided } from '../state/facts.ts';
import type { Effects, Stopped } from './effects.ts';

/** Waits while idle, until there is work. After idleTimeoutMs the session closes. */
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

/** Returns `resume` after an operator has fixed the failure. The caller must check again for a stop. */
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
  | { type: 'approved'; actor: string; at: number; reason?: string }
  | { type: 'denied'; reason: string; decided: Decided }
  | Stopped;

/** Waits for an answer, the deadline or a stop, unless a remembered approval covers the call. The deadline denies. */
export async function askApproval(
  session: Session,
  effects: Effects,
  entry: BatchCall,
): Promise<ApprovalDecision> {
  const { settings, approvals } = session;
  const { timeoutMs, perHour: limit } = settings.approvals;
  const allowance = approvals.allowances.find(entry);
  if (allowance) {
    const { id, by: actor } = allowance;
    session.announce(approvalResolved(entry.call.callId, { approve: true, actor }, allowance));
    return { type: 'approved', actor: `${actor} (${id})`, at: session.now() };
  }
  const asked = approvals.ask(entry, session.state.run?.turn ?? 0, settings, session.now());
  if (!asked) {
    const reason = `more than ${limit} approvals were asked for in an hour`;
    return { type: 'denied', reason, decided: { approved: false, by: 'policy', reason } };
  }
  const { id, summary } = asked.pending;
  session.announce(approvalRequested(asked.pending));
  await waitForPerson(session, effects, asked, { waitsFor: 'approval', summary, timeoutMs });
  const answer = asked.answer ?? silence(session.stop !== undefined, timeoutMs);
  approvals.settle(asked, answer, session.now());
  session.announce(approvalResolved(id, answer, asked.allowance));
  if (!asked.answer && session.stop !== undefined) return { type: 'stopped' };
  const { actor, reason } = answer;
  const at = asked.answeredAt ?? session.now();
  if (answer.approve) return { type: 'approved', actor, at, ...defined({ reason }) };
  const decided = defined({ approved: false, by: actor, at, reason });
  return { type: 'denied', reason: reason ?? `by ${actor}`, decided };
}

function silence(stopped: boolean, timeoutMs: number): ApprovalAnswer {
  return stopped
    ? { approve: false, actor: 'stop', reason: 'the run was stopped' }
    : { approve: false, actor: 'timer', reason: `no answer in ${Math.round(timeoutMs / 1000)} s` };
}

export type QuestionOutcome =
  | ({ type: 'answered' } & QuestionAnswer)
  | { type: 'unanswered'; reason: string }
  | Stopped;

/** The part of its session that an asking workflow tool may use. */
export type AskingSession = Pick<Session, 'state' | 'settings' | 'questions' | 'announce' | 'now' | 'stop'>;

/** Waits for a person's answer, the deadline or a stop. */
export async function askQuestion(
  session: AskingSession,
  effects: Pick<Effects, 'until'>,
  { id, question, options }: Pick<PendingQuestion, 'id' | 'question' | 'options'>,
): Promise<QuestionOutcome> {
  const { settings, questions } = session;
  const { questionTimeoutMs: timeoutMs, perHour: limit } = settings.approvals;
  const requestedAt = session.now();
  const asked = questions.ask(
    {
      ...defined({ id, question, options }),
      turn: session.state.run?.turn ?? 0,
      requestedAt,
      deadline: requestedAt + timeoutMs,
    },
    limit,
  );
  if (!asked) return { type: 'unanswered', reason: `more than ${limit} questions were asked in an hour` };
  session.announce(questionAsked(asked.pending));
  const summary = cutText(toReadable(question).replaceAll(/\s+/g, ' '), summaryCharacters);
  await waitForPerson(session, effects, asked, { waitsFor: 'question', summary, timeoutMs });
  questions.settle(asked, session.now());
  const { answer } = asked;
  if (answer) {
    session.announce(questionAnswered(id, answer));
    return { type: 'answered', ...answer };
  }
  const isStopped = session.stop !== undefined;
  session.announce(questionAnswered(id, { actor: isStopped ? 'stop' : 'timer' }));
  if (isStopped) return { type: 'stopped' };
  return { type: 'unanswered', reason: `nobody answered in ${Math.round(timeoutMs / 1000)} s` };
}

/** Length of the question in the name of its timer. */
const summaryCharacters = 100;

const answerPlace = 'More Actions, Send an Update (the JSON is in User Metadata)';

type PersonWait = { waitsFor: 'approval' | 'question'; summary: string; timeoutMs: number };
type Waiting = {
  pending: { id: string; requestedAt: number; deadline: number; escalatedAt?: number };
  answer?: object;
};

/** Returns on an answer, the deadline or a stop. Before that it may mark the wait as escalated. */
async function waitForPerson(
  session: Pick<Session, 'settings' | 'announce' | 'now' | 'stop'>,
  effects: Pick<Effects, 'until'>,
  asked: Waiting,
  { waitsFor, summary, timeoutMs }: PersonWait,
): Promise<void> {
  const isOver = () => asked.answer !== undefined || session.stop !== undefined;
  const { escalateAfterMs = timeoutMs } = session.settings.approvals;
  const { id: callId, requestedAt, deadline } = asked.pending;
  // shown in the timeline of the Temporal UI, without a tab
  const timer = `${waitsFor}: ${summary} · until ${describeMoment(deadline, requestedAt, 'UTC')} · to answer: ${answerPlace}`;
  if (escalateAfterMs >= timeoutMs) return void (await effects.until(isOver, timeoutMs, timer));
  if (await effects.until(isOver, escalateAfterMs, `escalation of ${timer}`)) return;
  asked.pending = { ...asked.pending, escalatedAt: session.now() };
  session.announce({ type: 'wait_escalated', callId, waitsFor, summary, requestedAt, deadline });
  await effects.until(isOver, timeoutMs - escalateAfterMs, timer);
}
