// The agent's questions to people (MODE-11): the open ones, and the reasons for refusing an answer. Pure; the wait
// itself is in core/loop.
import { describeTime } from '@holdfast/base/words';
import { defined } from '@holdfast/base/defined';
import { cutToBytes } from '@holdfast/base/cut-text';
import { eventTextBytes } from '@holdfast/base/sizes';
import type { AgentEventBody } from '@holdfast/vocabulary/events';
import type { NamedQuestionAnswer, PendingQuestion, QuestionAnswer } from '@holdfast/vocabulary/snapshot';
import { Desk } from './desk.ts';

export type AskedQuestion = { pending: PendingQuestion; answer?: QuestionAnswer; answeredAt?: number };

export class Questions extends Desk<AskedQuestion> {
  protected override describe({ answer, answeredAt = 0 }: AskedQuestion): string {
    return `answered by ${answer?.actor ?? ''} at ${describeTime(answeredAt)}`;
  }

  /** The reason for refusing an answer; undefined if it can be taken. */
  refusal(id: string): string | undefined {
    return this.open(id) ? undefined : `Answer to question ${id} refused: ${this.whyNotOpen(id)}`;
  }

  answer({ id, ...answer }: NamedQuestionAnswer, now: number): void {
    const asked = this.open(id);
    if (asked) Object.assign(asked, { answer, answeredAt: now });
  }

  /** Undefined if there were too many questions within an hour. */
  ask(pending: PendingQuestion, perHour: number, heardAt?: number): AskedQuestion | undefined {
    return this.put({ pending }, perHour, heardAt);
  }
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
  return defined({
    type: 'question_answered',
    callId,
    actor,
    text: text && cutToBytes(text, eventTextBytes),
  });
}
