// Messages from a session to its subagents, and from a subagent to its session: read like any other request, carried
// out by a signal to the target session. Pure.
import { describeTime } from '@holdfast/base/words';
import { defined } from '@holdfast/base/defined';
import { type Parsed, type Refused, refuse } from '@holdfast/base/json';
import { parseChildUpdate } from '@holdfast/vocabulary/child-update';
import type { NamedAnswer, NamedQuestionAnswer } from '@holdfast/vocabulary/snapshot';
import { refuseAnswer } from './answers.ts';
import type { SteeringInput } from './prompt.ts';
import type { Session } from './session.ts';

/** A refusal with its reason, or the function that carries out the request. */
export type Request<Answer = unknown> = Parsed<() => Answer>;

/** Accepted only from a running subagent. */
export function takeChildUpdate(session: Session, payload: unknown): Request {
  const parsed = parseChildUpdate(payload);
  if (!parsed.ok) return parsed;
  const { name, sessionId } = parsed.value;
  if (!session.runningChildren.some((child) => child.name === name && child.id === sessionId))
    return refuse('NoSuchSubagent', `${name} is no subagent of this session that runs`);
  return accept(() => session.childWaits.take(parsed.value, session.now()));
}

/** Undefined unless the id is that of a subagent's call. */
export function resolveForChild(
  session: Session,
  { id, ...answer }: NamedAnswer,
): Request<{ approved: boolean }> | undefined {
  const { childWaits } = session;
  const head = `Approval for call ${id} refused`;
  const route = childWaits.route('approvals', id);
  if (!route) return refuseAnswered(session, head, id);
  const { pending, name, sessionId } = route;
  if (pending.isCut && answer.approve) {
    const open = pending.child?.sessionId ?? sessionId;
    return refuse('NotShown', `${head}: its arguments are too long to be shown here. Open session ${open}.`);
  }
  const refusal = refuseAnswer(pending, { ...answer, id });
  if (refusal) return refusal;
  return accept(() => {
    const how = `${answer.approve ? 'approved' : 'denied'} by ${answer.actor} at ${describeTime(session.now())}`;
    childWaits.answered(id, route, `${how}, for ${name}`);
    void session.send(sessionId, 'resolveApproval', { ...answer, id: route.id });
    return { approved: answer.approve };
  });
}

/** Undefined unless the id is that of a subagent's question. */
export function answerForChild(
  session: Session,
  { id, ...answer }: NamedQuestionAnswer,
): Request<{ answered: string }> | undefined {
  const { childWaits } = session;
  const route = childWaits.route('questions', id);
  if (!route) return refuseAnswered(session, `Answer to question ${id} refused`, id);
  return accept(() => {
    childWaits.answered(
      id,
      route,
      `answered by ${answer.actor} at ${describeTime(session.now())}, for ${route.name}`,
    );
    void session.send(route.sessionId, 'answerQuestion', { ...answer, id: route.id });
    return { answered: id };
  });
}

/**
 * `to` names a running subagent, or with `a/b` one below it. A message with an id that was accepted before is not sent
 * again.
 */
export function steerChild(
  session: Session,
  to: unknown,
  { id, message, mode, actor }: SteeringInput,
): Request {
  const running = session.runningChildren;
  const [name, ...below] = typeof to === 'string' ? to.split('/') : [];
  const child = running.find((one) => one.name === name);
  if (!child) {
    const known = running.map((one) => one.name).join(', ') || 'none';
    return refuse(
      'NoSuchSubagent',
      `${id} is for ${String(to)}, and no subagent of that name runs; running: ${known}`,
    );
  }
  return accept(() => {
    const { inbox } = session;
    if (!inbox.forward(id, String(to))) return;
    const sent = defined({ id, message, mode, actor, to: below.length === 0 ? undefined : below.join('/') });
    void session.send(child.id, 'steer', sent).then((arrived) => {
      if (!arrived) session.noteUndelivered([id]);
    });
  });
}

function refuseAnswered({ childWaits }: Session, head: string, id: string): Refused | undefined {
  const how = childWaits.howAnswered(id);
  return how === undefined ? undefined : refuse('NotPending', `${head}: it was ${how}.`);
}

export function accept<Answer>(effect: () => Answer): Request<Answer> {
  return { ok: true, value: effect };
}
