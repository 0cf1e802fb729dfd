// Approvals, questions and operator waits in the subagents of a session, from each one's latest signal. They are shown
// and answered here under ids that name the subagent. Pure; a run that ends has no subagents, so nothing is carried.
import { counted, describeTime } from '@holdfast/base/words';
import type { ChildUpdate } from '@holdfast/vocabulary/child-update';
import type { WaitingFor } from '@holdfast/vocabulary/events';
import type { ChildRef, PendingApproval, PendingQuestion } from '@holdfast/vocabulary/snapshot';
import { type WaitEnds, howEnded, withEnd } from './desk.ts';

const urgency: readonly WaitingFor[] = ['approval', 'question', 'operator', 'worker'];

type Waits = 'approvals' | 'questions';
type Item = { id: string; child?: ChildRef; requestedAt: number };

/** The subagent that takes the answer, and the id of the item there. */
export type ChildRoute<Pending> = { sessionId: string; name: string; id: string; pending: Pending };

export class ChildWaits {
  /** Keyed by the session id of the subagent. */
  readonly #told = new Map<string, ChildUpdate>();
  #ends: WaitEnds = [];

  take(update: ChildUpdate, now: number): void {
    this.#close(update, now);
    if (isNothing(update)) this.#told.delete(update.sessionId);
    else this.#told.set(update.sessionId, update);
  }

  /** Drops the waits of a subagent that has ended. */
  forget(sessionId: string, now: number): void {
    this.#close({ sessionId, approvals: [], questions: [] }, now);
    this.#told.delete(sessionId);
  }

  /** Notes the end of each wait that the subagent has no more, for a late answer. */
  #close(
    { sessionId, ...left }: Pick<ChildUpdate, 'sessionId' | 'approvals' | 'questions'>,
    now: number,
  ): void {
    const told = this.#told.get(sessionId);
    if (!told) return;
    const waits = [...left.approvals, ...left.questions].map(({ id }) => id);
    for (const item of [...told.approvals, ...told.questions].filter(({ id }) => !waits.includes(id))) {
      const how =
        now < item.deadline ? `closed at ${describeTime(now)}` : `open until ${describeTime(item.deadline)}`;
      this.#ends = withEnd(this.#ends, seenFrom(told, item).id, `${how}, in ${told.name}`);
    }
  }

  get approvals(): PendingApproval[] {
    return this.#all('approvals');
  }

  get questions(): PendingQuestion[] {
    return this.#all('questions');
  }

  ofChild(sessionId: string): WaitingFor | undefined {
    return this.#told.get(sessionId)?.waitingFor;
  }

  /** The most urgent wait that people can end. */
  get waitingFor(): WaitingFor | undefined {
    // asked after every change
    if (this.#told.size === 0) return undefined;
    return urgency.find((what) => this.#waiting(what).length > 0);
  }

  /** The subagent and its wait, such as `log-analyst-pool-1: no key for the model`. */
  get waitingReason(): string | undefined {
    const [first, ...others] = this.waitingFor === undefined ? [] : this.#waiting(this.waitingFor);
    if (!first) return undefined;
    const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'other subagent')})`;
    return `${first.name}${first.waitingReason === undefined ? '' : `: ${first.waitingReason}`}${more}`;
  }

  /** Ids of the sessions that wait for an operator. */
  get stuck(): string[] {
    return this.#waiting('operator').map(({ sessionId }) => sessionId);
  }

  route<Kind extends Waits>(kind: Kind, id: string): ChildRoute<ChildUpdate[Kind][number]> | undefined {
    for (const update of this.#told.values()) {
      const pending = update[kind].find((item) => seenFrom(update, item).id === id);
      const { sessionId, name } = update;
      if (pending) return { sessionId, name, id: pending.id, pending };
    }
    return undefined;
  }

  /**
   * Removes an item whose answer was sent. If the subagent refuses the answer, its next signal lists the item again.
   */
  answered(id: string, { sessionId, id: inner }: ChildRoute<Item>, how: string): void {
    const told = this.#told.get(sessionId);
    if (!told) return;
    const isOpen = (item: Item): boolean => item.id !== inner;
    const [approvals, questions] = [told.approvals.filter(isOpen), told.questions.filter(isOpen)];
    this.#told.set(sessionId, { ...told, approvals, questions });
    if (approvals.length + questions.length === 0) this.#told.delete(sessionId);
    this.#ends = withEnd(this.#ends, id, how);
  }

  howAnswered(id: string): string | undefined {
    return howEnded(this.#ends, id);
  }

  #waiting(what: WaitingFor): ChildUpdate[] {
    return [...this.#told.values()].filter(({ waitingFor }) => waitingFor === what);
  }

  #all<Kind extends Waits>(kind: Kind): ChildUpdate[Kind][number][] {
    return [...this.#told.values()].flatMap((update) => update[kind].map((item) => seenFrom(update, item)));
  }
}

function isNothing({ waitingFor, approvals, questions }: ChildUpdate): boolean {
  return waitingFor === undefined && approvals.length === 0 && questions.length === 0;
}

/** The item one level up: under the name of the subagent that reported it. */
function seenFrom<T extends Item>({ name, sessionId }: ChildUpdate, item: T): T {
  const { child } = item;
  return {
    ...item,
    id: `${name}/${item.id}`,
    child: child ? { ...child, name: `${name}/${child.name}` } : { name, sessionId },
  };
}
