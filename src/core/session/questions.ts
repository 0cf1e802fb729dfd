// The agent's questions to people (MODE-11): the open ones, and the reasons for refusing an answer. Pure; the wait
// itself is in core/loop.
import { defined } from '../base/defined.ts';
import { cutToBytes } from '../base/cut-text.ts';
import { eventTextBytes } from '../base/sizes.ts';
import type { AgentEventBody } from '../model/events.ts';
import type { NamedQuestionAnswer, PendingQuestion, QuestionAnswer } from '../model/snapshot.ts';
import { type CarriedDesk, Desk, describeTime } from './desk.ts';

export type AskedQuestion = { pending: PendingQuestion; answer?: QuestionAnswer; answeredAt?: number };

export class Questions {
  readonly #desk: Desk<AskedQuestion>;

  constructor(carried?: CarriedDesk) {
    this.#desk = new Desk(carried);
  }

  carry(): CarriedDesk {
    return this.#desk.carry();
  }

  get pending(): PendingQuestion[] {
    return this.#desk.pending;
  }

  /** The reason for refusing an answer; undefined if it can be taken. */
  refusal(id: string): string | undefined {
    if (this.#desk.open(id)) return undefined;
    const why = this.#desk.whyNotOpen(id, ({ answer, answeredAt }) => describe(answer, answeredAt));
    return `Answer to question ${id} refused: ${why}`;
  }

  answer({ id, ...answer }: NamedQuestionAnswer, now: number): void {
    const asked = this.#desk.open(id);
    if (asked) Object.assign(asked, { answer, answeredAt: now });
  }

  /** Undefined if there were too many questions within an hour. */
  ask(pending: PendingQuestion, perHour: number, heardAt?: number): AskedQuestion | undefined {
    const asked: AskedQuestion = { pending };
    return this.#desk.put(asked, perHour, heardAt) ? asked : undefined;
  }

  /** `closed` is the end of a wait without an answer. */
  settle(asked: AskedQuestion, closed?: string): void {
    this.#desk.settle(asked, closed ? `closed: ${closed}` : describe(asked.answer, asked.answeredAt));
  }
}

function describe({ actor = '' }: Partial<QuestionAnswer> = {}, at = 0): string {
  return `answered by ${actor} at ${describeTime(at)}`;
}

export function questionAsked({ id: callId, question, options, deadline }: PendingQuestion): AgentEventBody {
  return {
    type: 'question_asked',
    callId,
    question: cutToBytes(question, eventTextBytes),
    ...defined({ options }),
    deadline,
  };
}

/** `actor` of an unanswered question is the cause of its end, e.g. `timer`. */
export function questionAnswered(
  callId: string,
  { actor, text }: { actor: string; text?: string },
): AgentEventBody {
  return {
    type: 'question_answered',
    callId,
    actor,
    ...(text === undefined ? {} : { text: cutToBytes(text, eventTextBytes) }),
  };
}
