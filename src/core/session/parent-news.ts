// Notifies the session or workflow that started this one, only when the pending approvals, questions or operator waits
// change, here or in a subagent. Pure; the host sends the signal.
import { defined } from '@holdfast/base/defined';
import { fitUpdate } from '@holdfast/vocabulary/child-update';
import type { WaitingFor } from '@holdfast/vocabulary/events';
import type { NotifyTarget, SessionInput } from '@holdfast/vocabulary/session-input';
import type { PendingApproval, PendingQuestion } from '@holdfast/vocabulary/snapshot';

/** The part of a session that the news is made from. */
type Telling = {
  readonly id: string;
  readonly input: SessionInput;
  readonly waitingFor: WaitingFor | undefined;
  readonly waitingReason: string | undefined;
  readonly allApprovals: PendingApproval[];
  readonly allQuestions: PendingQuestion[];
  readonly waitMarks: string;
  send(sessionId: string, signal: string, payload: unknown): Promise<boolean>;
};

export class ParentNews {
  readonly #session: Telling;
  /** Empty at the start, when nothing waits. */
  #told = '';

  constructor(session: Telling) {
    this.#session = session;
  }

  /** Cheap: called after every change. */
  update(): void {
    const marks = this.#marks();
    if (marks === this.#told) return;
    this.#told = marks;
    this.tell();
  }

  #marks(): string {
    // nearly every session is at the top and has no receiver
    if (!hearerOf(this.#session)) return '';
    const { waitingFor, waitingReason, waitMarks } = this.#session;
    return waitingFor === undefined ? '' : [waitingFor, waitingReason, waitMarks].join('\n');
  }

  /** Also called after the receiver had an outdated picture. */
  tell(): void {
    const { id: sessionId, waitingFor, waitingReason, allApprovals, allQuestions } = this.#session;
    const hearer = hearerOf(this.#session);
    if (!hearer) return;
    const update = fitUpdate({
      name: hearer.as,
      sessionId,
      ...defined({ waitingFor, waitingReason }),
      approvals: allApprovals,
      questions: allQuestions,
    });
    void this.#session.send(hearer.workflowId, hearer.signal, update);
  }
}

/** `as`: the receiver's name for this session. */
function hearerOf({
  id,
  input: { parent, notify, name },
}: Telling): (NotifyTarget & { as: string }) | undefined {
  if (parent) return { workflowId: parent.sessionId, signal: 'childUpdate', as: parent.name };
  return notify && { ...notify, as: name ?? id };
}
