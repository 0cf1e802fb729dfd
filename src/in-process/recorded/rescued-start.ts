// The start of a session that goes on where another one stands, with the results that it has and the messages that it has not
// read. Pure.
import { defined } from '../../core/base/defined.ts';
import type { Checkpoint, SessionInput } from '../../core/model/session-input.ts';
import type { Session } from '../../core/session/session.ts';

/** `checkpoint`: of the session, with its whole log. */
export function rescuedStart({ input, taskId, inbox }: Session, checkpoint: Checkpoint): SessionInput {
  const { keepAlive, idleTimeoutMs, throwOnFailure, labels, name, notify, deadlineAt, deliver, needsReport } =
    input;
  const prompt = inbox.carry().prompt ?? undefined;
  const ofSession = {
    keepAlive,
    idleTimeoutMs,
    throwOnFailure,
    labels,
    name,
    notify,
    deadlineAt,
    deliver,
    needsReport,
  };
  return { ...defined({ ...ofSession, prompt }), taskId, checkpoint, resumeFailed: true };
}
