// News for the session that started this one: only when something else waits for people, here or in a subagent of this one.
// Pure; the host sends it.
import { fitUpdate } from '../model/child-update.ts';
import type { WaitingFor } from '../model/events.ts';
import type { SessionInput } from '../model/session-input.ts';
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
    if (this.#session.input.parent) this.#send();
  }

  #marks(): string {
    // nearly every session is at the top
    if (!this.#session.input.parent) return '';
    const { waitingFor, waitingReason, allApprovals, allQuestions } = this.#session;
    if (waitingFor === undefined) return '';
    const waiting = [...allApprovals, ...allQuestions];
    return [waitingFor, waitingReason, ...waiting.map(({ id, escalatedAt }) => `${id} ${escalatedAt}`)].join(
      '\n',
    );
  }

  #send(): void {
    const { id: sessionId, input, waitingFor, waitingReason, allApprovals, allQuestions } = this.#session;
    if (!input.parent) return;
    const update = fitUpdate({
      ...{ name: input.parent.name, sessionId },
      ...(waitingFor === undefined ? {} : { waitingFor }),
      ...(waitingReason === undefined ? {} : { waitingReason }),
      ...{ approvals: allApprovals, questions: allQuestions },
    });
    void this.#session.send(input.parent.sessionId, 'childUpdate', update);
  }
}
