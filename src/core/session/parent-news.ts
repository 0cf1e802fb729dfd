// News for the session that started this one, or for the workflow that the start names: only when something else waits for
// people, here or in a subagent of this one. Pure; the host sends it.
import { fitUpdate } from '../model/child-update.ts';
import type { WaitingFor } from '../model/events.ts';
import type { NotifyTarget, SessionInput } from '../model/session-input.ts';
import type { PendingApproval, PendingQuestion } from '../model/snapshot.ts';

/** The news of a session. */
type Telling = {
  readonly id: string;
  readonly input: SessionInput;
  readonly waitingFor: WaitingFor | undefined;
  readonly waitingReason: string | undefined;
  readonly allApprovals: PendingApproval[];
  readonly allQuestions: PendingQuestion[];
  send(sessionId: string, signal: string, payload: unknown): Promise<boolean>;
};

export class ParentNews {
  readonly #session: Telling;
  /** Nothing waits at the start. */
  #told = '';

  constructor(session: Telling) {
    this.#session = session;
  }

  /** Cheap: called after every change. */
  update(): void {
    const marks = this.#marks();
    if (marks === this.#told) return;
    this.#told = marks;
    this.#send();
  }

  /** Something was refused that was believed to wait, or to be answered. */
  repeat(): void {
    this.#send();
  }

  #marks(): string {
    // nearly every session is at the top
    if (!hearerOf(this.#session)) return '';
    const { waitingFor, waitingReason, allApprovals, allQuestions } = this.#session;
    if (waitingFor === undefined) return '';
    const waiting = [...allApprovals, ...allQuestions];
    return [waitingFor, waitingReason, ...waiting.map(({ id, escalatedAt }) => `${id} ${escalatedAt}`)].join(
      '\n',
    );
  }

  #send(): void {
    const { id: sessionId, waitingFor, waitingReason, allApprovals, allQuestions } = this.#session;
    const hearer = hearerOf(this.#session);
    if (!hearer) return;
    const update = fitUpdate({
      ...{ name: hearer.as, sessionId },
      ...(waitingFor === undefined ? {} : { waitingFor }),
      ...(waitingReason === undefined ? {} : { waitingReason }),
      ...{ approvals: allApprovals, questions: allQuestions },
    });
    void this.#session.send(hearer.workflowId, hearer.signal, update);
  }
}

/** `as`: the name that it knows this session by. */
function hearerOf({
  id,
  input: { parent, notify, name },
}: Telling): (NotifyTarget & { as: string }) | undefined {
  if (parent) return { workflowId: parent.sessionId, signal: 'childUpdate', as: parent.name };
  return notify && { ...notify, as: name ?? id };
}
