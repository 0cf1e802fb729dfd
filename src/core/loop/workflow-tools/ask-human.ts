// ask_human: asks the people who watch the session a question, and waits for an answer (MODE-11).
import { defined } from '@holdfast/base/defined';
import { type Json, fieldsOf } from '@holdfast/base/json';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { failWith } from '@holdfast/vocabulary/tool-spec';
import type { WorkflowTool, WorkflowToolOutcome } from '../effects.ts';
import { type QuestionOutcome, askQuestion } from '../waits.ts';

export const askHuman: WorkflowTool = {
  name: 'ask_human',
  async run(args, { callId, session, effects }) {
    const asked = questionOf(args);
    if (asked.question === '') return failWith('Nothing was asked: expected {question, options?}.');
    const outcome = toOutcome(await askQuestion(session, effects, { id: callId, ...asked }));
    // waiting for a person does not count as work of the call
    return { ...outcome, ran: { endedAt: session.now(), ms: 0 } };
  },
};

function questionOf(args: Json): { question: string; options?: string[] } {
  const { question, options } = fieldsOf(args);
  const texts = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
  return defined({
    question: typeof question === 'string' ? question.trim() : '',
    options: unlessEmpty(texts),
  });
}

function toOutcome(outcome: QuestionOutcome): WorkflowToolOutcome {
  switch (outcome.type) {
    case 'answered':
      return { text: outcome.text, details: { answeredBy: outcome.actor } };
    case 'unanswered':
      return failWith(`No answer: ${outcome.reason}. ${withoutAnswer}`);
    case 'stopped':
      return failWith(`No answer: nobody answered before ${outcome.reason}.`);
  }
}

const withoutAnswer =
  'Continue without it where that is safe, say in your findings what stayed open, and do not ask the same again.';
