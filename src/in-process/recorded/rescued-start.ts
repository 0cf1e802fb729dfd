// The start of a session that goes on where another one stands, with the results that it has and the messages that it has not
// read. Pure.
import { defined } from '../../core/base/defined.ts';
import { withRecords } from '../../core/checkpoint/checkpoint.ts';
import type { LogRecord } from '../../core/model/messages.ts';
import type { SessionInput } from '../../core/model/session-input.ts';
import { currentCheckpoint } from '../../core/session/queries.ts';
import type { Session } from '../../core/session/session.ts';

/** `records`: its whole log. */
export function rescuedStart(session: Session, records: LogRecord[]): SessionInput {
  const { input, taskId, inbox } = session;
  const { keepAlive, idleTimeoutMs, throwOnFailure, labels, name, notify, deadlineAt, deliver, needsReport } =
    input;
  const { prompt } = inbox.carry();
  return {
    ...defined({
      keepAlive,
      idleTimeoutMs,
      throwOnFailure,
      labels,
      name,
      notify,
      deadlineAt,
      deliver,
      needsReport,
    }),
    ...defined({ prompt: prompt ?? undefined }),
    taskId,
    checkpoint: withRecords(currentCheckpoint(session), records),
    resumeFailed: true,
  };
}
