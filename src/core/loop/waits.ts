// The waits of a session outside of its calls: for work, an operator, a person's approval or answer.
import { defined } from '@holdfast/base/defined';
import { counted, describeMoment, describeTime } from '@holdfast/base/words';
import { cutText } from '@holdfast/base/cut-text';
import { toReadable } from '@holdfast/base/visible';
import type { Failure } from '@holdfast/base/failures';
import type { BatchCall, Denial } from '@holdfast/vocabulary/agent-state';
import type { PendingQuestion, QuestionAnswer } from '@holdfast/vocabulary/snapshot';
import { type WaitTimes, approvalRequested, approvalResolved } from '../session/approvals.ts';
import { questionAnswered, questionAsked } from '../session/questions.ts';
import type { Session } from '../session/session.ts';
import type { Decided } from '../state/facts.ts';
import { denialOf } from '../state/reduce-tools.ts';
import type { Effects } from './effects.ts';

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
  const { deadline } = session;
  const end = deadline ? ` (the run reaches its deadline at ${describeTime(deadline.at)})` : '';
  session.operatorReason = message + end;
  session.warn(code, message);
  await effects.until(() => inbox.resume || session.stop !== undefined);
  session.operatorReason = undefined;
  session.changed();
  return inbox.resume ? 'resume' : 'stopped';
}

export type ApprovalDecision =
  | { type: 'approved'; actor: string; at: number; reason?: string }
  /** `text` is for the model. */
  | { type: 'refused' | 'not_run'; text: string; decided: Decided; denied?: Denial };

/** Waits for an answer, the deadline or a stop, unless a remembered approval covers the call. The deadline denies. */
export async function askApproval(
  session: Session,
  effects: Effects,
  entry: BatchCall,
): Promise<ApprovalDecision> {
  const { settings, approvals } = session;
  const { timeoutMs, perHour } = settings.approvals;
  // what was denied, or not answered, is asked again even where a person has allowed the tool since
  const allowance = denialOf(session.state, entry) ? undefined : approvals.allowances.find(entry);
  if (allowance) {
    const { id, by: actor } = allowance;
    session.announce(approvalResolved(entry.call.callId, { approve: true, actor }, allowance));
    return { type: 'approved', actor: `${actor} (${id})`, at: session.now() };
  }
  const { heardAt } = session.state.run ?? {};
  const asked = approvals.ask(entry, waitOf(session, timeoutMs), perHour, heardAt);
  if (!asked) {
    const reason = `the limit of ${counted(perHour, 'approval')} in an hour is reached`;
    const decided = { approved: false, by: 'limit', reason };
    return perHour === 0
      ? { type: 'refused', text: `Denied: ${reason}`, decided }
      : { type: 'not_run', text: notDenied(reason), decided };
  }
  const { id, summary } = asked.pending;
  session.announce(approvalRequested(asked.pending));
  await waitForPerson(session, effects, asked, { waitsFor: 'approval', summary, timeoutMs });
  const closed = asked.answer ? undefined : closedBy(session, asked.pending);
  const answer = asked.answer ?? { approve: false, actor: 'timer', ...closed };
  approvals.settle(asked, closed?.reason);
  session.announce(approvalResolved(id, answer, asked.allowance));
  const { actor, reason } = answer;
  const at = asked.answeredAt ?? session.now();
  if (answer.approve) return { type: 'approved', actor, at, ...defined({ reason }) };
  const decided = defined({ approved: false, by: actor, at, reason });
  if (closed?.actor === 'stop')
    return { type: 'not_run', text: `Not run: nobody answered before ${closed.reason}.`, decided };
  const text = closed ? notDenied(closed.reason) : `Denied: ${reason ?? `by ${actor}`}`;
  const why = closed ? closed.reason : `${actor} denied it at ${describeTime(at)}`;
  return { type: closed ? 'not_run' : 'refused', text, decided, denied: { why } };
}

/** Tells the model when a question about the same call is worth its turn. */
export const asksAgain = 'The same call can be asked about again after the next words of a person.';

/** Silence and a limit are no denial. */
function notDenied(reason: string): string {
  return `Not run: ${reason}. This is no denial. ${asksAgain}`;
}

/** The times of a wait for a person: the end of the run ends it, too. */
function waitOf(session: WaitingSession, timeoutMs: number): WaitTimes {
  const requestedAt = session.now();
  const deadline = Math.min(requestedAt + timeoutMs, session.deadline?.at ?? Infinity);
  return { turn: session.state.run?.turn ?? 0, requestedAt, deadline };
}

/** The end of a wait without an answer, in words for the model and for a person who answers late. */
function closedBy(session: WaitingSession, { deadline }: { deadline: number }) {
  const { stop, state } = session;
  if (stop === undefined)
    return { actor: 'timer', reason: `nobody answered until ${describeTime(deadline)}` } as const;
  // a subagent may hear of the end of its session first
  const isLate = state.run?.timedOut === true || session.now() >= deadline;
  const stopped = stop === 'interrupt' ? 'a message interrupted the run' : 'the run was aborted';
  const what = isLate ? 'the run reached its deadline' : stopped;
  return { actor: 'stop', reason: `${what} at ${describeTime(session.now())}` } as const;
}

export type QuestionOutcome =
  | ({ type: 'answered' } & QuestionAnswer)
  | { type: 'unanswered' | 'stopped'; reason: string };

/** The part of its session that an asking workflow tool may use. */
export type AskingSession = WaitingSession & Pick<Session, 'settings' | 'questions' | 'announce' | 'record'>;
type WaitingSession = Pick<Session, 'state' | 'now' | 'stop' | 'deadline'>;

/** Waits for a person's answer, the deadline or a stop. */
export async function askQuestion(
  session: AskingSession,
  effects: Pick<Effects, 'until'>,
  { id, question, options }: Pick<PendingQuestion, 'id' | 'question' | 'options'>,
): Promise<QuestionOutcome> {
  const { settings, questions } = session;
  const { questionTimeoutMs: timeoutMs, perHour: limit } = settings.approvals;
  const pending = { ...defined({ id, question, options }), ...waitOf(session, timeoutMs) };
  const asked = questions.ask(pending, limit, session.state.run?.heardAt);
  if (!asked)
    return { type: 'unanswered', reason: `the limit of ${counted(limit, 'question')} in an hour is reached` };
  session.announce(questionAsked(asked.pending));
  const summary = cutText(toReadable(question).replaceAll(/\s+/g, ' '), summaryCharacters);
  await waitForPerson(session, effects, asked, { waitsFor: 'question', summary, timeoutMs });
  const { answer } = asked;
  if (answer) {
    questions.settle(asked);
    session.record({ type: 'person_heard' });
    session.announce(questionAnswered(id, answer));
    return { type: 'answered', ...answer };
  }
  const { actor, reason } = closedBy(session, asked.pending);
  questions.settle(asked, reason);
  session.announce(questionAnswered(id, { actor }));
  return { type: actor === 'stop' ? 'stopped' : 'unanswered', reason };
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
