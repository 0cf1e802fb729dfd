// A question to a model beside the loop: no turn, no message in the log, and its cost under its own purpose.
import type { AskModelInput } from '@holdfast/vocabulary/activity-contracts';
import type { Failure } from '@holdfast/base/failures';
import type { Session } from '../session/session.ts';
import type { Effects, Stopped } from './effects.ts';

export type Question = Pick<
  AskModelInput,
  'purpose' | 'system' | 'prompt' | 'view' | 'fromSeq' | 'tools' | 'maxTokens'
>;
export type Answered = { type: 'answered'; text: string } | { type: 'failed'; failure: Failure } | Stopped;

/** Does not count as a response of the run (LOOP-06); its cost counts even if it fails. */
export async function askModel(session: Session, effects: Effects, question: Question): Promise<Answered> {
  const outcome = await effects.call('askModel', { ...session.inTurn, ...question });
  if (outcome.type === 'stopped') return outcome;
  const { purpose } = question;
  if (outcome.type === 'failed') {
    if (outcome.paid) session.record({ type: 'model_paid', ...outcome.paid, purpose });
    return { type: 'failed', failure: outcome.failure };
  }
  const { text, usage: wasted, costUsd } = outcome.value;
  session.record({ type: 'model_paid', wasted, costUsd, purpose });
  return { type: 'answered', text };
}
